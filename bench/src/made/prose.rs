//! Text that looks like prose, the same in every run.

/// Words as they come in reports, long and short, some with letters beyond ASCII.
const WORDS: &str = "the of and to in a is that for it was on are as with his they at be this from have or by one had \
    not but what all were when we there can an your which their said if do will each about how up out them then she \
    many some so these would other into has more her two like him see time could no make than first been its who now \
    people my made over did down only way find use may water long little very after words called just where most know \
    harbour survey committee measurement temperature agreement considerable neighbouring established responsibility \
    Østerlund café naïve coöperation résumé façade Zürich Málaga station quarterly instrument sediment calibration";

/// Where words come from.
#[derive(Debug)]
pub(crate) struct Prose {
    state: u64,
    words: Vec<&'static str>,
}

impl Prose {
    pub(crate) fn new() -> Self {
        Self { state: 0x9E37_79B9_7F4A_7C15, words: WORDS.split_whitespace().collect() }
    }

    /// A number below another.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 33).unwrap_or(0) % most.max(1)
    }

    pub(crate) fn word(&mut self) -> &'static str {
        let at = self.below(self.words.len());
        self.words.get(at).copied().unwrap_or("word")
    }

    /// A few words that begin with a capital letter.
    pub(crate) fn words(&mut self, count: usize) -> String {
        let text = (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ");
        let mut signs = text.chars();
        signs.next().map(|first| first.to_uppercase().chain(signs).collect()).unwrap_or_default()
    }

    pub(crate) fn sentence(&mut self) -> String {
        let count = 8 + self.below(14);
        let mut text = self.words(count);
        if self.below(3) == 0 {
            text = format!("{text}, {} {} of {}", self.word(), self.below(100), 1 + self.below(9_000));
        }
        text.push('.');
        text
    }

    pub(crate) fn paragraph(&mut self) -> String {
        let count = 3 + self.below(4);
        (0..count).map(|_| self.sentence()).collect::<Vec<_>>().join(" ")
    }
}
