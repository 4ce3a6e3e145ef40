//! The protocol's requests, each answered by the desk.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use readstone_base::{Reply, TargetError, escape_name};
use readstone_desk::{Desk, Errand, Receipts, Which};
use readstone_tools::Effect;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestMethod, CompleteRequestParams, CompleteResult,
    CompletionInfo, ConstString, CustomRequest, CustomResult, ErrorCode, Implementation, JsonObject,
    ListPromptsRequestMethod, ListPromptsResult, ListResourceTemplatesRequestMethod, ListResourceTemplatesResult,
    ListResourcesRequestMethod, ListResourcesResult, ListToolsResult, LoggingLevel, PaginatedRequestParams,
    ProtocolVersion, ReadResourceRequestMethod, ReadResourceRequestParams, ReadResourceResponse, Resource,
    ResourceTemplate, ServerCapabilities, ServerConfig, SetLevelRequestMethod, SetLevelRequestParams, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use crate::roots::{Finder, NoDirectory, SANDBOX};
use crate::stdio::StdioSession;
use crate::{caller, content, watch};

/// One client's server.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    desk: Arc<Desk>,
    tools: Arc<[Tool]>,
    /// Finds the desk for a call, where the operator named no directory.
    finder: Option<Arc<Finder>>,
    /// The session of requests whose transport names none.
    session: String,
    /// True when the `_meta` of a request can name the session. Only the single client on standard input can do that.
    sessions_of_client: bool,
    /// The least level of what the client wants to hear.
    level: Arc<Mutex<Option<LoggingLevel>>>,
    /// What a client changes it changes one after another, in the order it asked.
    turns: Arc<tokio::sync::Mutex<()>>,
}

/// When and how to use the tools of the default profile; the descriptions of the other profiles say all there is to say.
/// Some clients repeat this for every tool, so it is short.
const INSTRUCTIONS: &str = "Readstone reads files of any kind and size in bounded pages. Use these tools instead of your \
    own (Read, Grep, cat) for files over 2,000 lines, logs, other encodings, archives, PDF and Office documents, pictures, \
    SQLite databases and notebooks. A reply that shows a part ends with `next:` and the call that shows what follows; an \
    error that another call can mend names it.";

/// What the instructions add for each tool that is on offer.
const TOOLS: [(&str, &str); 5] = [
    ("find", " `find` gives paths by glob; `read` opens every path that it shows."),
    ("search", " `search` gives lines by regular expression, and counts what it did not search."),
    (
        "edit",
        " `edit` changes lines under the tag of a reply that showed them: show them with these tools, not your own.",
    ),
    ("write", " `write` makes files."),
    ("undo", " `undo` takes the last change back."),
];

/// The methods that this server knows.
const METHODS: [&str; 8] = [
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "completion/complete",
    "logging/setLevel",
    "initialize",
];

/// Those that the newest revision has not.
const GONE: [&str; 2] = ["logging/setLevel", "initialize"];

/// In the `_meta` of a request: whether the reply comes with the receipt for programs.
const RECEIPT: &str = "readstone/receipt";

/// Files by their path; a selector may follow.
const TEMPLATE: &str = "file:///{+path}";

impl Server {
    pub(crate) fn new(desk: Arc<Desk>, session: String) -> Self {
        let tools = desk.tools().iter().map(|info| content::tool(info, desk.access())).collect();
        let (finder, sessions_of_client) = (None, false);
        Self { desk, tools, finder, session, sessions_of_client, level: Arc::default(), turns: Arc::default() }
    }

    /// A server for the one client on standard input and output.
    pub(crate) fn on_stdio(desk: Arc<Desk>, finder: Option<Finder>, session: StdioSession) -> Self {
        let StdioSession { name, chosen } = session;
        Self { finder: finder.map(Arc::new), sessions_of_client: !chosen, ..Self::new(desk, name) }
    }

    /// The same server for a client that has not said anything yet.
    pub(crate) fn afresh(&self) -> Self {
        Self { level: Arc::default(), turns: Arc::default(), ..self.clone() }
    }

