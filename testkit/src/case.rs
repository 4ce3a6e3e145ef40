//! Cases: Markdown pages whose blocks are run on every surface.
//!
//! `cases/README.md` describes the form of a page. A page is one world; its blocks run in order, and every call is
//! made through the library twice, through the command line twice, and once each over REST and over both transports of
//! MCP, all of which must agree. A call that changes something is made once on each of them, in the same world, and must
//! leave it the same.

mod call;
mod compare;
mod driver;
mod escape;
mod follow;
mod footprint;
mod memory;
mod pack;
mod page;
mod recipe;
mod scene;
mod servers;
mod surface;
mod tags;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use readstone_base::{Reply, Status, estimate_tokens};
use readstone_session::{MemoryStore, Store};
use readstone_tools::Toolbox;
use serde_json::Value;
use tempfile::TempDir;

use crate::peer::Peer;
use crate::world::World;
use call::Call;
use driver::Answer;
use memory::Fork;
use page::{Block, Page, Tag};
use recipe::Ground;
use scene::{Scene, Times};
use servers::Servers;
use surface::Surface;
use tags::Tags;

/// The wire form of a reply, which only a surface knows.
pub type Form = fn(&Reply) -> Value;

/// Runs case pages.
#[derive(Clone, Debug)]
pub struct Cases {
    program: PathBuf,
    form: Form,
}

/// What to do with a reply that differs from the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Complain.
    Check,
    /// Write what the library says into the page.
    Bless,
}

impl Cases {
    /// A runner for the program at this path, and the form its surfaces share.
    pub fn new(program: impl Into<PathBuf>, form: Form) -> Self {
        Self { program: program.into(), form }
    }

    /// The pages below a directory, in order.
    pub fn pages(directory: &Path) -> Result<Vec<PathBuf>, String> {
        let is_page = |path: &PathBuf| path.extension().is_some_and(|end| end == "md") && !path.ends_with("README.md");
        Ok(recipe::everything(directory)?.into_iter().filter(is_page).collect())
    }

    /// Runs one page; the complaints name the file and the line of the block they are about.
    pub fn run(&self, file: &Path, mode: Mode) -> Result<(), Vec<String>> {
        let start = || -> Result<(Page, Stage), String> {
            let text = String::from_utf8(recipe::read(file)?).map_err(|_| "a page must be UTF-8".to_owned())?;
            Ok((Page::parse(file, &text)?, Stage::new(self.clone(), mode)?))
        };
        let (page, mut stage) = start().map_err(|what| vec![what])?;
        for block in &page.blocks {
            if let Err(what) = stage.play(block) {
                stage.complaints.push(page.complaint(block.line, &what));
            }
        }
        if !stage.blessed.is_empty() {
            let written = std::fs::write(file, page.with(&stage.blessed));
            stage.complaints.extend(written.err().map(|error| format!("{}: {error}", file.display())));
        }
        if stage.complaints.is_empty() { Ok(()) } else { Err(stage.complaints) }
    }
}

/// The world of a page while it runs.
struct Stage {
    cases: Cases,
    mode: Mode,
    world: World,
    home: TempDir,
    ground: Ground,
    /// The web, from the first block on that serves something.
    site: Option<Peer>,
    /// What the library remembers.
    memory: Arc<dyn Store>,
    /// The library, from the first call on.
    toolbox: Option<Toolbox>,
    /// The servers, from the first call on.
    servers: Option<Servers>,
    /// What the call just before came to.
    last: Option<(Answer, Reply)>,
    tags: Tags,
    blessed: Vec<Block>,
    complaints: Vec<String>,
}

impl Stage {
    fn new(cases: Cases, mode: Mode) -> Result<Self, String> {
        let world = World::new(&cases.program);
        let home = tempfile::Builder::new().prefix("readstone-home-").tempdir().map_err(|error| error.to_string())?;
        let ground = Ground::new(world.path(), home.path());
        let (last, blessed, complaints) = (None, Vec::new(), Vec::new());
        let (site, toolbox, servers) = (None, None, None);
        let (memory, tags) = (Arc::<MemoryStore>::default(), Tags::default());
        Ok(Self { cases, mode, world, home, ground, site, memory, toolbox, servers, last, tags, blessed, complaints })
    }

    fn play(&mut self, block: &Block) -> Result<(), String> {
        match block.tag {
            Tag::File => {
                self.ground.write(&block.argument, block.body.as_bytes())?;
                self.ground.settle()
            }
            Tag::Site if self.toolbox.is_some() => Err("what is served must stand before the first call".to_owned()),
            Tag::Site => self.serve(&block.argument, &self.real(&block.body)),
            Tag::Make => {
                block.body.lines().try_for_each(|recipe| self.ground.make(recipe))?;
                self.ground.settle()
            }
            Tag::Config if self.toolbox.is_some() => Err("a configuration must stand before the first call".to_owned()),
            Tag::Config => self.ground.write("~/.config/readstone/config.toml", block.body.as_bytes()),
            Tag::Call => self.call(block),
            Tag::Reply | Tag::Fails => self.judge(block),
            Tag::Receipt => self.account(&block.body),
            Tag::Holds => self.hold(block),
            Tag::Tree => self.stand(&block.body),
            Tag::Gone => self.lack(&block.body),
            Tag::Text => Ok(()),
        }
    }

