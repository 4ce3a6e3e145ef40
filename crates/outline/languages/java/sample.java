// A page of Java with one of each thing that can be declared.
package sample;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A shelf with boxes.
 */
@SuppressWarnings("unchecked")
@Deprecated
public class Shelf<T extends Comparable<T>>
    extends HashMap<String, T>
    implements Iterable<T>
{
    /** How many there may be. */
    public static final int MOST = 12;

    private static final Map<String, Integer> LIMITS = Map.of(
        "low", 1,
        "high", 9
    );

    @Deprecated
    private int taken, left = 3;

    private final Runnable runner = new Runnable() {
        @Override
        public void run() {
            taken++;
        }
    };

    static final Function<String, Integer> MEASURE = text -> {
        return text.length();
    };

    static {
        System.out.println("loaded");
    }

    /** A shelf without boxes. */
    public Shelf() { super(); }

    protected Shelf(int size)
    {
        super(size);
    }

    /**
     * Takes a box.
     *
     * @param name its name
     */
    @Override
    @SuppressWarnings({
        "rawtypes",
    })
    public T get(
        Object name
    ) throws IllegalStateException {
        if (name == null) {
            return null;
        } else if (taken > MOST) {
            throw new IllegalStateException();
        }
        for (String key : keySet()) {
            while (key.isEmpty()) {
                break;
            }
        }
        synchronized (this) {
            taken += 1;
        }
        return super.get(name);
    }

    @Override public java.util.Iterator<T> iterator() { return values().iterator(); }

    <R> List<R> map(Function<? super T, ? extends R> change) {
        class Local {
            void inner() {}
        }
        try (var stream = new java.io.StringReader("a")) {
            values().forEach(value -> {
                change.apply(value);
            });
        } catch (RuntimeException error) {
            return List.of();
        } finally {
            taken = 0;
        }
        switch (taken) {
            case 0:
                taken++;
                break;
            default:
                taken--;
        }
        return switch (left) {
            case 1 -> List.of();
            default -> {
                int sum = left
                    + taken;
                yield List.of();
            }
        };
    }

    native int count();

    public interface Teller {
        String WORD = "told";

        String tell(boolean loud);

        default String twice() {
            return tell(true) + tell(false);
        }

        abstract class Base implements Teller {}
    }

    enum Side {
        LEFT,
        RIGHT("far") {
            @Override
            String name(int times) {
                return "right";
            }
        };

        private String far;

        Side() {}

        Side(String far) {
            this.far = far;
        }

        String name(int times) { return far; }
    }
}

record Point(int x, int y) {
    static int made;

    Point {
        made++;
    }

    double length() {
        return Math.sqrt(x * x + y * y);
    }
}

sealed interface Shape permits Circle, Square {}

@interface Told {
    String value() default "none";

    int[] times() default {
        1,
        2
    };
}
