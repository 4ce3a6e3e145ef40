//! The languages there are, and which of them a file is in.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use readstone_base::Span;
use tree_sitter::Language as Grammar;

use crate::block::NoBlock;
use crate::bounds::Ends;
use crate::directives::{sound, with_ends};
use crate::fold::Starts;
use crate::heredocs::without_heredocs;
use crate::item::Outline;
use crate::macros::without_macros;
use crate::parse::Unparsed;
use crate::rules::Rules;

/// A language with a grammar.
#[derive(Clone, Copy)]
pub struct Language(&'static Known);

/// What is known of a language.
struct Known {
    name: &'static str,
    marks: Marks,
    query: &'static str,
    made: Made,
    rules: OnceLock<Option<Rules>>,
}

/// The names by which the files of a language are recognised.
struct Marks {
    /// Behind the last dot of file names.
    extensions: &'static [&'static str],
    /// File names.
    files: &'static [&'static str],
    /// Programs that run scripts in it.
    programs: &'static [&'static str],
}

/// A language whose grammar was left out of this build.
struct Absent {
    /// The feature of this crate that brings the grammar.
    feature: &'static str,
    marks: Marks,
}

/// How the structure of a text is found.
enum Made {
    /// By a grammar and a query file.
    Grammar(fn() -> Grammar),
    /// By code of its own.
    Hand(Hand),
}

/// What a language without a grammar can do.
pub(crate) struct Hand {
    pub(crate) outline: fn(&str, &mut dyn FnMut() -> bool) -> Result<Outline, Unparsed>,
    /// The block that begins at the first sign of a line.
    pub(crate) block_at: fn(&str, &Starts, usize) -> Result<Span, NoBlock>,
}

macro_rules! known {
    ($($feature:literal $name:literal $grammar:expr, [$($extension:literal)*] [$($file:literal)*] [$($program:literal)*];)*) => {
        /// Every language of this build.
        static LANGUAGES: &[&Known] = &[
            $(
                #[cfg(feature = $feature)]
                {
                    static KNOWN: Known = Known {
                        name: $name,
                        marks: Marks {
                            extensions: &[$($extension),*],
                            files: &[$($file),*],
                            programs: &[$($program),*],
                        },
                        query: include_str!(concat!("../languages/", $name, "/outline.query")),
                        made: Made::Grammar(|| $grammar.into()),
                        rules: OnceLock::new(),
                    };
                    &KNOWN
                },
            )*
            &SQL,
            &YAML,
        ];

        /// Every language that another build would have.
        static ABSENT: &[Absent] = &[
            $(
                #[cfg(not(feature = $feature))]
                Absent {
                    feature: $feature,
                    marks: Marks {
                        extensions: &[$($extension),*],
                        files: &[$($file),*],
                        programs: &[$($program),*],
                    },
                },
            )*
        ];
    };
}

