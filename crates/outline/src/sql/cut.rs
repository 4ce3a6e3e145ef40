//! Cuts a text into its statements.

use crate::sql::token::{Sort, Token, Tokens};

/// A statement with its tokens, without comments.
#[derive(Debug, Default)]
pub(crate) struct Statement {
    pub(crate) tokens: Vec<Token>,
    pub(crate) to: usize,
}

/// What stands between two statements or is one.
pub(crate) enum Piece {
    Comment(Token),
    Statement(Statement),
}

/// Cuts a text piece by piece.
pub(crate) struct Cutter<'t> {
    text: &'t str,
    tokens: Tokens<'t>,
    /// What ends a statement, where that is not `;`.
    delimiter: Option<&'t str>,
    /// Whether lines with `GO` or `/` end what has statements inside.
    has_batches: bool,
}

/// Tokens of a statement in which the word is looked for that says what it creates.
const MOST_HEAD: usize = 32;
/// Bytes of a line that are looked at for what it begins with.
const MOST_COMMAND: usize = 200;

impl<'t> Cutter<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let has_batches = text.lines().any(is_batch_end);
        Self { text, tokens: Tokens::of(text), delimiter: None, has_batches }
    }

    /// The next piece.
    pub(crate) fn next(&mut self) -> Option<Piece> {
        let mut statement = Statement::default();
        let mut depth = Depth::default();
        loop {
            self.tokens.skip_blanks();
            if statement.tokens.is_empty() && self.skip_command() {
                continue;
            }
            if self.tokens.rest().is_empty() {
                return (!statement.tokens.is_empty()).then_some(Piece::Statement(statement));
            }
            if self.at_end(&statement) {
                return Some(Piece::Statement(statement));
            }
            let token = self.tokens.next()?;
            if token.sort == Sort::Comment {
                if statement.tokens.is_empty() {
                    return Some(Piece::Comment(token));
                }
                continue;
            }
            statement.to = token.to;
            statement.tokens.push(token);
            if !self.ends(&statement, &mut depth) {
                continue;
            }
            if statement.tokens.len() > 1 {
                self.skip_copied(&mut statement);
                return Some(Piece::Statement(statement));
            }
            statement = Statement::default();
        }
    }

    /// Goes over a line that is for the program that runs the statements.
    fn skip_command(&mut self) -> bool {
        let line = self.line();
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        if first.eq_ignore_ascii_case("delimiter") {
            self.delimiter = words.next().filter(|sign| *sign != ";");
        } else if !(first.starts_with('\\') || is_batch_end(line) || Some(line.trim()) == self.delimiter) {
            return false;
        }
        self.tokens.skip_line();
        true
    }

    /// Whether what comes next ends a statement without being a part of it.
    fn at_end(&mut self, statement: &Statement) -> bool {
        if statement.tokens.is_empty() {
            return false;
        }
        let rest = self.tokens.rest();
        if let Some(delimiter) = self.delimiter.filter(|delimiter| rest.starts_with(delimiter)) {
            self.tokens.at += delimiter.len();
            return true;
        }
        if !self.text.get(..self.tokens.at).is_some_and(|before| before.ends_with('\n')) {
            return false;
        }
        let line = self.line();
        // A statement that never ends must not take the next one with it.
        let may_hold = self.delimiter.is_some() || self.has_batches;
        is_batch_end(line) || is_creation(line) && !(may_hold && is_routine(self.text, statement))
    }

    /// The beginning of what is left of the line.
    fn line(&self) -> &'t str {
        let rest = self.tokens.rest();
        let start = rest.get(..rest.floor_char_boundary(MOST_COMMAND)).unwrap_or_default();
        start.lines().next().unwrap_or_default()
    }

    /// Whether the last token of a statement ends it.
    fn ends(&self, statement: &Statement, depth: &mut Depth) -> bool {
        let Some(last) = statement.tokens.last().copied() else {
            return false;
        };
        match last.sort {
            Sort::Word => depth.word(self.text, statement),
            Sort::Sign if self.text.get(last.from..last.to) == Some(";") => {
                if self.delimiter.is_some() {
                    // What cannot hold statements ends here all the same.
                    let creates = creates(self.text, &statement.tokens).is_some();
                    return creates && !is_routine(self.text, statement);
                }
                let inside = depth.count > 0 && statement.tokens.len() > 2;
                return !(inside || self.has_batches && is_routine(self.text, statement));
            }
            Sort::Sign | Sort::Name | Sort::Text | Sort::Dollar | Sort::Comment => {}
        }
        false
    }

    /// Takes the rows behind `COPY … FROM stdin;` to the statement.
    fn skip_copied(&mut self, statement: &mut Statement) {
        let is = |token: Option<&Token>, word: &str| token.is_some_and(|token| is_word(self.text, *token, word));
        let tokens = &statement.tokens;
        let from_here = tokens.windows(2).any(|pair| is(pair.first(), "from") && is(pair.last(), "stdin"));
        if !is(tokens.first(), "copy") || !from_here {
            return;
        }
        let rest = self.tokens.rest();
        let rows = rest.find("\n\\.").map_or(0, |at| at + 3);
        self.tokens.at += rows;
        statement.to += rows;
    }
}

