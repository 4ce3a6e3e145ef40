//! Cases: Markdown pages whose blocks are run on every surface.
//!
//! `cases/README.md` describes the form of a page. A page is one world; its blocks run in order, and every call is
//! made through the library twice, through the command line twice, and once each over REST and over both transports of
//! MCP, all of which must agree.

mod call;
mod compare;
mod driver;
mod escape;
mod follow;
mod footprint;
mod pack;
mod page;
mod recipe;
mod servers;

use std::path::{Path, PathBuf};

use readstone_base::{Reply, Status, estimate_tokens};
use readstone_tools::Toolbox;
use serde_json::Value;
use tempfile::TempDir;

use crate::peer::Peer;
use crate::world::World;
use call::Call;
use driver::Answer;
use page::{Block, Page, Tag};
use recipe::Ground;
use servers::Servers;

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
    /// The library, from the first call on.
    toolbox: Option<Toolbox>,
    /// The servers, from the first call on.
    servers: Option<Servers>,
    /// What the call just before came to.
    last: Option<(Answer, Reply)>,
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
        Ok(Self { cases, mode, world, home, ground, site, toolbox, servers, last, blessed, complaints })
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
            Tag::Call => self.call(&block.body),
            Tag::Reply | Tag::Fails => self.judge(block),
            Tag::Receipt => self.account(&block.body),
            Tag::Tree => self.stand(&block.body),
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

    fn call(&mut self, line: &str) -> Result<(), String> {
        self.last = None;
        let call = Call::parse(&self.real(line))?;
        let (root, home) = (self.world.path(), self.home.path());
        if self.toolbox.is_none() {
            self.toolbox = Some(driver::library(&self.world, home)?);
        }
        let toolbox = self.toolbox.as_ref().ok_or("the library was just made")?;
        let before = footprint::of(root)?;
        let (reply, answer) = driver::ask(toolbox, &call, self.cases.form);
        self.last = Some((answer.clone(), reply.clone()));
        let (_, again) = driver::ask(toolbox, &call, self.cases.form);
        if again != answer {
            return Err(format!("a second call gives another answer\n{}", compare::diff(&answer.text, &again.text)));
        }
        let compared = driver::compare(&self.world, home, &call, &reply, &answer);
        let servers = self.servers.get_or_insert_with(|| Servers::start(&self.world, home));
        let served = servers.compare(&call, &reply, &answer);
        // The library that follows offers has its own memory, so that the page's own stays what the page shows.
        let followed = follow::all(&driver::library(&self.world, home)?, &call, &reply);
        let changed = footprint::change(&before, &footprint::of(root)?);
        let bounded = bounded(&call, &answer.text);
        compared
            .and(served)
            .and(bounded)
            .and(followed)
            .and(changed.map_or(Ok(()), Err))
            .map_err(|what| self.shown(&what))
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

    fn stand(&self, body: &str) -> Result<(), String> {
        let missing = body.lines().find(|path| self.world.path().join(path).symlink_metadata().is_err());
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