    /// Makes a call on behalf of a request: its progress is told, and it stops when the request is cancelled.
    async fn call(&self, which: Which, input: Value, context: &RequestContext<RoleServer>) -> Result<Reply, ErrorData> {
        let Some(desk) = self.desk_for(context).await else {
            return Ok(self.without_directory(&which, context));
        };
        let session = self.session_for(context);
        let tool = match &which {
            Which::Named(name) => name.clone(),
            Which::Read | Which::LineRead => "read".to_owned(),
        };
        let client = desk.client_limits(&caller::name_of_client(context));
        let token = context.meta.get_progress_token();
        let changes = self.desk.tools().iter().any(|known| known.name == tool && known.effect == Effect::Writes);
        let cancelled = || Err(ErrorData::internal_error("the request was cancelled", None));
        let turn = async { if changes { Some(self.turns.lock().await) } else { None } };
        let turn = tokio::select! {
            turn = turn => turn,
            () = context.ct.cancelled() => return cancelled(),
        };
        // The time of those before it is not its own.
        let budget = desk.budget();
        let call = async {
            let _turn = turn;
            desk.call(Errand { session, tool: which, input, client }, budget.clone()).await
        };
        let reply = tokio::select! {
            reply = call => reply,
            () = context.ct.cancelled() => return cancelled(),
            () = watch::progress(&context.peer, token, &tool, &budget) => return Err(unheard()),
        };
        watch::log(&context.peer, self.level_of(context), &reply).await;
        Ok(reply)
    }

    /// Resources are read by `read`: where that is not on offer, neither are they.
    fn has<Method: ConstString>(&self) -> Result<(), ErrorData> {
        if self.desk.reads_anything() { Ok(()) } else { Err(ErrorData::method_not_found::<Method>()) }
    }

    /// The desk for a request; `None` when no directory is known to work in.
    async fn desk_for(&self, context: &RequestContext<RoleServer>) -> Option<Arc<Desk>> {
        match &self.finder {
            Some(finder) => finder.desk(context).await,
            None => Some(Arc::clone(&self.desk)),
        }
    }

    /// The session of a request, named by the transport, else by the client, else by this server.
    fn session_for(&self, context: &RequestContext<RoleServer>) -> String {
        let of_client = || caller::session_of_client(context).filter(|_| self.sessions_of_client);
        caller::session_of_transport(context).or_else(of_client).unwrap_or_else(|| self.session.clone())
    }

    /// The reply when no directory is known: what to add to which configuration.
    fn without_directory(&self, which: &Which, context: &RequestContext<RoleServer>) -> Reply {
        let advice =
            self.finder.as_ref().map(|finder| finder.advice(&caller::name_of_client(context))).unwrap_or_default();
        let tool = self.desk.tools().iter().find(|tool| matches!(which, Which::Named(name) if name == tool.name));
        let tool = tool.map_or("read", |tool| tool.name);
        readstone_render::failure(tool, TargetError::of(&NoDirectory(advice)))
    }

    /// Receipts for a request: it can ask for them, and so can the operator for all requests.
    fn receipts(&self, context: &RequestContext<RoleServer>) -> Receipts {
        let asked = context.meta.get(RECEIPT).is_some_and(|asked| asked == &Value::Bool(true));
        if asked { Receipts::Included } else { self.desk.receipts() }
    }

    fn level_of(&self, context: &RequestContext<RoleServer>) -> Option<LoggingLevel> {
        let set = *self.level.lock().unwrap_or_else(PoisonError::into_inner);
        context.meta.log_level().or(set)
    }
}

/// The progress of a call is told for ever; this only satisfies the compiler.
fn unheard() -> ErrorData {
    ErrorData::internal_error("the call was left", None)
}