    /// Serves a text on loopback, which the page may then read.
    fn serve(&mut self, argument: &str, body: &str) -> Result<(), String> {
        let (path, kind) = argument.split_once(' ').ok_or("a site needs a path and a type")?;
        if self.site.is_none() {
            let site = Peer::start().map_err(|error| error.to_string())?;
            self.world.set("READSTONE_ALLOW_NET", site.address().to_string());
            self.site = Some(site);
        }
        let site = self.site.as_ref().ok_or("the site was just made")?;
        // A page may name its own site.
        let body = body.replace("{site}", site.url("").as_str());
        site.page(path, kind, body.as_bytes());
        Ok(())
    }

    fn call(&mut self, block: &Block) -> Result<(), String> {
        self.last = None;
        let said = self.tags.fill(&self.real(&block.body))?;
        let said = match (block.argument.as_str(), said.split_once('\n')) {
            ("escaped", Some((line, below))) => format!("{line}\n{}", escape::block(below)?),
            _ => said,
        };
        let call = Call::parse(&said)?;
        if self.toolbox.is_none() {
            self.toolbox = Some(driver::library(&self.world, self.home.path(), Arc::clone(&self.memory))?);
        }
        let (reply, made) = if call.changes() { self.change(&call)? } else { self.look(&call)? };
        // The library that follows offers knows what the page's own knows, which stays as the page shows it.
        let memory = Fork::of(Arc::clone(&self.memory));
        let followed = follow::all(&driver::library(&self.world, self.home.path(), Arc::new(memory))?, &call, &reply);
        let bounded = bounded(&call, &reply.text());
        made.and(bounded).and(followed).map_err(|what| self.shown(&what))
    }

    /// Makes a call through the library.
    fn ask(&mut self, call: &Call) -> Result<(Reply, Answer), String> {
        let toolbox = self.toolbox.as_ref().ok_or("the library was just made")?;
        let (reply, answer) = driver::ask(toolbox, call, self.cases.form);
        self.tags.learn(&answer.wire);
        self.last = Some((answer.clone(), reply.clone()));
        Ok((reply, answer))
    }

    /// Makes a call that changes nothing, twice and everywhere.
    fn look(&mut self, call: &Call) -> Result<(Reply, Result<(), String>), String> {
        let before = footprint::of(self.world.path())?;
        let (reply, answer) = self.ask(call)?;
        let (_, again) = self.ask(call)?;
        if again != answer {
            return Err(format!("a second call gives another answer\n{}", compare::diff(&answer.text, &again.text)));
        }
        let compared = Surface::ALL.into_iter().try_for_each(|surface| self.ask_on(surface, call, &reply, &answer));
        let changed = footprint::change(&before, &footprint::of(self.world.path())?);
        Ok((reply, compared.and(changed.map_or(Ok(()), Err))))
    }

    /// Makes a call that changes something, once and everywhere, each time in the world as it was before.
    fn change(&mut self, call: &Call) -> Result<(Reply, Result<(), String>), String> {
        let before = self.scene()?;
        let (reply, answer) = self.ask(call)?;
        let after = self.scene()?;
        let unmoved = call.is_trial() || matches!(reply.status, Status::Error(_));
        let moved = before.difference(&after, Times::Count).filter(|_| unmoved);
        let compared = Surface::ALL.into_iter().try_for_each(|surface| {
            before.put_back()?;
            self.ask_on(surface, call, &reply, &answer)?;
            let times = if unmoved { Times::Count } else { Times::Ignored };
            let wanted = if unmoved { &before } else { &after };
            let other = wanted.difference(&self.scene()?, times);
            other.map_or(Ok(()), |what| Err(format!("{} leaves another world: {what}", surface.name())))
        });
        after.put_back()?;
        self.ground.settle()?;
        Ok((reply, moved.map_or(Ok(()), |what| Err(format!("nothing was to be changed: {what}"))).and(compared)))
    }

    fn scene(&self) -> Result<Scene, String> {
        Scene::of(&[self.world.path(), self.home.path()])
    }

    /// Makes a call on a surface and says where its answer differs from the library's.
    fn ask_on(&mut self, surface: Surface, call: &Call, reply: &Reply, answer: &Answer) -> Result<(), String> {
        let (world, home) = (&self.world, self.home.path());
        let servers = self.servers.get_or_insert_with(|| Servers::start(world, home));
        match surface {
            Surface::Words => driver::words(world, home, call, reply),
            Surface::Data => driver::data(world, home, call, answer),
            Surface::Rest => servers.rest(call, reply, answer),
            Surface::Spoken => servers.spoken(call, reply, answer),
            Surface::Posted => servers.posted(call, reply, answer),
        }
    }

