//! The copy of what was made: a few facts, and the bytes behind them.

mod said;

use readstone_base::WebNote;
use readstone_net::WebUrl;
use readstone_source::{Drawer, Fresh, Opening, version_of};
use serde::{Deserialize, Serialize};

use crate::asked::{Asked, Extent};
use crate::errand::Validators;
use crate::made::{Beside, Made, Shown};
use crate::sites::SITES;
use crate::steps::METHODS;
use said::Said;

/// The form of a copy; one of another form is not read.
const FORM: u32 = 2;
/// Bytes before the facts: their length.
const LENGTH: usize = 4;
/// Seconds for which parts of something that is not whole come from the copy.
const BRIEFLY: i64 = 300;

/// Something that was made, and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    /// What was made.
    pub(crate) made: Made,
    /// Who answered, behind all redirects.
    pub(crate) final_url: String,
    /// What tells the server which copy this is.
    pub(crate) validators: Validators,
    /// Whether it is an answer and all of it.
    pub(crate) sound: bool,
    /// Whether it may be kept under the address that answered, too.
    pub(crate) alias: bool,
}

/// A copy of a reply.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    at: i64,
    pub(crate) reply: Reply,
}

/// Whether something is an answer and all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Soundness {
    Sound,
    Broken,
}

/// The facts of a copy.
#[derive(Serialize, Deserialize)]
struct Facts {
    form: u32,
    at: i64,
    method: String,
    /// What the bytes are called; none when they are a text that was made.
    name: Option<String>,
    content_type: Option<String>,
    notes: Vec<Said>,
    beside: Beside,
    final_url: String,
    etag: Option<String>,
    modified: Option<String>,
    sound: bool,
}

impl Kept {
    /// The copy of what is asked for, where it was an answer and all of it.
    pub(crate) fn find(asked: &Asked, opening: &Opening<'_>) -> Option<Self> {
        Self::called(&name(asked, asked.url.as_str(), Soundness::Sound), asked, opening)
    }

    /// The copy of something that is not whole, so that the rest of what came can be read.
    pub(crate) fn broken(asked: &Asked, opening: &Opening<'_>) -> Option<Self> {
        Self::called(&name(asked, asked.url.as_str(), Soundness::Broken), asked, opening)
    }

    fn called(name: &str, asked: &Asked, opening: &Opening<'_>) -> Option<Self> {
        let bytes = opening.beyond.drawers.get(Drawer::Pages, name)?;
        let (length, rest) = bytes.split_first_chunk::<LENGTH>()?;
        let (facts, body) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        let facts: Facts = serde_json::from_slice(facts).ok()?;
        facts.kept(body.to_vec(), asked)
    }

    /// Whether it will do for what is asked, without another word with the server.
    pub(crate) fn serves(&self, asked: &Asked, opening: &Opening<'_>) -> bool {
        let part = asked.extent == Extent::Part || opening.beyond.fresh == Fresh::Keep;
        let longest = i64::try_from(opening.limits.web_seconds).unwrap_or(i64::MAX);
        let longest = if self.reply.sound { longest } else { longest.min(BRIEFLY) };
        let age = opening.budget.clock().wall().saturating_sub(self.at);
        part && (0..=longest).contains(&age)
    }

    /// What tells the server which copy there is.
    pub(crate) fn validators(&self) -> Validators {
        if self.reply.sound { self.reply.validators.clone() } else { Validators::default() }
    }
}

impl Reply {
    /// Keeps a copy, unless it is so large that little else could be kept. What is no answer is not kept, and what is
    /// not whole never takes the place of what is.
    #[must_use]
    pub(crate) fn keep(mut self, asked: &Asked, opening: &Opening<'_>) -> Self {
        if self.made.is_refusal() {
            return self;
        }
        let soundness = if self.sound { Soundness::Sound } else { Soundness::Broken };
        let Some(head) = self.facts(opening.budget.clock().wall()) else { return self };
        let size = self.made.shown.as_bytes().len() + head.len();
        let Some(length) = u32::try_from(head.len()).ok().filter(|_| size as u64 <= opening.limits.kept_bytes / 2)
        else {
            return self;
        };
        // A body can be large: the head is put before it and taken away again, so that it is never held twice.
        let mut bytes = self.made.shown.take();
        bytes.splice(0..0, length.to_le_bytes().into_iter().chain(head.iter().copied()));
        let drawers = opening.beyond.drawers;
        drawers.put(Drawer::Pages, &name(asked, asked.url.as_str(), soundness), &bytes);
        if self.alias && self.final_url != asked.url.as_str() {
            drawers.put(Drawer::Pages, &name(asked, &self.final_url, soundness), &bytes);
        }
        bytes.drain(..LENGTH + head.len());
        self.made.shown.put_back(bytes);
        self
    }

    fn facts(&self, at: i64) -> Option<Vec<u8>> {
        let facts = Facts {
            form: FORM,
            at,
            method: self.made.method.to_owned(),
            name: match &self.made.shown {
                Shown::Text(_) => None,
                Shown::Bytes { name, .. } => Some(name.clone()),
            },
            content_type: self.made.content_type.clone(),
            notes: self.made.notes.iter().map(Said::of).collect(),
            beside: self.made.beside.clone(),
            final_url: self.final_url.clone(),
            etag: self.validators.etag.clone(),
            modified: self.validators.modified.clone(),
            sound: self.sound,
        };
        serde_json::to_vec(&facts).ok()
    }
}

impl Facts {
    fn kept(self, body: Vec<u8>, asked: &Asked) -> Option<Kept> {
        let Self { form, at, method, name, content_type, notes, beside, final_url, etag, modified, sound } = self;
        if form != FORM {
            return None;
        }
        let shown = match name {
            Some(name) => Shown::Bytes { name, bytes: body },
            None => Shown::Text(String::from_utf8(body).ok()?),
        };
        let direct = final_url == asked.url.as_str();
        let notes = notes.into_iter().filter_map(Said::note).filter(|note| !(direct && is_of_way(note))).collect();
        let made = Made { method: known(&method)?, shown, content_type, notes, beside };
        let validators = Validators { etag, modified, of: WebUrl::parse(&final_url).ok() };
        Some(Kept { at, reply: Reply { made, final_url, validators, sound, alias: false } })
    }
}

/// Whether a note tells how a page was come by rather than what it is.
fn is_of_way(note: &WebNote) -> bool {
    matches!(note, WebNote::Redirected { .. } | WebNote::Downgraded)
}

/// The method called so, if there is one.
fn known(method: &str) -> Option<&'static str> {
    let sites = SITES.iter().map(|site| site.method);
    METHODS.iter().copied().chain(sites).find(|known| *known == method)
}

/// What a copy is called: nothing of the address can be read from it.
fn name(asked: &Asked, url: &str, soundness: Soundness) -> String {
    let sort = match soundness {
        Soundness::Sound => "",
        Soundness::Broken => "broken ",
    };
    version_of(format!("{sort}{} {url}", asked.mode.word()).as_bytes()).to_string()
}

/// Whether what was found behind redirects may stand for the address that answered: nobody on the way could have made
/// it.
pub(crate) fn may_alias(asked: &WebUrl, hops: &[WebUrl], last: &WebUrl) -> bool {
    let secure = last.is_secure() && asked.is_secure() && hops.iter().all(WebUrl::is_secure);
    secure || asked.origin() == last.origin() && hops.iter().all(|hop| hop.origin() == asked.origin())
}
