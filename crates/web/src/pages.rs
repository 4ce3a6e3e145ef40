//! Pages of the web, as sources.

use std::sync::Arc;

use readstone_address::Reading;
use readstone_base::{Fault, Web, WebNote};
use readstone_net::{Ending, Fetched, WebUrl};
use readstone_source::{Nature, Opening, Sourced, Sources};

use crate::asked::{Asked, Followed, Mode};
use crate::errand::{Errand, Fetch, READING, VERBATIM, Validators};
use crate::kept::{Kept, Reply, may_alias};
use crate::made::{Made, Shown};
use crate::sections::named;
use crate::sort::decoded;
use crate::status::reason;
use crate::steps::{HOLDERS, SOURCE, Walk, from_site, make};

/// The status of a part.
const PARTIAL: u16 = 206;

/// Addresses of the web.
#[derive(Clone, Debug)]
pub struct Pages {
    fetch: Arc<dyn Fetch>,
}

/// What a server answered.
enum Answer {
    /// The copy is still what it has.
    Unchanged,
    /// Something else.
    New(Box<Reply>),
}

impl Pages {
    /// Pages that are fetched so.
    pub fn new(fetch: Arc<dyn Fetch>) -> Self {
        Self { fetch }
    }

    /// Asks for what no copy serves for.
    fn ask(&self, asked: &Asked, known: &Validators, opening: &Opening<'_>) -> Result<Answer, Fault> {
        let errand = Errand::new(&*self.fetch, opening);
        let mut walk = Walk { asked, opening, errand };
        if asked.mode == Mode::Read
            && let Some(made) = from_site(&mut walk)
        {
            let final_url = asked.url.as_str().to_owned();
            let validators = Validators::default();
            return Ok(Answer::New(Box::new(Reply { made, final_url, validators, sound: true, alias: false })));
        }
        let accept = match asked.mode {
            Mode::Read => READING,
            Mode::Whole | Mode::Source | Mode::Raw => VERBATIM,
        };
        let came = walk.errand.page(&asked.url, accept, known);
        let mut fetched = came.map_err(|error| Box::new(error) as Fault)?;
        if fetched.status == 304 && known.any() {
            return Ok(Answer::Unchanged);
        }
        let said = told(&fetched, walk.errand.limit());
        let mut made = make(&mut fetched, &mut walk)?;
        made.notes.splice(0..0, said);
        let answered = (200..300).contains(&fetched.status);
        // That the page is the same says nothing of what was found elsewhere.
        let elsewhere = made.notes.iter().any(|note| matches!(note, WebNote::TakenFrom { .. }));
        let own = Validators { etag: fetched.etag, modified: fetched.modified, of: Some(fetched.url.clone()) };
        Ok(Answer::New(Box::new(Reply {
            made,
            final_url: fetched.url.as_str().to_owned(),
            sound: answered && fetched.ending == Ending::Whole && fetched.status != PARTIAL,
            alias: answered && may_alias(&asked.url, &fetched.hops, &fetched.url),
            validators: if elsewhere { Validators::default() } else { own },
        })))
    }
}

impl Sources for Pages {
    fn open(&self, reading: &Reading, opening: &Opening<'_>) -> Result<Sourced, Fault> {
        let asked = Asked::of(reading)?;
        let kept = Kept::find(&asked, opening);
        let (asked, kept) = if kept.is_some() { (asked, kept) } else { inside(asked, reading, opening) };
        let serves = |kept: &Kept| kept.serves(&asked, opening);
        if !kept.as_ref().is_some_and(serves)
            && let Some(broken) = Kept::broken(&asked, opening).filter(serves)
        {
            return Ok(sourced(asked, broken.reply));
        }
        let (kept, known) = match kept {
            Some(kept) if kept.serves(&asked, opening) => return Ok(sourced(asked, kept.reply)),
            Some(kept) => {
                let known = kept.validators();
                (Some(kept), known)
            }
            None => (None, Validators::default()),
        };
        let reply = match (self.ask(&asked, &known, opening)?, kept) {
            (Answer::New(reply), _) => *reply,
            // Only a copy is asked after.
            (Answer::Unchanged, kept) => kept.map(|kept| kept.reply).ok_or_else(|| lost(&asked.url))?,
        };
        let reply = reply.keep(&asked, opening);
        Ok(sourced(asked, reply))
    }
}

