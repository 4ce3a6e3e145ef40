//! A page of Zig.

const std = @import("std");

/// How many there may be.
pub const most: usize = 12;

var count: u64 = 0;

const words = [_][]const u8{
    "one",
    "two",
};

/// Sides.
pub const Side = enum(u8) {
    left,
    right = 2,

    pub fn other(self: Side) Side {
        return switch (self) {
            .left => .right,
            .right => .left,
        };
    }
};

const Error = error{
    NotFound,
    Full,
};

pub const Value = union(enum) {
    whole: i64,
    none,
};

/// A shelf.
pub const Shelf = struct {
    boxes: std.ArrayList(u8),
    taken: usize = 0,

    const Self = @This();
    pub const width = 3;

    /// Makes one.
    pub fn init(allocator: std.mem.Allocator) Self {
        return .{ .boxes = std.ArrayList(u8).init(allocator) };
    }

    pub fn take(
        self: *Self,
        name: []const u8,
    ) Error!u8 {
        if (name.len == 0) {
            return Error.NotFound;
        } else {
            self.taken += 1;
        }
        for (self.boxes.items) |box| {
            if (box == 1) return box;
        }
        while (self.taken < 3) : (self.taken += 1) {
            continue;
        }
        defer {
            self.taken = 0;
        }
        return 1;
    }

    const Deep = struct {
        low: bool,

        fn down() void {}
    };
};

const Opaque = opaque {
    fn close() void {}
};

pub fn List(comptime T: type) type {
    return struct {
        items: []T,

        pub fn len(self: @This()) usize {
            return self.items.len;
        }
    };
}

extern "c" fn abs(number: c_int) c_int;

export fn add(a: i32, b: i32) i32 {
    return a + b;
}

inline fn short() u8 { return 1; }

pub fn main() !void {
    const local = 1;
    _ = local;
}

comptime {
    _ = most;
}

usingnamespace struct {
    pub fn extra() void {}
};

// Told to work.
test "a new shelf is empty" {
    try std.testing.expect(true);
}

test add {
    try std.testing.expect(add(1, 2) == 3);
}
