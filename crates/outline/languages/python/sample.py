#!/usr/bin/env python3
"""A page of Python with one of each thing that can be declared."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from enum import Enum
from typing import overload

# How many there may be.
MOST = 12

WORDS = [
    "one",
    "two",
]

LIMITS: dict[str, int] = {"low": 1, "high": 9}
left, right = 1, 2

type Pair[T] = tuple[T, T]

try:
    import fast
except ImportError:
    fast = None

if MOST > 10:
    LARGE = True

    def pick():
        return "large"
else:
    LARGE = False

    def pick():
        return "small"


class Side(Enum):
    """Sides."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True)
class Point:
    x: int = 0
    y: int = field(
        default=0,
        repr=False,
    )


class Shelf(
    dict,
    metaclass=type,
):
    """A shelf with boxes.

    It holds names.
    """

    taken = 0

    class Full(Exception): pass

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    # A property above which a comment stands.
    @property
    def size(self):
        """How many boxes there are."""
        return len(self)

    @size.setter
    def size(self, value): self.limit = value

    @classmethod
    @overload
    def of(
        cls,
        *names: str,
        strict: bool = False,
    ) -> "Shelf":
        shelf = cls("made")
        for name in names:
            if not name:
                continue
            elif strict and name in shelf:
                raise KeyError(name)
            else:
                shelf[name] = len(
                    name,
                )
        return shelf

    async def drain(self):
        async with asyncio.Lock() as lock:
            while self:
                try:
                    self.popitem()
                except KeyError as error:
                    print(error)
                finally:
                    print("done")


def traced(label):
    # A function that makes functions.
    def around(inner):
        def call(*arguments):
            count = 1
            return inner(*arguments), count

        return call

    return around


@traced(
    "told",
)
def tell(value):
    match value:
        case Point(x=0):
            return "none"
        case [first, *_]:
            return first
        case _:
            return "some"


twice = lambda value: (
    value,
    value,
)

def empty(): ...

if __name__ == "__main__":
    asyncio.run(Shelf("main").drain())
