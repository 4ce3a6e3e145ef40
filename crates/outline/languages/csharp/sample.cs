// A page of C# with one of each thing that can be declared.
using System;
using System.Collections.Generic;

[assembly: CLSCompliant(true)]

namespace Store.Shelves
{
    /// <summary>Called for each box.</summary>
    public delegate void Visit<T>(string name, T box);

    /// <summary>
    /// Sides.
    /// </summary>
    [Flags]
    public enum Side : byte
    {
        None = 0,
        Left = 1,
        [Obsolete("gone")]
        Right = 2,
    }

    public record Point(int X, int Y);

    public readonly record struct Size(int Wide)
    {
        public int Area => Wide * Wide;
    }

    public interface ITell<out T> where T : class
    {
        const int Most = 12;
        string Name { get; }
        event EventHandler Changed;
        T Tell(string name);
        void Twice() { Tell("a"); }
    }

    struct Pair { public int Left; public int Right; }

    /// <summary>
    /// A shelf with boxes.
    /// </summary>
    [Serializable]
    [DebuggerDisplay("{Name}")]
    public sealed partial class Shelf<T> : Base, ITell<T>
        where T : class, new()
    {
        private const int Most = 12;
        private static readonly Dictionary<string, int> Words = new()
        {
            ["one"] = 1,
        };
        private int size, taken;

        #region Making

        public Shelf(int size) : base(size)
        {
            this.size = size;
        }

        static Shelf() { }

        ~Shelf()
        {
            taken = 0;
        }

        #endregion

        public event EventHandler Changed;

        public event Action Moved
        {
            add { taken++; }
            remove { taken--; }
        }

        [JsonIgnore]
        public string Name { get; set; } = "none";

        public int Size
        {
            get => size;
            private set
            {
                if (value > 0)
                {
                    size = value;
                }
            }
        }

        public int this[string name]
        {
            get { return Words[name]; }
        }

        public static Shelf<T> operator +(Shelf<T> left, Shelf<T> right) => left;

        public static explicit operator int(Shelf<T> shelf)
        {
            return shelf.size;
        }

        /// <summary>Tells it.</summary>
        [Obsolete]
        public async Task<T> Tell(
            string name,
            CancellationToken stop = default)
        {
            if (name == "one") {
                taken += 1;
            } else if (name == "two") {
                taken += 2;
            }
            foreach (var word in Words)
            {
                while (taken > 3)
                {
                    taken--;
                }
            }
            switch (name)
            {
                case "one":
                    taken = 1;
                    break;
                default:
                    break;
            }
            try
            {
                await Open();
            }
            catch (Exception error) when (error != null)
            {
                throw;
            }
            finally
            {
                Close();
            }
            int Inner(int a)
            {
                return a + 1;
            }
            using (var file = Open())
            {
                file.Read();
            }
            return Words.Select(word => {
                return word;
            });
        }

        void ITell<T>.Twice() { }

        public int Count() => Words.Count;

#if DEBUG
        public void Check()
        {
        }
#else
        public void Check(int a) { }
#endif

        private class Inner
        {
            internal protected virtual void Low<U>() { }
        }
    }
}
