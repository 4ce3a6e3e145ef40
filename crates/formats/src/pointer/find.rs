//! Finding a value: the members on the way are compared, everything else is passed over.

use readstone_base::Fault;

use super::Layout;
use super::near::Near;
use super::print::{Name, Print, decode, shown};
use super::scan::{MOST_DEPTH, Skip, kind};
use super::steps::Step;
use super::text::{End, Spot, Text};

/// A value of a JSON file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonValue {
    /// Its text: that of a string decoded, anything else as it stands, indented by two blanks a level.
    pub text: Vec<u8>,
    /// Where it stands.
    pub place: JsonPlace,
    /// How many characters of its text stand as U+FFFD for what is none.
    pub replaced: u64,
}

/// Where a value stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonPlace {
    /// What it is: `object`, `array`, `string`, `number`, `boolean` or `null`.
    pub what: &'static str,
    /// The line in which it begins, from 1.
    pub first_line: u64,
    /// The line in which it ends.
    pub last_line: u64,
    /// How many members before it share a name with one on the way to it, so that others could be meant.
    pub doubled: u64,
}

/// Where the steps led.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// To a value.
    Found(JsonValue),
    /// To a value that is too large to be shown.
    Large {
        /// Where it stands.
        place: JsonPlace,
        /// Where it begins and ends in the file.
        ends: (Spot, Spot),
    },
    /// Nowhere, behind so many steps.
    Missing(usize, Lack),
}

/// What is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lack {
    /// A member.
    Name(Near),
    /// An element of a list of so many.
    Element(u64),
    /// A line of so many.
    Line(u64),
    /// A value in the line.
    Blank,
    /// Anything: it is no object and no list but this.
    Inside(&'static str),
}

/// An object or a list on the way.
#[derive(Debug)]
struct Frame {
    close: u8,
    /// How many of its values were passed.
    count: u64,
    near: Near,
    /// What the last member of the wanted name led to, and which of the meanings of the name it has.
    result: Option<(usize, Outcome)>,
    doubled: u64,
}

/// Looks for a value.
pub(super) struct Find<'a, 't> {
    /// The file.
    pub(super) text: Text<'t>,
    /// The way.
    pub(super) steps: &'a [Step],
    /// Bytes of text that a value may have.
    pub(super) most: u64,
}

impl Find<'_, '_> {
    /// Follows the steps through the file.
    pub(super) fn run(mut self, layout: Layout) -> Result<Outcome, Fault> {
        let first = match layout {
            Layout::Whole => 0,
            Layout::Lines => match self.line()? {
                Some(missing) => return Ok(missing),
                None => 1,
            },
        };
        self.text.skip_blanks()?;
        if self.text.peek()?.is_none() {
            return match layout {
                Layout::Whole => Err(self.text.bad("it is empty")),
                Layout::Lines => Ok(Outcome::Missing(0, Lack::Blank)),
            };
        }
        let outcome = self.follow(first)?;
        self.text.skip_blanks()?;
        match self.text.peek()? {
            Some(_) => Err(self.text.bad("nothing may follow the value")),
            None => Ok(outcome),
        }
    }

    /// Goes to the line that the first step means; an outcome when there is none.
    fn line(&mut self) -> Result<Option<Outcome>, Fault> {
        let wanted = self.steps.first().and_then(Step::index).unwrap_or(u64::MAX);
        let mut passed = 0;
        while passed < wanted && self.text.skip_line()? {
            passed += 1;
        }
        self.text.end = if passed == wanted { End::Line } else { End::File };
        // A line without a character is one only before a line feed.
        let rest = self.text.rest()?;
        if passed == wanted && !rest.is_empty() {
            return Ok(None);
        }
        let begun = u64::from(self.text.spot().column > 1);
        Ok(Some(Outcome::Missing(0, Lack::Line(passed + begun))))
    }

    fn follow(&mut self, first: usize) -> Result<Outcome, Fault> {
        let mut frames: Vec<Frame> = Vec::new();
        let mut done = self.enter(first, &mut frames)?;
        loop {
            let level = first + frames.len();
            let Some(frame) = frames.last_mut() else {
                return done.ok_or_else(|| self.text.bad("a value must stand here"));
            };
            if let Some(outcome) = done.take() {
                // The step that leads out of the frame is the one before those that led into what was done.
                let rank = frame.result.take().map_or(0, |(rank, _)| rank);
                frame.result = Some((rank, outcome));
            }
            let Some(step) = level.checked_sub(1).and_then(|at| self.steps.get(at)) else {
                return Err(self.text.bad("a value must stand here"));
            };
            match self.text.member(frame, step)? {
                Member::Wanted(rank) => {
                    frame.doubled += u64::from(frame.result.as_ref().is_some_and(|(other, _)| *other == rank));
                    frame.result = Some((rank, Outcome::Missing(level, Lack::Blank)));
                    done = self.enter(level, &mut frames)?;
                }
                Member::Other => self.text.value(frames.len(), &mut Skip)?,
                Member::None => done = frames.pop().map(|frame| frame.outcome(level - 1)),
            }
        }
    }

