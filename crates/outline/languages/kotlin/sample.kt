// A page of Kotlin with one of each thing that can be declared.
@file:JvmName("Sample")

package sample

import kotlin.math.sqrt

/** How many there may be. */
const val MOST = 12

val words = listOf(
    "one",
    "two",
)

var count: Int = 0
    private set

typealias Names = Map<String, List<String>>

/**
 * A shelf with boxes.
 */
@Suppress("unused")
@Deprecated(
    message = "old",
)
open class Shelf<T : Any>(
    val name: String,
    private var taken: Int = 0,
) : AbstractList<T>(), Teller {
    override val size: Int
        get() = taken

    private val boxes by lazy {
        mutableListOf<T>()
    }

    @JvmField
    var limit = MOST

    init {
        require(name.isNotEmpty())
    }

    constructor(size: Int) : this("made", size)

    constructor(first: String, second: String) : this(first + second) {
        taken = second.length
    }

    /** Takes a box. */
    @Throws(IllegalStateException::class)
    override fun get(index: Int): T {
        if (index < 0) {
            throw IllegalStateException()
        } else if (index > taken) {
            taken = index
        }
        for (box in boxes) {
            while (taken < 0) {
                taken += 1
            }
        }
        return boxes[index]
    }

    override fun tell(loud: Boolean) = if (loud) "TOLD" else "told"

    suspend fun <R> map(
        times: Int = 1,
        change: (T) -> R,
    ): List<R> where R : Comparable<R> {
        val local = 3
        fun inner(number: Int): Int {
            return number * local
        }
        return boxes.map { box ->
            inner(times)
            change(box)
        }
    }

    operator fun plus(other: Shelf<T>): Int =
        taken +
            other.taken

    companion object {
        const val EMPTY = 0

        @JvmStatic
        fun make(): Shelf<Int> = Shelf("made")
    }

    inner class Lock {
        fun close() {}
    }
}

interface Teller {
    val loud: Boolean get() = false

    fun tell(loud: Boolean): String
}

fun interface Change<T> {
    fun change(value: T): T
}

data class Point(val x: Int, val y: Int)

sealed class Shape {
    object Empty : Shape()
    data class Circle(val radius: Double) : Shape()
}

enum class Side(val far: Boolean) {
    LEFT(false),
    RIGHT(true) {
        override fun told(): String {
            return "right"
        }
    };

    open fun told() = "side"
}

annotation class Told(val times: Int)

object Registry : Teller {
    private val all = mutableMapOf<String, Int>()

    override fun tell(loud: Boolean): String {
        val found = try {
            all.getValue("one")
        } catch (error: NoSuchElementException) {
            0
        } finally {
            all.clear()
        }
        return when (found) {
            0 -> "none"
            else -> {
                val listener = object : Teller {
                    override fun tell(loud: Boolean) = "inner"
                }
                listener.tell(loud)
            }
        }
    }
}

fun String.shout(): String = uppercase()

fun <T> List<T>?.orNone(): List<T> {
    return this ?: emptyList()
}

val Point.length: Double
    get() = sqrt((x * x + y * y).toDouble())

fun main() = println("told")
