<?php
/**
 * A page of PHP with one of each thing that can be declared.
 */
declare(strict_types=1);

namespace App\Store;

use App\Base;
use function strlen;

const MOST = 12;
define('LOUD', true);

/** Something that can be told. */
interface Tell extends \Countable
{
    const LOUD = false;

    /** Tells it. */
    public function tell(string $name): string;
}

trait Named
{
    protected ?string $name = null;

    abstract public function rename(string $name): void;

    public function name(): ?string { return $this->name; }
}

/** Sides. */
enum Side: string
{
    case Left = 'l';
    case Right = 'r';

    const Usual = self::Left;

    public function other(): self
    {
        return match ($this) {
            self::Left => self::Right,
            self::Right => self::Left,
        };
    }
}

/**
 * A shelf with boxes.
 */
#[Entity(table: 'shelves')]
#[Table]
final class Shelf extends Base implements Tell
{
    use Named;

    public const SMALL = 1, LARGE = 2;

    /** @var array<string, int> */
    private array $boxes = [
        'one' => 1,
    ];
    public static int $count = 0;
    public string $label {
        get => 'a';
        set(string $value) {
            $this->label = $value;
        }
    }

    public function __construct(
        private readonly int $size,
        protected string $color = 'red',
    ) {
        self::$count++;
    }

    /**
     * Tells it.
     */
    #[Override]
    public function tell(string $name): string
    {
        if ($name === 'one') {
            $this->size++;
        } elseif ($name === 'two') {
            return 'two';
        } else {
            return 'three';
        }
        foreach ($this->boxes as $key => $value) {
            while ($value > 3) {
                $value--;
            }
        }
        switch ($name) {
            case 'one':
                break;
            default:
                return '';
        }
        try {
            $this->open();
        } catch (\Exception $error) {
            return $error->getMessage();
        } finally {
            $this->close();
        }
        return $name;
    }

    public static function &shared(): static
    {
        static $one = null;
        return $one;
    }

    public function count(): int { return count($this->boxes); }
}

/** Runs it. */
function run(Shelf $shelf, int ...$numbers): int
{
    function inner(): int
    {
        return 1;
    }
    $local = 3;
    $sum = array_map(function ($number) use ($local) {
        return $number + $local;
    }, $numbers);
    return count($sum);
}

if (!function_exists('later')) {
    function later(): void {}
}

$twice = function (int $a): int {
    return $a * 2;
};

$half = fn (int $a): float => $a / 2;

return new class extends Base {
    public function up(): void
    {
    }
};