    /// Enters the value behind so many steps; gives where it led, unless it is on the way.
    fn enter(&mut self, level: usize, frames: &mut Vec<Frame>) -> Result<Option<Outcome>, Fault> {
        self.text.skip_blanks()?;
        if level >= self.steps.len() {
            return self.take(frames.len()).map(Some);
        }
        match self.text.peek()? {
            Some(open @ (b'{' | b'[')) if frames.len() < MOST_DEPTH => {
                self.text.step(1);
                let near = Near::default();
                frames.push(Frame { close: open + 2, count: 0, near, result: None, doubled: 0 });
                Ok(None)
            }
            other => {
                self.text.value(frames.len(), &mut Skip)?;
                Ok(Some(Outcome::Missing(level, Lack::Inside(kind(other)))))
            }
        }
    }

    /// Takes the value that follows.
    fn take(&mut self, above: usize) -> Result<Outcome, Fault> {
        let (what, start) = (kind(self.text.peek()?), self.text.spot());
        let mut print = Print::new(self.most);
        self.text.value(above, &mut print)?;
        let end = self.text.spot();
        let place = JsonPlace { what, first_line: start.line, last_line: end.line, doubled: 0 };
        if print.is_over {
            return Ok(Outcome::Large { place, ends: (start, end) });
        }
        let (text, replaced) = if what == "string" { decode(&print.out) } else { shown(&print.out) };
        // What was replaced before the text came here is told by its sign.
        let signs = text.matches(char::REPLACEMENT_CHARACTER).count() as u64;
        let replaced = signs.min(replaced + self.text.replaced());
        Ok(Outcome::Found(JsonValue { text: text.into_bytes(), place, replaced }))
    }
}

/// What follows in an object or a list.
enum Member {
    /// The value that is wanted, by this meaning of the step.
    Wanted(usize),
    /// Another value.
    Other,
    /// Its end.
    None,
}

impl Frame {
    /// Where the steps led in it, having led to it behind `level` of them.
    fn outcome(self, level: usize) -> Outcome {
        let lack = if self.close == b'}' { Lack::Name(self.near) } else { Lack::Element(self.count) };
        let mut outcome = self.result.map_or(Outcome::Missing(level, lack), |(_, outcome)| outcome);
        if let Outcome::Found(JsonValue { place, .. }) | Outcome::Large { place, .. } = &mut outcome {
            place.doubled += self.doubled;
        }
        outcome
    }
}

/// Bytes of a name that are looked at, whatever is wanted.
const NAME_BYTES: usize = 256;

impl Text<'_> {
    /// Goes to the next value of what a frame is of.
    fn member(&mut self, frame: &mut Frame, step: &Step) -> Result<Member, Fault> {
        self.skip_blanks()?;
        match self.peek()? {
            Some(sign) if sign == frame.close => {
                self.step(1);
                return Ok(Member::None);
            }
            Some(b',') if frame.count > 0 => {
                self.step(1);
                self.skip_blanks()?;
            }
            found if frame.count > 0 => return Err(self.no_comma(frame.close, found)),
            Some(_) => {}
            None => return Err(self.no_comma(frame.close, None)),
        }
        let place = frame.count;
        frame.count += 1;
        if frame.close == b']' {
            return Ok(if step.index() == Some(place) { Member::Wanted(0) } else { Member::Other });
        }
        // An escape of six bytes may stand for one.
        let mut name = Name::new(NAME_BYTES.max(6 * step.longest()) + 2);
        self.key(&mut name)?;
        let name = name.decoded();
        frame.near.note(name.as_deref(), step.name());
        let rank = name.and_then(|name| step.rank(&name));
        let best = frame.result.as_ref().map_or(usize::MAX, |(rank, _)| *rank);
        Ok(rank.filter(|rank| *rank <= best).map_or(Member::Other, Member::Wanted))
    }
}