known! {
    "bash" "bash" tree_sitter_bash::LANGUAGE, ["sh" "bash" "zsh" "ksh" "bats" "ebuild"] [".bashrc" ".profile" ".zshrc" ".bash_profile" "PKGBUILD"] ["sh" "bash" "zsh" "dash" "ksh"];
    "c" "c" tree_sitter_c::LANGUAGE, ["c"] [] [];
    "cpp" "cpp" tree_sitter_cpp::LANGUAGE, ["cpp" "cc" "cxx" "c++" "h" "hpp" "hh" "hxx" "inl" "ipp" "tpp" "cu" "cuh" "ino"] [] [];
    "csharp" "csharp" tree_sitter_c_sharp::LANGUAGE, ["cs" "csx"] [] [];
    "css" "css" tree_sitter_css::LANGUAGE, ["css"] [] [];
    "dart" "dart" tree_sitter_dart::LANGUAGE, ["dart"] [] ["dart"];
    "elixir" "elixir" tree_sitter_elixir::LANGUAGE, ["ex" "exs"] [] ["elixir"];
    "go" "go" tree_sitter_go::LANGUAGE, ["go"] [] [];
    "hcl" "hcl" tree_sitter_hcl::LANGUAGE, ["hcl" "tf" "tfvars" "nomad"] [] [];
    "html" "html" tree_sitter_html::LANGUAGE, ["html" "htm" "xhtml" "vue" "svelte"] [] [];
    "java" "java" tree_sitter_java::LANGUAGE, ["java"] [] [];
    "javascript" "javascript" tree_sitter_javascript::LANGUAGE, ["js" "mjs" "cjs" "jsx" "es6"] [] ["node"];
    "json" "json" tree_sitter_json::LANGUAGE, ["json" "jsonc" "json5" "geojson" "webmanifest" "map" "har"] [".eslintrc" ".babelrc" "composer.lock" "Pipfile.lock"] [];
    "kotlin" "kotlin" tree_sitter_kotlin_ng::LANGUAGE, ["kt" "kts"] [] [];
    "lua" "lua" tree_sitter_lua::LANGUAGE, ["lua"] [] ["lua" "luajit"];
    "markdown" "markdown" tree_sitter_md::LANGUAGE, ["md" "markdown" "mdown" "mdc" "mkd" "mdx" "rmd" "qmd"] [] [];
    "php" "php" tree_sitter_php::LANGUAGE_PHP, ["php" "phtml" "php5" "php7" "inc"] [] ["php"];
    "powershell" "powershell" tree_sitter_powershell::LANGUAGE, ["ps1" "psm1" "psd1"] [] ["pwsh"];
    "proto" "proto" tree_sitter_proto::LANGUAGE, ["proto"] [] [];
    "python" "python" tree_sitter_python::LANGUAGE, ["py" "pyi" "pyw" "bzl" "star"] ["BUILD" "WORKSPACE" "SConstruct" "wscript"] ["python" "python2" "python3" "pypy" "pypy3"];
    "r" "r" tree_sitter_r::LANGUAGE, ["r"] [".Rprofile"] ["Rscript"];
    "ruby" "ruby" tree_sitter_ruby::LANGUAGE, ["rb" "rake" "gemspec" "ru" "podspec"] ["Gemfile" "Rakefile" "Vagrantfile" "Podfile" "Brewfile"] ["ruby" "jruby"];
    "rust" "rust" tree_sitter_rust::LANGUAGE, ["rs"] [] ["rust-script" "cargo"];
    "scala" "scala" tree_sitter_scala::LANGUAGE, ["scala" "sc" "sbt"] [] ["scala"];
    "swift" "swift" tree_sitter_swift::LANGUAGE, ["swift"] [] ["swift"];
    "toml" "toml" tree_sitter_toml_ng::LANGUAGE, ["toml"] ["Cargo.lock" "poetry.lock" "uv.lock" "Pipfile"] [];
    "typescript" "typescript" tree_sitter_typescript::LANGUAGE_TYPESCRIPT, ["ts" "mts" "cts"] [] ["deno" "ts-node" "tsx" "bun"];
    "typescript" "tsx" tree_sitter_typescript::LANGUAGE_TSX, ["tsx"] [] [];
    "zig" "zig" tree_sitter_zig::LANGUAGE, ["zig" "zon"] [] [];
}

/// The dialects of SQL differ too much for one grammar.
static SQL: Known = Known {
    name: "sql",
    marks: Marks { extensions: &["sql", "ddl", "dml", "psql", "pgsql"], files: &[], programs: &[] },
    query: "",
    made: Made::Hand(Hand { outline: crate::sql::outline, block_at: crate::sql::block_at }),
    rules: OnceLock::new(),
};

/// The grammar of YAML that there is can be made to write past its memory.
static YAML: Known = Known {
    name: "yaml",
    marks: Marks { extensions: &["yaml", "yml"], files: &[".clang-format", "pnpm-lock.yaml"], programs: &[] },
    query: "",
    made: Made::Hand(Hand { outline: crate::yaml::outline, block_at: crate::yaml::block_at }),
    rules: OnceLock::new(),
};

/// The languages of this build.
pub fn languages() -> impl Iterator<Item = Language> {
    LANGUAGES.iter().copied().map(Language)
}

