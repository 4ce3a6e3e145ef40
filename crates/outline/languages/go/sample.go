// Package sample is a page of Go with one of each thing that can be declared.
package sample

import (
	"errors"
	"fmt"
)

// Most is how many there may be.
const Most = 12

// Sides.
const (
	// Left comes first.
	Left Side = iota
	Right
	Both = Left |
		Right
)

var ErrFull = errors.New("full")

var (
	words = []string{
		"one",
		"two",
	}
	count, limit int
	// measure is a function in a variable.
	measure = func(text string) int {
		return len(text)
	}
)

// Side is a number.
type Side int

type Name = string

type (
	// Point is in a group.
	Point struct {
		X, Y int
	}
	Pair[K comparable, V any] struct {
		Key   K
		Value V
	}
)

// Shelf holds boxes.
//
// It is never full.
type Shelf[T any] struct {
	boxes map[string]T
	/* taken counts. */
	taken int
}

// Teller can be told.
type Teller interface {
	fmt.Stringer
	// Tell tells it.
	Tell(loud bool) (string, error)
	Twice() (
		first string,
		second string,
	)
}

type Number interface {
	~int | ~float64
}

type Handler func(name string) error

func init() { count = 1 }

// New makes a shelf.
func New[T any](size int) *Shelf[T] {
	return &Shelf[T]{boxes: make(map[string]T, size)}
}

// Take takes a box.
func (s *Shelf[T]) Take(
	name string,
	more ...string,
) (found T, err error) {
	if box, ok := s.boxes[name]; ok {
		s.taken++
		return box, nil
	} else if name == "" {
		return found, ErrFull
	}
	for _, other := range more {
		switch {
		case other == "":
			continue
		default:
			s.taken += len(
				other,
			)
		}
	}
	return found, fmt.Errorf("no %s", name)
}

func (Shelf[T]) Len() int { return 0 }

func (p Point) String() string {
	const scale = 2
	var inner = func(number int) int {
		return number * scale
	}
	twice := func(number int) int {
		return inner(number) * 2
	}
	type local struct{ a int }
	return fmt.Sprint(twice(p.X))
}

func run(values <-chan int, done chan struct{}) (err error) {
	go func() {
		defer close(done)
		for value := range values {
			fmt.Println(value)
		}
	}()
	select {
	case value := <-values:
		fmt.Println(value)
	case <-done:
	}
	var any interface{} = values
	switch found := any.(type) {
	case int:
		fmt.Println("int", found)
	case string, error:
		fmt.Println("text")
	}
	return nil
}

//go:noinline
func external(number int) int
