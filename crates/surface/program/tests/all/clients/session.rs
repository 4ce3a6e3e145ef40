//! A client of the official Rust kit under any name, and the program at the other end of its pipes.

use std::process::Stdio;

use readstone_testkit::World;
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest, Implementation,
    ListToolsRequest, ProtocolVersion, RequestMetaObject,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, PeerRequestOptions, RunningService};
use serde_json::Value;
use tokio::process::{Child, Command};

/// How a client tells its name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Way {
    /// Once, in `initialize`.
    Initialize,
    /// In the `_meta` of each request, as revision 2026-07-28 demands.
    EachRequest,
}

/// A running server and its client.
pub(crate) struct Session {
    client: RunningService<RoleClient, ClientConfig>,
    way: Way,
    _server: Child,
}

impl Session {
    /// Starts a server. In the newer way the name given here is only that of the first look at the server.
    pub(crate) async fn open(world: &World, arguments: &[&str], way: Way, name: &str) -> Self {
        let mut command = world.command();
        command.arg("mcp").args(arguments);
        let mut command = Command::from(command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut server = command.spawn().unwrap();
        let pipes = (server.stdout.take().unwrap(), server.stdin.take().unwrap());
        let config = ClientConfig::new(ClientCapabilities::default(), Implementation::new(name, "1.0"))
            .with_protocol_version(ProtocolVersion::V_2025_06_18);
        let lifecycle = match way {
            Way::Initialize => ClientLifecycleMode::Initialize,
            Way::EachRequest => {
                ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
            }
        };
        let client = config.serve_with_lifecycle(pipes, lifecycle).await.unwrap();
        Self { client, way, _server: server }
    }

    /// How the client tells its name.
    pub(crate) fn way(&self) -> Way {
        self.way
    }

    /// Makes a request under a name.
    async fn request(&self, name: &str, request: ClientRequest) -> Result<Value, String> {
        let mut options = PeerRequestOptions::no_options();
        if self.way == Way::EachRequest {
            let mut meta = RequestMetaObject::default();
            meta.set_client_info(Implementation::new(name, "1.0"));
            options = options.with_meta(meta);
        }
        let sent = self.client.send_cancellable_request(request, options).await.map_err(|error| error.to_string())?;
        let answer = sent.await_response().await.map_err(|error| error.to_string())?;
        serde_json::to_value(answer).map_err(|error| error.to_string())
    }

    /// The tools on offer.
    pub(crate) async fn tools(&self, name: &str) -> Vec<Value> {
        let listed = self.request(name, ClientRequest::ListToolsRequest(ListToolsRequest::default())).await.unwrap();
        listed["tools"].as_array().unwrap().clone()
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, name: &str, tool: &'static str, input: &Value) -> Result<Value, String> {
        let params = CallToolRequestParams::new(tool).with_arguments(input.as_object().unwrap().clone());
        self.request(name, ClientRequest::CallToolRequest(CallToolRequest::new(params))).await
    }
}
