//! MCP clients: how much of a reply each of them hands to its model.

use std::collections::BTreeMap;

use readstone_base::{ClientLimits, LARGEST_REPLY_BYTES, ReplySize};
use toml::Value;

/// One row of the table of clients.
#[derive(Clone, Copy, Debug)]
pub struct KnownClient {
    /// The name that the client gives itself (`clientInfo.name`); with a `*` at its end, the beginning of the name.
    pub name: &'static str,
    /// How much of a reply it takes.
    pub limits: ClientLimits,
    /// The measurement or the source that shows it.
    pub evidence: &'static str,
}

const KILOBYTE: u64 = 1_000;

/// A client that takes this number of bytes and rows of text.
const fn takes(bytes: u64, rows: u64) -> ClientLimits {
    let reply = ReplySize { bytes, rows, json: u64::MAX };
    ClientLimits { reply, range_bytes: bytes, picture_bytes: u64::MAX, pictures: true }
}

/// The same client, which also limits the reply as JSON.
const fn takes_json(json: u64, limits: ClientLimits) -> ClientLimits {
    ClientLimits { reply: ReplySize { json, ..limits.reply }, ..limits }
}

/// The same client, whose model sees no pictures or receives their bytes as text.
const fn without_pictures(limits: ClientLimits) -> ClientLimits {
    ClientLimits { pictures: false, ..limits }
}

/// The limits of a client that is not in the table.
const USUAL: ClientLimits = takes(36 * KILOBYTE, 1_900);
const ANY_ROWS: u64 = u64::MAX;

/// The table of clients. The first row whose name fits decides.
pub const KNOWN_CLIENTS: &[KnownClient] = &[
    KnownClient {
        name: "readstone-*",
        limits: ClientLimits::NONE,
        evidence: "our own client, tests and benches: the limits of the library",
    },
    KnownClient {
        name: "claude-code",
        limits: ClientLimits {
            // The tools declare it, and Claude Code then takes it.
            range_bytes: LARGEST_REPLY_BYTES,
            picture_bytes: 700 * KILOBYTE,
            ..takes(36 * KILOBYTE, ANY_ROWS)
        },
        evidence: "measured with 2.1.327: 49,810 whole, 139,016 with anthropic/maxResultSizeChars; https://github.com/anthropics/claude-code/issues/79944",
    },
    KnownClient {
        name: "claude-ai",
        limits: ClientLimits { picture_bytes: 700 * KILOBYTE, ..takes(36 * KILOBYTE, ANY_ROWS) },
        evidence: "https://github.com/anthropics/claude-code/issues/66519: 1 MB a result, base64 included",
    },
    KnownClient {
        name: "codex-mcp-client",
        limits: takes_json(38 * KILOBYTE, takes(36 * KILOBYTE, ANY_ROWS)),
        evidence: "measured with 0.169.0: 47,836 of text, 38,704 of JSON in code mode; https://github.com/openai/codex/issues/14466",
    },
    KnownClient {
        name: "Codex",
        limits: takes_json(38 * KILOBYTE, takes(36 * KILOBYTE, ANY_ROWS)),
        evidence: "as codex-mcp-client",
    },
    KnownClient {
        name: "Visual Studio Code*",
        limits: takes(8 * KILOBYTE, ANY_ROWS),
        evidence: "8,192 characters a block: setting largeToolResultsToDisk; https://github.com/microsoft/vscode/issues/290063",
    },
    KnownClient {
        name: "copilot-cli",
        limits: without_pictures(takes(19 * KILOBYTE, ANY_ROWS)),
        evidence: "measured with 1.0.102: 19,804 whole, 20,704 spilled, pictures lost; https://github.com/github/copilot-cli/issues/4515",
    },
    KnownClient {
        name: "github-copilot-developer",
        limits: takes(8 * KILOBYTE, ANY_ROWS),
        evidence: "https://github.com/microsoft/vscode/pull/329276",
    },
    KnownClient {
        name: "gemini-cli-mcp-client*",
        limits: takes(36 * KILOBYTE, ANY_ROWS),
        evidence: "measured with 0.61.0: 38,704 whole, cut at 40,000; https://github.com/google-gemini/gemini-cli, utils/fileUtils.ts",
    },
    KnownClient {
        name: "qwen-cli-mcp-client*",
        limits: takes(26 * KILOBYTE, ANY_ROWS),
        evidence: "measured with 0.24.4: 27,004 whole, 29,884 spilled; https://github.com/QwenLM/qwen-code, tools/mcp-tool.ts",
    },
    KnownClient { name: "qwen-code*", limits: takes(26 * KILOBYTE, ANY_ROWS), evidence: "as qwen-cli-mcp-client" },
    KnownClient {
        name: "opencode",
        limits: takes(50 * KILOBYTE, 1_950),
        evidence: "measured with 1.18.33: 2,000 lines or 51,200 bytes; https://github.com/anomalyco/opencode, tool/truncate.ts",
    },
    KnownClient { name: "kilo", limits: takes(50 * KILOBYTE, 1_950), evidence: "measured with 7.7.7, as opencode" },
    KnownClient {
        name: "goose*",
        limits: takes(100 * KILOBYTE, ANY_ROWS),
        evidence: "measured with 1.34.0: 139,016 whole; https://github.com/block/goose, agents/large_response_handler.rs",
    },
    KnownClient {
        name: "kimi-code",
        limits: takes(48 * KILOBYTE, ANY_ROWS),
        evidence: "measured with 2.1.0: 49,810 whole, 50,656 cut; https://github.com/MoonshotAI/kimi-code/pull/3234",
    },
    KnownClient {
        name: "Zed",
        limits: takes(100 * KILOBYTE, ANY_ROWS),
        evidence: "no cut in its source; https://github.com/zed-industries/zed, agent/src/tools/context_server_registry.rs",
    },
    KnownClient {
        name: "@cline/core",
        limits: without_pictures(takes_json(7 * KILOBYTE, takes(7 * KILOBYTE, ANY_ROWS))),
        evidence: "measured with 3.0.65: 8,000 characters of the JSON of the whole result; https://github.com/cline/cline, sdk/packages/core",
    },
    KnownClient {
        name: "Cline",
        limits: without_pictures(takes_json(36 * KILOBYTE, takes(36 * KILOBYTE, ANY_ROWS))),
        evidence: "the whole result as JSON, pictures lost; https://github.com/cline/cline, McpHub.ts",
    },
    KnownClient {
        name: "continue-cli-client",
        limits: without_pictures(USUAL),
        evidence: "measured with 1.5.47: pictures arrive as base64 text; https://github.com/continuedev/continue",
    },
    KnownClient {
        name: "continue-client",
        limits: without_pictures(USUAL),
        evidence: "a picture is an error; https://github.com/continuedev/continue, core/tools/callTool.ts",
    },
    KnownClient { name: "*", limits: USUAL, evidence: "fits every client that was measured, but for those above" },
];

