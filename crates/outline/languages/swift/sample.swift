// A page of Swift with one of each thing that can be declared.
import Foundation

/// How many there may be.
public let most = 12
var counted: Int = 0
let (left, right) = (1, 2)

typealias Names = [String: Int]

infix operator <+>: AdditionPrecedence

precedencegroup Strong {
    higherThan: AdditionPrecedence
}

/// Something that can be told.
public protocol Tell: AnyObject {
    associatedtype Word
    var name: String { get }
    static var count: Int { get set }
    init(name: String)
    /// Tells it.
    func tell(_ name: String) -> Word
    subscript(at: Int) -> Word { get }
}

/// Sides.
enum Side: String, CaseIterable {
    case left = "l"
    case right, middle
    indirect case far(Side, by: Int)

    var other: Side {
        switch self {
        case .left:
            return .right
        default:
            return .left
        }
    }
}

struct Point { var x = 0, y = 0 }

/**
 A shelf with boxes.
 */
@available(iOS 15, *)
@MainActor
public final class Shelf<T: Equatable>: Base, Tell where T: Hashable {
    public static let shared = Shelf<Int>(size: 0)
    @Published private(set) var boxes: [String: T] = [:]
    @IBOutlet
    weak var label: UILabel?
    let words = [
        "one",
        "two",
    ]

    var size: Int {
        didSet {
            counted += 1
        }
    }

    var isEmpty: Bool { boxes.isEmpty }

    var half: Int {
        get {
            return size / 2
        }
        set {
            size = newValue * 2
        }
    }

    lazy var later: () -> Int = {
        let local = 3
        return local
    }()

    public init(size: Int) {
        self.size = size
    }

    required convenience init?(name: String) {
        return nil
    }

    deinit {
        counted = 0
    }

    /// Takes a box.
    @discardableResult
    public func take<U>(
        _ name: String,
        as kind: U.Type
    ) async throws -> U? where U: Equatable {
        guard let found = boxes[name] else {
            return nil
        }
        if size > 3 {
            size -= 1
        } else if size > 2 {
            size -= 2
        } else {
            size = 0
        }
        for (key, value) in boxes where key != name {
            while size < 3 {
                size += 1
            }
        }
        repeat {
            size += 1
        } while size < 9
        do {
            try open()
        } catch let error as Failure {
            throw error
        } catch {
            size = 0
        }
        func inner(_ a: Int) -> Int {
            return a + 1
        }
        boxes.forEach { key, value in
            print(key)
        }
        return found as? U
    }

    subscript(at: Int) -> T? {
        get { nil }
    }

    static func == (left: Shelf, right: Shelf) -> Bool {
        left.size == right.size
    }

    class func make() -> Shelf { Shelf(size: 1) }

    struct Inner {
        func low() {}
    }
}

extension Shelf: CustomStringConvertible {
    public var description: String { "shelf" }
}

extension Array where Element == Int {
    func sum() -> Int {
        reduce(0, +)
    }
}

actor Store {
    private var value = 0
    func add(_ other: Int) { value += other }
}

#if DEBUG
func check() {}
#else
func check(_ a: Int) {}
#endif

func <+> (left: Int, right: Int) -> Int {
    return left + right
}

@main
struct App {
    static func main() async {
        let local = most
        print(local)
    }
}
