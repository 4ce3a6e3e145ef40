#!/usr/bin/env lua
--- A page of Lua with one of each thing that can be declared.

local M = {}
local most <const> = 12
local pairs, ipairs = pairs, ipairs
counted = 0
M.version = "1.2"

-- Words, by their number.
local words = {
  "one",
  "two",
}

--- Settings with what is done with them.
M.settings = {
  loud = false,
  ["deep one"] = {
    far = 1,
  },
  --- Says it.
  tell = function(self, text)
    return text
  end,
  short = function() return 1 end,
}

local Shelf = setmetatable({}, {
  __call = function(class, ...)
    return class.new(...)
  end,
})
Shelf.__index = Shelf

--[[
A shelf without boxes.
]]
function Shelf.new(size)
  local self = setmetatable({ boxes = {} }, Shelf)
  local inner = function(a)
    return a + size
  end
  self.size = inner(1)
  return self
end

--- Takes a box.
-- @param name its name
function Shelf:take(name)
  local found = nil
  if name == "one" then
    found = 1
  elseif name == "two" then
    found = 2
  else
    found = 3
  end
  for at, word in ipairs(words) do
    while found < at do
      found = found + 1
    end
  end
  repeat
    found = found - 1
  until found < 3
  return found
end

function M.deep.down:run() return self end

function plain(a,
               b)
  do
    local c = a
    b = c
  end
  return b
end

local function hidden()
  local function further()
    return most
  end
  return further
end

M.later = function(a, b)
  return a + b
end

local twice = function(a) return a * 2 end

describe("a shelf", function()
  local box = 1
  it("is empty", function()
    assert(box == 1)
  end)
end)

return M