/// How deep a statement is in others that lie in it.
#[derive(Debug, Default)]
struct Depth {
    count: usize,
    /// Whether the last word closed what was counted.
    closed: bool,
    routine: Option<bool>,
}

impl Depth {
    /// Counts the word that a statement has got last.
    fn word(&mut self, text: &str, statement: &Statement) {
        let Some((last, before)) = statement.tokens.split_last() else {
            return;
        };
        let is = |word: &str| is_word(text, *last, word);
        let closed =
            std::mem::take(&mut self.closed) && before.last().is_some_and(|token| is_word(text, *token, "end"));
        if closed {
            // `END IF` and the like close what is not counted; `END CASE` closes what is.
            self.count += usize::from(["if", "loop", "while", "repeat", "for"].into_iter().any(is));
        } else if (is("begin") || is("case")) && self.is_counted(text, statement) {
            self.count += 1;
        } else if is("end") && self.count > 0 {
            self.count -= 1;
            self.closed = true;
        } else if self.count == 1 && opens_only_a_transaction(text, statement) {
            self.count = 0;
        }
    }

    /// Whether statements may lie in this one.
    fn is_counted(&mut self, text: &str, statement: &Statement) -> bool {
        *self.routine.get_or_insert_with(|| {
            let begins = statement.tokens.first().is_some_and(|token| is_word(text, *token, "begin"));
            begins || is_routine(text, statement)
        })
    }
}

fn opens_only_a_transaction(text: &str, statement: &Statement) -> bool {
    const WORDS: [&str; 8] = ["transaction", "tran", "work", "isolation", "read", "immediate", "deferred", "exclusive"];
    let second = statement.tokens.get(1).filter(|_| statement.tokens.len() == 2);
    second.is_some_and(|token| WORDS.iter().any(|word| is_word(text, *token, word)))
}

/// Whether a token is a word, in upper or lower case.
pub(crate) fn is_word(text: &str, token: Token, word: &str) -> bool {
    token.sort == Sort::Word && text.get(token.from..token.to).is_some_and(|own| own.eq_ignore_ascii_case(word))
}

/// Whether a statement creates or alters something with statements in it.
fn is_routine(text: &str, statement: &Statement) -> bool {
    let what = creates(text, &statement.tokens).map(|(what, _)| what);
    what.is_some_and(|what| ["function", "procedure", "trigger", "event", "package"].contains(&what))
}

/// What a statement creates, and how many of its tokens say so.
pub(crate) fn creates(text: &str, tokens: &[Token]) -> Option<(&'static str, usize)> {
    const OTHERS: [&str; 9] = ["operator", "cast", "text", "transform", "access", "conversion", "on", "for", "as"];
    const WHAT: [(&str, &str); 29] = [
        ("table", "table"),
        ("view", "view"),
        ("function", "function"),
        ("procedure", "procedure"),
        ("proc", "procedure"),
        ("trigger", "trigger"),
        ("index", "index"),
        ("type", "type"),
        ("domain", "domain"),
        ("sequence", "sequence"),
        ("schema", "schema"),
        ("database", "database"),
        ("extension", "extension"),
        ("role", "role"),
        ("user", "user"),
        ("login", "login"),
        ("policy", "policy"),
        ("rule", "rule"),
        ("aggregate", "aggregate"),
        ("event", "event"),
        ("package", "package"),
        ("synonym", "synonym"),
        ("server", "server"),
        ("language", "language"),
        ("collation", "collation"),
        ("publication", "publication"),
        ("subscription", "subscription"),
        ("statistics", "statistics"),
        ("macro", "macro"),
    ];
    let first = tokens.first()?;
    if !is_word(text, *first, "create") && !is_word(text, *first, "alter") {
        return None;
    }
    let other = |token: &Token| {
        text.get(token.from..token.to) == Some("(") || OTHERS.iter().any(|word| is_word(text, *token, word))
    };
    let head = tokens.iter().take(MOST_HEAD).take_while(|token| !other(token)).enumerate();
    let mut found = head.filter_map(|(at, token)| {
        let (_, what) = WHAT.iter().find(|(word, _)| is_word(text, *token, word))?;
        Some((*what, at + 1))
    });
    let (what, count) = found.next()?;
    // An event trigger is a trigger.
    Some(found.next().filter(|(next, at)| *next == "trigger" && *at == count + 1).unwrap_or((what, count)))
}

fn is_batch_end(line: &str) -> bool {
    let line = line.trim_end();
    line == "/" || line.trim_end_matches(';').eq_ignore_ascii_case("go")
}

fn is_creation(line: &str) -> bool {
    line.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("create "))
}