/// The feature of the program that brings the grammar for a file, where this build was made without it.
pub fn absent_feature(file: &str, first_line: &str) -> Option<&'static str> {
    find(&|| ABSENT.iter().map(|absent| (&absent.marks, absent)), file, first_line).map(|absent| set_of(absent.feature))
}

/// The set of grammars that a feature of this crate belongs to, as the program and `readstone-tools` call it.
fn set_of(feature: &str) -> &'static str {
    match feature {
        "csharp" | "kotlin" | "scala" | "swift" => "further-languages",
        "dart" | "elixir" | "hcl" | "powershell" | "proto" | "r" | "zig" => "rare-languages",
        _ => "common-languages",
    }
}

/// The first of `all` whose marks fit a file: its whole name, its extension, or the program that its first line names.
fn find<T, All>(all: &impl Fn() -> All, file: &str, first_line: &str) -> Option<T>
where
    All: Iterator<Item = (&'static Marks, T)>,
{
    let first = |fits: &dyn Fn(&Marks) -> bool| all().find(|(marks, _)| fits(marks)).map(|(_, found)| found);
    let name = file.rsplit('/').next().unwrap_or(file);
    let whole = first(&|marks| marks.files.contains(&name));
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let by_extension = |extension: String| first(&|marks| marks.extensions.contains(&extension.as_str()));
    let by_program = |program: &str| first(&|marks| marks.programs.contains(&program));
    whole.or_else(|| extension.and_then(by_extension)).or_else(|| script_program(first_line).and_then(by_program))
}

/// The program that runs a script, by the script's first line.
fn script_program(first_line: &str) -> Option<&str> {
    let mut words = first_line.strip_prefix("#!")?.split_whitespace();
    let program = words.next()?.rsplit('/').next()?;
    let program =
        if program == "env" { words.find(|word| !word.starts_with('-') && !word.contains('='))? } else { program };
    // `python3.12` is run as `python3` is.
    Some(program.split_once('.').map_or(program, |(plain, _)| plain))
}

impl Language {
    /// The language of a file, by its name and, where that says nothing, by the program its first line names.
    pub fn of(file: &str, first_line: &str) -> Option<Self> {
        find(&|| languages().map(|language| (&language.0.marks, language)), file, first_line)
    }

    /// The language with this name.
    pub fn named(name: &str) -> Option<Self> {
        languages().find(|language| language.0.name == name)
    }

    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What of a text its grammar can make sense of, at the same places.
    pub(crate) fn code(self, text: &str) -> Cow<'_, str> {
        let text = without_conflicts(text);
        let change: fn(&str) -> Cow<'_, str> = match self.0.name {
            "c" | "cpp" => without_macros,
            "ruby" => without_heredocs,
            "swift" => with_ends,
            _ => return text,
        };
        match text {
            Cow::Borrowed(text) => change(text),
            Cow::Owned(text) => Cow::Owned(change(&text).into_owned()),
        }
    }

    /// As much of a piece of code as its grammar may be given alone.
    pub(crate) fn sound(self, piece: &str) -> &str {
        if self.0.name == "swift" { sound(piece) } else { piece }
    }

    /// What ends a statement in it.
    pub(crate) fn ends(self) -> Ends {
        match self.0.name {
            "html" | "markdown" | "json" | "toml" | "yaml" | "sql" | "css" => Ends::Never,
            "c" | "cpp" | "csharp" | "dart" | "java" | "javascript" | "php" | "proto" | "rust" | "tsx"
            | "typescript" | "zig" => Ends::Signs,
            _ => Ends::Lines,
        }
    }

    /// Whether blanks at the beginning of lines say what lies in what.
    pub(crate) fn is_indented(self) -> bool {
        self.0.name == "python"
    }

    /// Whether it is made of elements between angle brackets.
    pub(crate) fn is_markup(self) -> bool {
        self.0.name == "html"
    }

    /// Whether a preprocessor takes lines out of its files.
    pub(crate) fn has_conditions(self) -> bool {
        matches!(self.0.name, "c" | "cpp")
    }

    pub(crate) fn grammar(self) -> Option<Grammar> {
        match &self.0.made {
            Made::Grammar(grammar) => Some(grammar()),
            Made::Hand(_) => None,
        }
    }

    /// What finds its structure without a grammar.
    pub(crate) fn by_hand(self) -> Option<&'static Hand> {
        match &self.0.made {
            Made::Grammar(_) => None,
            Made::Hand(hand) => Some(hand),
        }
    }

    /// The language that a text may be in when it makes no sense in this one.
    pub(crate) fn other(self) -> Option<Self> {
        self.line("else ").and_then(Self::named)
    }

    /// What a line of its query file says behind its first word.
    fn line(self, word: &str) -> Option<&'static str> {
        self.0.query.lines().find_map(|line| line.strip_prefix(word))
    }

    /// What of its nodes matters.
    pub(crate) fn rules(self) -> Option<&'static Rules> {
        self.0.rules.get_or_init(|| self.read_rules().ok()).as_ref()
    }

    /// Reads its query file; the error names what is wrong with it.
    pub(crate) fn read_rules(self) -> Result<Rules, String> {
        let grammar = self.grammar().ok_or("there is no grammar")?;
        let like = self.line("like ").map(|name| Self::named(name).ok_or_else(|| format!("there is no {name}")));
        let like = like.transpose()?;
        Rules::read(&[self.0.query, like.map_or("", |like| like.0.query)], &grammar)
    }
}