/// What is asked for inside something of which there is a copy, if the address goes on behind that of one.
fn inside(asked: Asked, reading: &Reading, opening: &Opening<'_>) -> (Asked, Option<Kept>) {
    let holds = |kept: &Kept| HOLDERS.contains(&kept.reply.made.method);
    let with_copy = |inside: Asked| Kept::find(&inside, opening).filter(holds).map(|kept| (inside, Some(kept)));
    Asked::inside(reading).find_map(with_copy).unwrap_or((asked, None))
}

fn lost(url: &WebUrl) -> Fault {
    let (host, why) = (url.host().to_owned(), "it says that nothing changed, and was not asked".to_owned());
    Box::new(readstone_net::Error::Io { host, why })
}

/// What must be said of how an answer came.
fn told(fetched: &Fetched, limit: &'static str) -> Vec<WebNote> {
    let kept = fetched.body.len() as u64;
    let status = (!(200..300).contains(&fetched.status))
        .then(|| WebNote::Status { code: fetched.status, reason: reason(fetched.status) });
    let hops = fetched.hops.len() as u64;
    let redirected = (hops > 0).then_some(WebNote::Redirected { hops });
    let downgraded = fetched.downgraded.then_some(WebNote::Downgraded);
    let ending = match &fetched.ending {
        Ending::Whole if fetched.status == PARTIAL => {
            Some(WebNote::Short { why: "the server sent a part of it, unasked".to_owned() })
        }
        Ending::Whole => None,
        Ending::Cut { .. } => Some(WebNote::Cut { limit: "fetch_bytes", kept }),
        Ending::Short { expected, got } => {
            Some(WebNote::Short { why: format!("the server sent {got} of {expected} bytes") })
        }
        Ending::TimedOut => Some(WebNote::Late { kept, limit }),
        Ending::Broken(why) => Some(WebNote::Short { why: why.clone() }),
    };
    [status, redirected, downgraded, ending].into_iter().flatten().collect()
}

/// What the address led to.
fn sourced(asked: Asked, reply: Reply) -> Sourced {
    let Reply { made, final_url, .. } = reply;
    let (path, mut tail) = asked.place(&made.shown);
    let section = section(&asked, &made);
    let refusal = made.is_refusal();
    let Made { method, shown, content_type, mut notes, beside } = made;
    if refusal {
        let followed;
        (tail, followed) = Asked::refused(tail, &shown);
        notes.extend((followed == Followed::Less).then_some(WebNote::NoPart));
    }
    notes.extend(section.map(|address| WebNote::Fragment { address }));
    let web = Web {
        url: asked.text,
        origin: WebUrl::parse(&final_url).map_or_else(|_| asked.url.host().to_owned(), |url| url.host().to_owned()),
        final_url,
        content_type,
        method,
        notes,
        title: beside.title,
        own: beside.own,
        fence: String::new(),
    };
    let found = shown.found(&path);
    Sourced { path, found, tail, nature: Nature::Fixed, notes: Vec::new(), web: Some(web), host: None }
}

/// The address of the section that a fragment names, where the text has one.
fn section(asked: &Asked, made: &Made) -> Option<String> {
    let Shown::Text(text) = &made.shown else { return None };
    let fragment = asked.url.fragment().filter(|_| asked.tail.is_none() && asked.mode == Mode::Read)?;
    let wanted = !fragment.is_empty() && !made.is_refusal() && made.method != SOURCE;
    let name = named(text, &made.beside.anchors, &decoded(fragment)).filter(|_| wanted)?;
    Some(format!("{}:@{name}", asked.url))
}
