//! The blocks of a text while it is written.

/// Markdown that grows block by block.
#[derive(Default)]
pub(crate) struct Out {
    text: String,
    /// The marker of the list item that has begun and has no text yet.
    marker: Option<String>,
    /// In how many lists the text is.
    nest: usize,
    /// Where the text of the items stands in which the last block is.
    columns: Vec<usize>,
    last: Last,
    code: Option<String>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Nothing,
    Item,
    Block,
}

impl Out {
    /// A list begins.
    pub(crate) fn enter(&mut self) {
        self.nest += 1;
    }

    /// Sets what follows apart from a list before it.
    pub(crate) fn apart(&mut self) {
        if self.nest == 0 && self.last == Last::Item {
            self.last = Last::Block;
            self.columns.clear();
        }
    }

    /// A list ends.
    pub(crate) fn leave(&mut self) {
        self.nest = self.nest.saturating_sub(1);
    }

    /// An item of a list begins; its first block gets the marker.
    pub(crate) fn item(&mut self, marker: String) {
        self.marker = Some(marker);
    }

    /// Takes back a marker that no block has used yet.
    pub(crate) fn unmark(&mut self) -> Option<String> {
        self.marker.take()
    }

    /// Whether the last block was an item of a list, or in one.
    pub(crate) fn in_list(&self) -> bool {
        !self.columns.is_empty()
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Adds a block.
    pub(crate) fn put(&mut self, block: &str) {
        let block = block.trim_matches('\n');
        if block.trim().is_empty() {
            return;
        }
        self.flush();
        if let Some(marker) = self.marker.take() {
            return self.put_item(&marker, block);
        }
        self.columns.truncate(self.nest);
        self.part(Last::Block);
        self.lines("", block, self.columns.last().copied().unwrap_or(0));
    }

    /// Adds a heading. One in a list is no item of it.
    pub(crate) fn heading(&mut self, level: usize, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return;
        }
        self.flush();
        self.marker = None;
        self.columns.clear();
        self.part(Last::Block);
        self.lines("", &format!("{} {text}", "#".repeat(level.clamp(1, 6))), 0);
    }

    /// Adds a line of code; lines that follow each other are one block.
    pub(crate) fn code(&mut self, line: &str) {
        match &mut self.code {
            Some(code) => {
                code.push('\n');
                code.push_str(line);
            }
            None => self.code = Some(line.to_owned()),
        }
    }

    /// Adds what another one has.
    pub(crate) fn append(&mut self, other: Self) {
        let text = other.finish();
        self.put(&text);
    }

    /// The whole text.
    pub(crate) fn finish(mut self) -> String {
        self.flush();
        self.text
    }

    fn flush(&mut self) {
        let Some(code) = self.code.take() else { return };
        let code = code.trim_matches('\n');
        if !code.trim().is_empty() {
            self.put(&fenced(code));
        }
    }

    /// An item stands below the item it belongs to. Where a level has no item, the ones below it move up.
    fn put_item(&mut self, marker: &str, block: &str) {
        let level = self.nest.saturating_sub(1).min(self.columns.len());
        self.columns.truncate(level);
        let column = self.columns.last().copied().unwrap_or(0);
        self.part(Last::Item);
        let first = format!("{}{marker} ", " ".repeat(column));
        let inner = first.chars().count();
        self.columns.push(inner);
        self.lines(&first, block, inner);
    }

    fn part(&mut self, next: Last) {
        match (self.last, next) {
            (Last::Nothing, _) => {}
            (Last::Item, Last::Item) => self.text.push('\n'),
            (Last::Item | Last::Block, Last::Item | Last::Block | Last::Nothing) => self.text.push_str("\n\n"),
        }
        self.last = next;
    }

    fn lines(&mut self, first: &str, block: &str, indent: usize) {
        for (index, line) in block.lines().enumerate() {
            if index > 0 {
                self.text.push('\n');
            }
            let line = line.trim_end();
            match (index, line.is_empty()) {
                (0, _) if !first.is_empty() => self.text.push_str(first),
                (_, true) => {}
                (_, false) => self.text.extend(std::iter::repeat_n(' ', indent)),
            }
            self.text.push_str(line);
        }
    }
}

/// Code between fences that are longer than any in it.
pub(crate) fn fenced(code: &str) -> String {
    let longest = code.split(|sign| sign != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{code}\n{fence}")
}
