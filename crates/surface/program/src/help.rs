//! Help: what each command says behind its options, examples first of all.

/// What each command is for.
macro_rules! examples {
    () => {
        "\
  readstone read src/lib.rs              the file, numbered, with its tag
  readstone read big.log:-50             the last 50 lines
  readstone read src/lib.rs:40-80        lines 40 to 80 with a little context
  readstone read .                       the tree of this directory
  readstone find '*.rs'                  paths, newest first
  readstone search 'fn main' src         lines that match, with their files' tags
  readstone edit patch.txt               change lines by their numbers, under a tag
  readstone write notes.md < draft.md    make or replace a whole file
  readstone undo                         take the last change back
  readstone read readstone://            the manual"
    };
}

pub(crate) const EXAMPLES: &str = examples!();

pub(crate) const PROGRAM: &str = concat!(
    "Examples:\n",
    examples!(),
    "

Exit codes: 0 done, 1 nothing found, 2 a wrong call, 3 missing, 4 denied, 5 too big, 6 stale,
7 broken, 8 the system or another machine failed, 9 stopped, 70 a bug."
);

pub(crate) const READ: &str = "\
Addresses:
  path                a file or a directory; / alone is the working root, - is standard input
  path:N  path:N-     from line N on             path:A-B  path:A+C   lines A to B, C lines from A
  path:5-9,40-60      several ranges             path:-N              the last N lines
  path:N:C            around a place in a trace  path:bS+C            C bytes from byte S, as lines
  path:outline        what is declared           path:@name           one declaration or section
  path:^N             the block around line N    path#TAG             what changed since that tag
  path:raw            verbatim, also of a range  path:hex             bytes
  path:conflicts      merge conflicts            path:source          the source, unconverted
  dir:outline         what its files declare     dir:all              with what .gitignore hides
  a.zip:dir/file      an entry of an archive     x.ipynb:cell3        a cell of a notebook
  x.db:table:KEY      a row of a database        'x.db?q=SELECT ...'  a query
  x.pdf:p3-5          pages or slides            x.xlsx:Sheet1        a sheet
  x.png:crop=X,Y,W,H  a part of a picture        x.png:info           what it is
  'x.csv?limit=20'    rows of a table            x.json:/a/0          a value
  https://host/page   a web page as text         readstone://         the manual

Quote addresses with ?, &, *, # or blanks for the shell.
readstone read readstone://addresses.md shows every form of an address.

Examples:
  readstone read notes.txt
  readstone read report.pdf:p3-5
  readstone read src/main.rs:10-40 src/lib.rs:1-20
  readstone read data.csv --start-byte 500000 --max-bytes 65536
  readstone read app.log:-200 --max-tokens 4000 --json
  git diff | readstone read -";

pub(crate) const FIND: &str = "\
A glob without a slash finds names at any depth; others start where they say: src/**/*.ts.
A directory stands for all it holds. Exit code 1: nothing was found.

Examples:
  readstone find '*.rs'
  readstone find 'src/**/*.{ts,tsx}' docs --no-hidden
  readstone find . --no-gitignore --limit 20 --skip 20";

pub(crate) const SEARCH: &str = "\
PATTERN is a regular expression in Rust syntax; it matches within lines unless it holds \\n.
A PATH is a file, a directory, a glob or another address: report.pdf, a.zip:src, shop.db:users.
Exit code 1: nothing matched.

Examples:
  readstone search 'fn main'
  readstone search -i todo src docs 'lib/**/*.ts'
  readstone search panic src/main.rs:50-100
  readstone search -e --json docs        a pattern that begins with a dash";

pub(crate) const EDIT: &str = "\
A patch has a header for each file, as read showed it, and operations on lines of that version.
Rows that begin with + are the new lines.
block 12 is the declaration or statement that begins on line 12.
  ¶src/a.ts#0A3B
  replace 4..6:            delete 4..6            insert before 4:   insert after 4:
  +the new text            delete block 12        insert head:       insert tail:
  +of these lines          replace block 12:      insert after block 12:

Examples:
  readstone edit patch.txt
  readstone edit < patch.txt
  readstone edit --dry-run patch.txt";

pub(crate) const WRITE: &str = "\
ADDRESS is a path, an entry of an archive, a row of a database, local://NAME or conflict://ID.
The content comes from standard input.

Examples:
  readstone write src/new.rs < new.rs
  readstone write notes.md --if-tag 0A1B < draft.md
  readstone write site.zip:css/app.css < app.css
  echo '{name: \"Ada\", active: true}' | readstone write app.db:users
  echo '@ours' | readstone write conflict://3";

pub(crate) const MCP: &str = "\
Examples:
  readstone mcp                              works below the directory it starts in
  readstone mcp --root src --root docs       works below these
  readstone install claude-code              adds this to the settings of a client";

pub(crate) const INSTALL: &str = "\
Only our entry is added; comments and everything else in the file stay as they are. A copy of the
file is kept as FILE.readstone-backup. For clients with YAML files, or without a file, the lines to
add are printed.
readstone read readstone://install.md has the table of clients.

Examples:
  readstone install claude-code
  readstone install cursor --project
  readstone install claude-desktop --root ~/notes --read-only
  readstone install gemini --approve --prefer --dry-run
  readstone install --print codex            the lines to paste, and the client's own command";

pub(crate) const UNINSTALL: &str = "\
Examples:
  readstone uninstall claude-code
  readstone uninstall cursor --project --dry-run";

pub(crate) const SERVE: &str = "\
Paths:
  POST /v1/tools/NAME             call a tool        GET /v1/tools      the tools and their schemas
  GET  /api/v0/read-file-lines    bounded lines      GET /openapi.json  these, for programs
  GET  /api/v0/read-file          bytes              GET /metrics       counters
       /mcp                       MCP                GET /healthz       whether it is there

Examples:
  readstone serve
  readstone serve --root /srv/code --listen 127.0.0.1:8080
  readstone serve --listen 0.0.0.0:7333 --token-file token.txt --allow-host files.example";

pub(crate) const UNDO: &str = "\
Examples:
  readstone undo                take back all that the last edit or write changed
  readstone undo notes.md       the last change of this file
  readstone undo --dry-run      only show what would come back";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  readstone completions bash > ~/.local/share/bash-completion/completions/readstone
  readstone completions zsh > \"${fpath[1]}/_readstone\"
  readstone completions fish > ~/.config/fish/completions/readstone.fish";

pub(crate) const MAN: &str = "\
Examples:
  readstone man | man -l -
  readstone man > ~/.local/share/man/man1/readstone.1";
