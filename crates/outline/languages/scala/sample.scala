// A page of Scala with one of each thing that can be declared.
package sample

import scala.annotation.tailrec
import scala.collection.mutable

/** A shelf with boxes. */
@deprecated("old", "1.0")
@SerialVersionUID(1L)
class Shelf[T](
    val name: String,
    private var taken: Int = 0
) extends mutable.AbstractSeq[T]
    with Teller {
  import Shelf._

  /** How many there may be. */
  private val limit = Most
  var left: Int = 3
  lazy val boxes: List[String] = List(
    "one",
    "two"
  )
  val (low, high) = (1, 2)

  type Names = Map[String, List[String]]

  def this(size: Int) = {
    this("made", size)
  }

  override def length: Int = taken

  /** Takes a box.
    *
    * It may fail.
    */
  @throws[IllegalStateException]
  override def apply(
      index: Int
  ): T = {
    if (index < 0) {
      throw new IllegalStateException()
    } else if (index > taken) {
      taken = index
    }
    while (taken < 0) {
      taken += 1
    }
    val found = boxes.map { box =>
      box.length
    }
    def inner(number: Int): Int = {
      number * 2
    }
    for {
      box <- boxes
      size = box.length
    } yield inner(size)
    found.head match {
      case 0 => null.asInstanceOf[T]
      case other if other > 3 =>
        println(other)
        null.asInstanceOf[T]
    }
  }

  def +(other: Shelf[T]): Int =
    taken +
      other.taken

  def iterator: Iterator[T]
}

object Shelf {
  val Most = 12

  def apply[T](name: String): Shelf[T] = new Shelf[T](name)

  implicit class Loud(val text: String) extends AnyVal {
    def shout: String = text.toUpperCase
  }

  private object Empty extends Shelf[Int]("empty") {
    override def iterator = Iterator.empty
  }
}

trait Teller {
  def tell(loud: Boolean): String

  val word: String
  var times: Int

  @tailrec
  final def count(number: Int): Int =
    try {
      if (number > 9) number else count(number + 1)
    } catch {
      case error: Exception => 0
    } finally {
      println("done")
    }
}

case class Point(x: Int, y: Int)

case object Nowhere

sealed abstract class Shape
case class Circle(radius: Double) extends Shape

package object helpers {
  def twice(number: Int): Int = number * 2
}

package inner {
  class Deep
}

enum Side(val far: Boolean):
  case Left extends Side(false)
  case Right extends Side(true)

  def told: String =
    val word = "side"
    word

trait Show[T]:
  extension (value: T) def show: String

given Ordering[Point] with
  def compare(one: Point, other: Point): Int =
    one.x - other.x

given intShow: Show[Int] with {
  extension (value: Int) def show: String = value.toString
}

extension (text: String)
  def loud: String = text.toUpperCase

  def quiet: String =
    text.toLowerCase

opaque type Name = String

@main def run(names: String*): Unit =
  for name <- names do
    if name.isEmpty then
      println("none")
    else
      println(name)
  end for
end run

val greeting = "told"
