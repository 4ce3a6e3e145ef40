// A page of C++ with one of each thing that can be declared.
#include <map>
#include <string>

#define MOST 12
#define SWAP(a, b) \
    do {           \
        a ^= b;    \
    } while (0)

class Shelf;

namespace store {

namespace deep::down {
constexpr int depth = 3;
}

using Names = std::map<std::string, int>;
typedef unsigned long Count;
namespace alias = deep::down;

/// A color.
enum class Color : unsigned char {
    Red,
    Green,
};

template <typename T>
concept Small = sizeof(T) <= 8;

/**
 * A shelf with boxes.
 */
template <typename T, int N = 3>
class Box : public std::map<int, T> {
public:
    Box() = default;
    explicit Box(int size);
    Box(const Box &other) : size_(other.size_), near_{1} {}
    virtual ~Box();

    /// How many there are.
    [[nodiscard]] int size() const { return size_; }

    template <typename U>
    U as() const
    {
        return U(size_);
    }

    virtual void draw(int x,
                      int y) = 0;
    static Box *make();
    Box &operator=(const Box &other);
    T &operator[](int at) { return near_; }
    explicit operator bool() const { return size_ > 0; }
    bool operator()(int a, int b) const;
    friend bool operator==(const Box &a, const Box &b) {
        return a.size_ == b.size_;
    }

    struct Inner {
        int low() { return 1; }
    };

    enum { First, Last };

protected:
    int (*handler_)(int);

private:
    int size_ = 0;
    T near_;
};

template <>
class Box<int, 3> {
    int only();
};

union Bits
{
    unsigned whole;
    unsigned char parts[4];
};

static const char *const words[] = {
    "one",
    "two",
};

template <typename T, int N>
Box<T, N>::Box(int size)
    : size_(size),
      near_()
{
    auto twice = [](int a) {
        return a * 2;
    };
    size_ = twice(size);
}

template <typename T, int N>
Box<T, N>::~Box()
{
}

template <typename T, int N>
bool Box<T, N>::operator()(int a, int b) const {
    return a < b;
}

int total = 0;

// A plain comment belongs to it too.
static int run(const Names &names,
               Count most) noexcept(true)
{
    for (const auto &[name, count] : names) {
        if (count > 3) {
            total += count;
        } else {
            total -= 1;
        }
    }
    try {
        total = std::stoi("3");
    } catch (const std::exception &error) {
        return 0;
    }
    std::for_each(names.begin(), names.end(), [](const auto &pair) {
        total += pair.second;
    });
    return total;
}

auto later(int a) -> int { return a; }

namespace {
void hidden() {}
}

}  // namespace store

std::string store::kind(int number) { return "none"; }

extern "C" int plain(int a);

extern "C" {
void inside(void);
}

TEST(Shelf, IsEmpty) {
    EXPECT_EQ(0, 0);
}
