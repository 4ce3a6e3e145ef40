/// A page of Dart with one of each thing that can be declared.
library shelf;

import 'dart:async';
import 'dart:math' as math show max;

part 'more.dart';

/// How many there may be.
const int most = 12;

final List<String> words = [
  'one',
  'two',
];

var loud = false, far = true;
late String place;

/// A shorthand.
typedef Told = void Function(String word);
typedef int Older(int a);

/// Sides.
enum Side { left, right }

enum Place implements Comparable<Place> {
  low(1),
  high(2);

  const Place(this.number);
  final int number;

  @override
  int compareTo(Place other) {
    return number - other.number;
  }
}

/// Something that tells.
abstract class Teller {
  String tell();

  String twice() => tell() + tell();
}

mixin Quiet on Teller {
  bool get quiet => true;
}

/// A shelf.
@immutable
class Shelf<T extends Object> extends Teller with Quiet implements Comparable<Shelf<T>> {
  static const int width = 3;
  final Map<String, T> boxes;
  int _taken = 0;

  /// Makes one.
  Shelf(this.boxes);

  Shelf.empty() : boxes = {};

  factory Shelf.from(Map<String, T> other) {
    return Shelf(Map.of(other));
  }

  /// How many were taken.
  int get taken => _taken;

  set taken(int value) {
    _taken = value;
  }

  @override
  String tell() {
    if (boxes.isEmpty) {
      return 'nothing';
    } else {
      for (final key in boxes.keys) {
        print(key);
      }
    }
    switch (_taken) {
      case 0:
        return 'none';
      default:
        break;
    }
    try {
      return boxes.toString();
    } catch (e) {
      rethrow;
    } finally {
      _taken++;
    }
  }

  @override
  int compareTo(Shelf<T> other) => 0;

  bool operator ==(Object other) {
    return other is Shelf;
  }

  Future<T?> take(
    String name, {
    bool all = false,
  }) async {
    await Future.delayed(Duration(seconds: 1), () {
      _taken += 1;
    });
    return boxes[name];
  }

  static Shelf<int> small() => Shelf({});
}

extension Longer on String {
  String doubled() {
    return this + this;
  }
}

int add(int a, int b) => a + b;

Stream<int> count(int to) async* {
  int helper(int x) {
    return x + 1;
  }
  var at = 0;
  while (at < to) {
    yield at = helper(at);
  }
}

void main(List<String> arguments) {
  final shelf = Shelf<int>({});
  print(shelf.tell());
}