/// The table `[clients]` of a configuration, which overrules the built-in one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clients {
    own: BTreeMap<String, OwnClient>,
}

/// The numbers that a configuration sets for one client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct OwnClient {
    reply_bytes: Option<u64>,
    reply_rows: Option<u64>,
    reply_json: Option<u64>,
    range_bytes: Option<u64>,
    picture_bytes: Option<u64>,
    pictures: Option<bool>,
}

/// The least and the most that a number for a client may be.
const BYTES: (u64, u64) = (1_000, 4 * 1024 * 1024);
const ROWS: (u64, u64) = (20, 100_000);

impl Clients {
    /// The limits of a client with this name.
    pub fn limits(&self, name: &str) -> ClientLimits {
        let known = KNOWN_CLIENTS.iter().find(|known| fits(known.name, name)).map_or(USUAL, |known| known.limits);
        let own = self.own.iter().filter(|(own, _)| fits(own, name)).max_by_key(|(own, _)| rank(own));
        own.map_or(known, |(_, own)| own.over(known))
    }

    /// The names of the table in its order, then those that only the configuration has.
    pub fn names(&self) -> Vec<&str> {
        let known = KNOWN_CLIENTS.iter().map(|known| known.name);
        let own = self.own.keys().map(String::as_str).filter(|own| known.clone().all(|known| known != *own));
        known.clone().chain(own).collect()
    }

    /// The setting as it is written in the configuration file.
    pub(crate) fn value(&self) -> String {
        let one = |(name, own): (&String, &OwnClient)| format!("{name:?} = {own}");
        match self.own.iter().map(one).collect::<Vec<_>>().join(", ") {
            list if list.is_empty() => "{}".to_owned(),
            list => format!("{{ {list} }}"),
        }
    }

    /// Takes the table `[clients]` of a configuration.
    pub(crate) fn set(&mut self, table: toml::Table) -> Result<(), String> {
        let own = |(name, value): (String, Value)| Ok((name.clone(), OwnClient::of(&name, value)?));
        self.own = table.into_iter().map(own).collect::<Result<_, String>>()?;
        Ok(())
    }
}

/// True when a name of the table fits the name of a client.
fn fits(row: &str, client: &str) -> bool {
    row.strip_suffix('*').map_or(row == client, |beginning| client.starts_with(beginning))
}

/// Sorts the names of a configuration by how exact they are: whole names first, then longer beginnings.
fn rank(name: &str) -> (bool, usize) {
    (!name.ends_with('*'), name.len())
}