    fn judge(&mut self, block: &Block) -> Result<(), String> {
        let (answer, reply) = self.last.as_ref().ok_or("there is no call before this block")?;
        let code = code(reply);
        let wanted = (block.tag == Tag::Fails).then_some(block.argument.as_str());
        let text = self.shown(&answer.text);
        if code.is_some() != wanted.is_some() {
            let became = if code.is_some() { "failed" } else { "did not fail" };
            return Err(format!("the call {became}:\n{}", compare::diff("", &text)));
        }
        let escaped = block.argument == "escaped";
        let expected = if escaped { escape::block(&block.body)? } else { block.body.clone() };
        if expected == text && code == wanted {
            return Ok(());
        }
        if self.mode == Mode::Check {
            return Err(format!("the reply is another one\n{}", compare::diff(&expected, &text)));
        }
        let mut blessed = block.clone();
        let must_escape = code.is_none() && (escaped || escape::is_needed(&text));
        code.unwrap_or(if must_escape { "escaped" } else { "" }).clone_into(&mut blessed.argument);
        blessed.body = if must_escape { escape::escape(&text) } else { text };
        self.blessed.push(blessed);
        Ok(())
    }

    fn account(&self, body: &str) -> Result<(), String> {
        let (answer, _) = self.last.as_ref().ok_or("there is no call before this block")?;
        let wanted: Value = serde_json::from_str(&self.real(body)).map_err(|error| format!("no JSON: {error}"))?;
        let whole = ["targets", "found", "error", "tool"].iter().any(|name| wanted.get(name).is_some());
        let place = if whole { "/receipt" } else { "/receipt/targets/0" };
        let value = answer.wire.pointer(place).ok_or_else(|| format!("the reply has no {place}"))?;
        compare::lack(&wanted, value, "receipt").map_or(Ok(()), |what| Err(self.shown(&what)))
    }

    /// Compares the bytes of a file with those that the page spells.
    fn hold(&mut self, block: &Block) -> Result<(), String> {
        let bytes = recipe::read(&self.ground.place_of(&block.argument))?;
        if escape::block_bytes(&block.body)? == bytes {
            return Ok(());
        }
        let holds = escape::escape_bytes(&bytes);
        if self.mode == Mode::Check {
            return Err(format!("the file holds something else\n{}", compare::diff(&block.body, &holds)));
        }
        let mut blessed = block.clone();
        blessed.body = holds;
        self.blessed.push(blessed);
        Ok(())
    }

    fn lack(&self, body: &str) -> Result<(), String> {
        let there = body.lines().find(|path| self.ground.place_of(path).symlink_metadata().is_ok());
        there.map_or(Ok(()), |path| Err(format!("{path} is there")))
    }

    fn stand(&self, body: &str) -> Result<(), String> {
        let missing = body.lines().find(|path| self.ground.place_of(path).symlink_metadata().is_err());
        missing.map_or(Ok(()), |path| Err(format!("{path} is not there")))
    }

    /// A text of the page with the places it names by their marks.
    fn real(&self, text: &str) -> String {
        let path = |path: &Path| path.display().to_string();
        let text = text.replace("{root}", &path(self.world.path())).replace("{home}", &path(self.home.path()));
        self.site.as_ref().map_or(text.clone(), |site| text.replace("{site}", &site.url("")))
    }

    /// A reply as the page shows it: without the places of this run.
    fn shown(&self, text: &str) -> String {
        let path = |path: &Path| path.display().to_string();
        let text = text.replace(&path(self.world.path()), "{root}").replace(&path(self.home.path()), "{home}");
        self.site.as_ref().map_or(text.clone(), |site| text.replace(&site.url(""), "{site}"))
    }
}

/// The code of a failure: the call's own, or that of the first target when every one failed.
fn code(reply: &Reply) -> Option<&'static str> {
    let receipt = &reply.receipt;
    let target = || receipt.targets.iter().find_map(|target| target.error.as_ref());
    match reply.status {
        Status::Ok => None,
        Status::Error(_) => Some(receipt.error.as_ref().or_else(target).map_or("", |error| error.code)),
    }
}

/// A reply keeps within the tokens that its call allows.
fn bounded(call: &Call, text: &str) -> Result<(), String> {
    let Some(most) = call.input.get("max_tokens").and_then(Value::as_u64) else {
        return Ok(());
    };
    let tokens = estimate_tokens(text);
    // An error is short, whatever the call allowed.
    if tokens <= most.max(64) { Ok(()) } else { Err(format!("the reply has {tokens} tokens, more than {most}")) }
}
