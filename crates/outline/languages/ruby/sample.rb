# frozen_string_literal: true

require "set"

# How many there may be.
MOST = 12

WORDS = %w[
  one
  two
].freeze

# A store.
module Store
  VERSION = "1.2"

  Pair = Struct.new(:left, :right) do
    def sum
      left + right
    end
  end

  Error = Class.new(StandardError)

  # A shelf with boxes.
  #
  # It holds a few.
  class Shelf < Base
    include Comparable

    attr_reader :size
    attr_accessor :name,
                  :color
    delegate :each, to: :boxes
    scope :large, -> { where(size: 3) }
    validates :name, presence: true

    class << self
      def make(size)
        new(size)
      end
    end

    # Makes it.
    def initialize(size, name: nil,
                   color: :red)
      @size = size
      @boxes = {}
    end

    def self.empty
      new(0)
    end

    def Shelf.other; end

    def take(name)
      return if name.nil?

      if name == "one"
        @size += 1
      elsif name == "two"
        @size += 2
      else
        @size = 0
      end
      case name
      when "one"
        1
      when "two" then 2
      else
        3
      end
      begin
        @boxes.fetch(name)
      rescue KeyError => e
        warn e.message
      ensure
        @size += 1
      end
      while @size > 3
        @size -= 1
      end
      @boxes.each do |key, value|
        puts key
      end
    rescue ArgumentError
      nil
    end

    def <=>(other) = size <=> other.size

    def [](at)
      @boxes[at]
    end

    def size=(size)
      @size = size
    end

    def empty? = @size.zero?

    alias length size
    alias_method :count, :size

    private def hidden
      case [1, 2]
      in [first, *]
        first
      end
    end

    define_method(:later) do |a|
      a + 1
    end
  end
end

class Store::Inner::Deep
end

=begin
A comment of several lines.
=end
def plain(a, b = 2)
  unless a
    b
  end
  [1, 2].map { |x|
    x * 2
  }
end

namespace :db do
  desc "Fills it"
  task :fill do
    puts "full"
  end
end

RSpec.describe Store do
  it "is empty" do
    expect(1).to eq(1)
  end
end