impl OwnClient {
    fn of(client: &str, value: Value) -> Result<Self, String> {
        let Value::Table(fields) = value else {
            return Err(format!("clients.{client:?} must be a table such as {{ reply_bytes = 20000 }}"));
        };
        let mut own = Self::default();
        for (field, value) in fields {
            let wrong = |what: &str| format!("clients.{client:?}: {field} {what}");
            let number = |(least, most): (u64, u64)| {
                let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
                let number = number.filter(|number| (least..=most).contains(number));
                number.ok_or_else(|| wrong(&format!("must be a number from {least} to {most}")))
            };
            match field.as_str() {
                "reply_bytes" => own.reply_bytes = Some(number(BYTES)?),
                "reply_rows" => own.reply_rows = Some(number(ROWS)?),
                "reply_json" => own.reply_json = Some(number(BYTES)?),
                "range_bytes" => own.range_bytes = Some(number(BYTES)?),
                "picture_bytes" => own.picture_bytes = Some(number(BYTES)?),
                "pictures" => own.pictures = Some(value.as_bool().ok_or_else(|| wrong("must be true or false"))?),
                _ => {
                    let known = "reply_bytes, reply_rows, reply_json, range_bytes, picture_bytes and pictures";
                    return Err(wrong(&format!("is not a setting of a client; there are {known}")));
                }
            }
        }
        Ok(own)
    }

    /// The limits of the table, with these numbers instead.
    fn over(self, known: ClientLimits) -> ClientLimits {
        let reply = ReplySize {
            bytes: self.reply_bytes.unwrap_or(known.reply.bytes),
            rows: self.reply_rows.unwrap_or(known.reply.rows),
            json: self.reply_json.unwrap_or(known.reply.json),
        };
        // A client without a limit of its own for ranges has the same limit for pages and ranges.
        let ranges = if known.range_bytes > known.reply.bytes { known.range_bytes } else { reply.bytes };
        ClientLimits {
            reply,
            range_bytes: self.range_bytes.unwrap_or(ranges),
            picture_bytes: self.picture_bytes.unwrap_or(known.picture_bytes),
            pictures: self.pictures.unwrap_or(known.pictures),
        }
    }
}

impl std::fmt::Display for OwnClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numbers = [
            ("reply_bytes", self.reply_bytes),
            ("reply_rows", self.reply_rows),
            ("reply_json", self.reply_json),
            ("range_bytes", self.range_bytes),
            ("picture_bytes", self.picture_bytes),
        ];
        let numbers = numbers.into_iter().filter_map(|(name, number)| Some(format!("{name} = {}", number?)));
        let pictures = self.pictures.map(|pictures| format!("pictures = {pictures}"));
        write!(f, "{{ {} }}", numbers.chain(pictures).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str) -> Result<Clients, String> {
        let mut clients = Clients::default();
        clients.set(text.parse::<toml::Table>().unwrap()).map(|()| clients)
    }

    #[test]
    fn a_client_has_the_limits_of_its_row_and_an_unknown_one_the_usual_ones() {
        let clients = Clients::default();
        assert_eq!(clients.limits("copilot-cli").reply.bytes, 19_000);
        assert_eq!(clients.limits("Visual Studio Code - Insiders").reply.bytes, 8_000);
        assert_eq!(clients.limits("qwen-cli-mcp-client-readstone").reply.bytes, 26_000);
        assert_eq!(clients.limits("goose-desktop").reply.bytes, 100_000);
        assert_eq!(clients.limits("readstone-bench"), ClientLimits::NONE);
        for unknown in ["", "opencode2", "Claude-Code", "readstone"] {
            assert_eq!(clients.limits(unknown), USUAL, "{unknown}");
        }
        assert_eq!(clients.limits("claude-code").wide().bytes, 200_000);
        assert_eq!(clients.limits("opencode").wide().bytes, 50_000);
    }

    #[test]
    fn a_configuration_overrules_the_table_and_the_most_exact_name_wins() {
        let clients = with(
            "'copilot-*' = { reply_bytes = 12000 }\n'copilot-cli' = { reply_bytes = 15000, pictures = true }\n\
             '*' = { reply_rows = 500 }\n'claude-code' = { reply_bytes = 20000 }",
        )
        .unwrap();
        let copilot = clients.limits("copilot-cli");
        assert_eq!((copilot.reply.bytes, copilot.range_bytes, copilot.pictures), (15_000, 15_000, true));
        assert_eq!(clients.limits("copilot-web").reply.bytes, 12_000);
        assert_eq!(clients.limits("unknown").reply, ReplySize { bytes: 36_000, rows: 500, json: u64::MAX });
        assert_eq!(clients.names()[KNOWN_CLIENTS.len()..], ["copilot-*"]);
        assert_eq!(clients.limits("claude-code").range_bytes, 200_000);
        assert_eq!(
            with(&format!("a = {}", with("a = { reply_json = 9000 }").unwrap().own["a"])),
            with("a = { reply_json = 9000 }")
        );
    }

    #[test]
    fn a_number_that_cannot_be_is_refused_with_its_place() {
        for (text, why) in [
            ("a = { reply_bytes = 10 }", "clients.\"a\": reply_bytes must be a number from 1000"),
            ("a = { reply_bytes = '9000' }", "must be a number"),
            ("a = { pictures = 1 }", "must be true or false"),
            ("a = { bytes = 9000 }", "bytes is not a setting of a client"),
            ("a = 5", "must be a table"),
        ] {
            let refused = with(text).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}