/// A text with blanks for the lines that mark a merge conflict, so that both sides are code.
fn without_conflicts(text: &str) -> Cow<'_, str> {
    if !text.contains("\n<<<<<<< ") {
        return Cow::Borrowed(text);
    }
    let marks = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "];
    let blank = |byte: u8| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' };
    let line = |line: &str| -> String {
        let marked = marks.iter().any(|mark| line.starts_with(mark));
        if marked { line.bytes().map(blank).collect() } else { line.to_owned() }
    };
    Cow::Owned(text.split_inclusive('\n').map(line).collect())
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Language {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_file_names_only_what_its_grammar_has() {
        for language in languages().filter(|language| language.by_hand().is_none()) {
            assert_eq!(language.read_rules().err(), None, "{}", language.name());
        }
    }

    #[test]
    fn every_feature_belongs_to_the_set_that_brings_it() {
        let manifest = include_str!("../Cargo.toml");
        for (set, listed) in
            [("common", "common-languages"), ("further", "further-languages"), ("rare", "rare-languages")]
        {
            let (_, rest) = manifest.split_once(&format!("\n{set} = [")).expect("a set of grammars");
            let features = rest.split(']').next().unwrap_or_default();
            let names: Vec<_> = features.split('"').skip(1).step_by(2).collect();
            assert!(names.len() > 3, "{names:?}");
            for name in names {
                assert_eq!(set_of(name), listed, "{name}");
            }
        }
    }

    #[test]
    fn a_file_has_a_grammar_or_a_feature_that_brings_it() {
        for (file, first_line) in [("a.zig", ""), ("a.rs", ""), ("PKGBUILD", ""), ("a", "#!/usr/bin/env Rscript")] {
            let (language, feature) = (Language::of(file, first_line), absent_feature(file, first_line));
            assert!(language.is_some() != feature.is_some(), "{file}: {language:?} {feature:?}");
        }
        assert_eq!(absent_feature("words.txt", ""), None);
    }

    #[cfg(feature = "rust")]
    #[test]
    fn both_sides_of_a_conflict_are_seen() {
        let text = "fn a() {}\n<<<<<<< ours é\nfn b() {\n}\n=======\nfn c() {\n}\n>>>>>>> theirs\nfn d() {}\n";
        let rust = Language::named("rust").expect("it is built");
        let outline = crate::outline(rust, text, &mut || false).expect("it is sound");
        let names: Vec<&str> = outline.items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!((names, outline.broken), (vec!["a", "b", "c", "d"], None));
    }
}