/// Where paths lead.
fn places(roots: &[PathBuf]) -> String {
    match roots {
        [] => String::new(),
        [root] => {
            let root = escape_name(root.as_os_str());
            format!(" Paths are relative to the root {root}; `.` is the root itself.")
        }
        several => {
            let named: Vec<String> = several.iter().map(|root| escape_name(root.as_os_str())).collect();
            format!(
                " The roots are {}: a relative path is that of the first that has it, and `find` and `search` start in the \
                 first unless they are given another.",
                named.join(", ")
            )
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let reads = self.desk.reads_anything();
        let all = ServerCapabilities::builder().enable_tools().enable_resources().enable_completions().enable_logging();
        let mut capabilities = all.build();
        capabilities.resources = capabilities.resources.filter(|_| reads);
        capabilities.completions = capabilities.completions.filter(|_| reads);
        if self.finder.is_some() {
            let sandbox = BTreeMap::from([(SANDBOX.to_owned(), JsonObject::new())]);
            capabilities.experimental = Some(sandbox);
        }
        let own = Implementation::new("readstone", env!("CARGO_PKG_VERSION")).with_title("Readstone");
        let config = ServerConfig::new(capabilities).with_server_info(own);
        if !reads {
            return config;
        }
        let has = |name: &str| self.tools.iter().any(|tool| tool.name == name);
        let tools = TOOLS.iter().filter(|(name, _)| has(name)).map(|(_, about)| *about).collect::<String>();
        config.with_instructions(format!("{INSTRUCTIONS}{tools}{}", places(&self.desk.roots())))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        only_page(page)?;
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if self.tools.iter().all(|tool| tool.name != request.name) {
            let names = self.tools.iter().map(|tool| tool.name.to_string()).collect();
            let unknown = readstone_tools::Error::UnknownTool { name: request.name.into_owned(), names };
            return Err(ErrorData::invalid_params(unknown.to_string(), None));
        }
        let input = Value::Object(request.arguments.unwrap_or_default());
        let reply = self.call(Which::Named(request.name.into_owned()), input, &context).await?;
        Ok(content::result(reply, self.receipts(&context)).into())
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.has::<ListResourcesRequestMethod>()?;
        only_page(page)?;
        let roots = self.desk_for(&context).await.map(|desk| desk.roots()).unwrap_or_default();
        let root = |path: &std::path::PathBuf| {
            let name = path.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned());
            Resource::new(file_uri(path), name)
                .with_description("The tree of a directory in which files are read")
                .with_mime_type("text/plain")
        };
        Ok(ListResourcesResult::with_all_items(roots.iter().map(root).collect()))
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.has::<ListResourceTemplatesRequestMethod>()?;
        only_page(page)?;
        let template = ResourceTemplate::new(TEMPLATE, "file")
            .with_title("A file or a directory")
            .with_description("A page of what lies at this path; a part may follow, such as :50-80, :-20 or :raw")
            .with_mime_type("text/plain");
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.has::<ReadResourceRequestMethod>()?;
        let reply = self.call(Which::Read, json!({ "path": request.uri }), &context).await?;
        content::resource(&request.uri, &reply).map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.has::<CompleteRequestMethod>()?;
        let template = matches!(&request.r#ref, rmcp::model::Reference::Resource(named) if named.uri == TEMPLATE);
        if !template || request.argument.name != "path" {
            return Ok(CompleteResult::default());
        }
        let Some(desk) = self.desk_for(&context).await else {
            return Ok(CompleteResult::default());
        };
        // The template's path stands behind the slash that begins it.
        let typed = format!("/{}", request.argument.value);
        let found = desk.complete(typed.clone(), CompletionInfo::MAX_VALUES).await;
        let found = found.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let roots = desk.roots().into_iter().map(|root| format!("{}/", root.display()));
        let mut values: Vec<String> = roots.filter(|root| root.starts_with(&typed) && *root != typed).collect();
        let total = values.len() + found.total;
        values.extend(found.values);
        values.truncate(CompletionInfo::MAX_VALUES);
        let more = total > values.len();
        let values = values.iter().map(|value| value.trim_start_matches('/').to_owned()).collect();
        let info = CompletionInfo::with_pagination(values, u32::try_from(total).ok(), more);
        info.map(CompleteResult::new).map_err(|what| ErrorData::internal_error(what, None))
    }

    /// The kit hands over what it does not know and what it cannot read; the second deserves another answer.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let gone = is_newest(&context) && GONE.contains(&request.method.as_str());
        if METHODS.contains(&request.method.as_str()) && !gone {
            return Err(ErrorData::invalid_params(format!("the parameters do not fit {}", request.method), None));
        }
        let what = format!("there is no method {}", request.method);
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, what, None))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        if let Some(finder) = &self.finder {
            finder.ask_again().await;
        }
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if is_newest(&context) {
            return Err(ErrorData::method_not_found::<SetLevelRequestMethod>());
        }
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = Some(request.level);
        Ok(())
    }
}

/// Lists come on one page; there is no other.
fn only_page(page: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match page.and_then(|page| page.cursor) {
        Some(_) => Err(ErrorData::invalid_params("there is no such page; leave the cursor out", None)),
        None => Ok(()),
    }
}

/// Whether a request is of the revision without sessions, or a later one.
fn is_newest(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// A directory as a URI.
fn file_uri(path: &std::path::Path) -> String {
    use std::fmt::Write as _;
    use std::os::unix::ffi::OsStrExt as _;
    let mut uri = String::from("file://");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(*byte)),
            // Writing to a String cannot fail.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    if !uri.ends_with('/') {
        uri.push('/');
    }
    uri
}
