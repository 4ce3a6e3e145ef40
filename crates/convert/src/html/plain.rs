//! A page written so that nothing it shows is lost: tables for the layout as blocks, fields as their values.
//!
//! Repair of `html-to-markdown-rs`: tables for the layout stay tables, with headings and code
//! squeezed into cells. Shown by: `fault_tables_for_the_layout_stay_tables`, `tests/all/html.rs`.
//!
//! Repair of `html-to-markdown-rs`: values of fields, text for pages without scripts, frames,
//! refreshes and numbers of items are lost; closed dialogs are shown. Shown by:
//! `fault_values_of_fields_are_lost`, `fault_text_for_pages_without_scripts_is_lost`,
//! `fault_frames_are_lost`, `fault_a_page_that_only_refreshes_leads_nowhere`,
//! `fault_numbers_of_items_are_lost`, `fault_closed_dialogs_are_shown`, `tests/all/html.rs`.

use super::scan::{Piece, Scan, Tag};
use super::tables::layouts;

/// Fields whose value is not shown.
const UNSEEN: [&str; 7] = ["hidden", "checkbox", "radio", "password", "file", "color", "range"];

/// The page in simpler tags.
pub(crate) fn page(html: &str) -> String {
    let mut page = Page { layouts: layouts(html), ..Page::default() };
    page.out.reserve(html.len());
    for piece in Scan::new(html) {
        match piece {
            // A page that was saved with scripts running has tags as text there.
            Piece::Text(text) if page.unscripted && text.contains("&lt;") => {}
            Piece::Text(text) | Piece::Raw(text) => page.out.push_str(text),
            Piece::Data(text) => page.out.extend(["<![CDATA[", text, "]]>"]),
            Piece::Open(tag) => page.open(tag),
            Piece::Close(name) => page.close(name),
        }
    }
    page.out.push_str(&std::mem::take(&mut page.after));
    page.out
}

#[derive(Default)]
struct Page {
    out: String,
    /// What comes at the end of the body.
    after: String,
    layouts: Vec<bool>,
    /// How many tables there were.
    count: usize,
    tables: Vec<Table>,
    /// The next number of each open list; none for bullets.
    lists: Vec<Option<u64>>,
    in_head: bool,
    /// Whether this is what is shown where scripts are not run.
    unscripted: bool,
}

/// An open table.
struct Table {
    is_layout: bool,
    /// Whether a cell of it is open.
    in_cell: bool,
}

impl Page {
    fn open(&mut self, tag: Tag<'_>) {
        match tag.name.to_ascii_lowercase().as_str() {
            "head" | "body" => self.start_part(tag),
            "table" => self.start_table(tag),
            "tr" | "tbody" | "thead" | "tfoot" | "colgroup" | "col" if self.in_layout() => self.end_cell(),
            "td" | "th" | "caption" if self.in_layout() => {
                self.end_cell();
                self.start_block(tag);
                self.tables.last_mut().into_iter().for_each(|table| table.in_cell = true);
            }
            "noscript" if !tag.closed => {
                self.unscripted = true;
                self.out.push_str(if self.in_head { tag.source } else { "<div>" });
            }
            // Pictures of no size that count readers, and the same pictures for the second time.
            "img" | "iframe" | "meta" | "link" if self.unscripted => {}
            "input" => self.field(tag),
            "meta" => self.refresh(tag),
            "frameset" => {}
            "frame" => self.link("", tag.get("src"), tag.get("title").or_else(|| tag.get("name"))),
            "dialog" if tag.get("open").is_none() => self.out.push_str("<dialog hidden>"),
            "ol" | "ul" | "menu" | "dir" => self.start_list(tag),
            "li" => self.item(tag),
            _ => self.out.push_str(tag.source),
        }
    }

    fn close(&mut self, name: &str) {
        let lower = name.to_ascii_lowercase();
        match lower.as_str() {
            "table" => {
                self.end_cell();
                if self.tables.pop().is_some_and(|table| table.is_layout) {
                    self.out.push_str("</div>");
                    return;
                }
            }
            "td" | "th" | "caption" | "tr" | "tbody" | "thead" | "tfoot" | "colgroup" if self.in_layout() => {
                return self.end_cell();
            }
            "noscript" => {
                self.unscripted = false;
                if !self.in_head {
                    self.out.push_str("</div>");
                    return;
                }
            }
            "iframe" if self.unscripted => return,
            "ol" | "ul" | "menu" | "dir" => {
                self.lists.pop();
            }
            "head" => self.in_head = false,
            "body" | "html" => self.out.push_str(&std::mem::take(&mut self.after)),
            "frameset" => return,
            _ => {}
        }
        self.out.extend(["</", name, ">"]);
    }

    fn start_part(&mut self, tag: Tag<'_>) {
        self.in_head = tag.is("head") && !tag.closed;
        self.out.push_str(tag.source);
    }

    fn in_layout(&self) -> bool {
        self.tables.last().is_some_and(|table| table.is_layout)
    }

    fn start_table(&mut self, tag: Tag<'_>) {
        let is_layout = self.layouts.get(self.count).copied().unwrap_or(false);
        self.count += 1;
        self.tables.push(Table { is_layout, in_cell: false });
        if is_layout {
            self.start_block(tag);
        } else {
            self.out.push_str(tag.source);
        }
    }

    fn start_block(&mut self, tag: Tag<'_>) {
        self.out.push_str(if tag.is_hidden() { "<div hidden>" } else { "<div>" });
    }

    /// Ends the cell that is open, if it is one of a table that is unrolled.
    fn end_cell(&mut self) {
        if let Some(table) = self.tables.last_mut().filter(|table| table.is_layout && table.in_cell) {
            table.in_cell = false;
            self.out.push_str("</div>");
        }
    }

    /// A field shows its value, or what it says as long as it has none.
    fn field(&mut self, tag: Tag<'_>) {
        let kind = tag.get("type").unwrap_or_default();
        let full = |value: &&str| !value.trim().is_empty();
        let shown = if kind.eq_ignore_ascii_case("image") {
            tag.get("alt").filter(full)
        } else {
            tag.get("value").filter(full).or_else(|| tag.get("placeholder").filter(full))
        };
        match shown.filter(|_| !UNSEEN.iter().any(|unseen| kind.eq_ignore_ascii_case(unseen)) && !tag.is_hidden()) {
            Some(text) => self.out.extend([" ", &text.replace('<', "&lt;"), " "]),
            None => self.out.push_str(tag.source),
        }
    }

    /// Where a page leads to by itself.
    fn refresh(&mut self, tag: Tag<'_>) {
        self.out.push_str(tag.source);
        if !tag.get("http-equiv").is_some_and(|kind| kind.eq_ignore_ascii_case("refresh")) {
            return;
        }
        let content = tag.get("content").unwrap_or_default();
        let Some((_, target)) = content.split_once([';', ',']) else { return };
        let target = target.trim_start();
        let named = target.get(..3).filter(|name| name.eq_ignore_ascii_case("url"));
        let bare = named.and_then(|_| target.get(3..)?.trim_start().strip_prefix('=')).unwrap_or(target);
        self.link("refresh: ", Some(bare.trim_matches(['\'', '"', ' '])), None);
    }

    /// Adds a link at the end of the page.
    fn link(&mut self, before: &str, target: Option<&str>, name: Option<&str>) {
        let Some(target) = target.filter(|target| !target.is_empty()) else { return };
        let quoted = target.replace('"', "&quot;");
        let words = name.filter(|name| !name.is_empty()).unwrap_or(target).replace('<', "&lt;");
        self.after.extend(["<p>", before, "<a href=\"", &quoted, "\">", &words, "</a></p>"]);
    }

    fn start_list(&mut self, tag: Tag<'_>) {
        let start = || tag.get("start").and_then(|start| start.trim().parse().ok()).unwrap_or(1);
        self.lists.push(tag.is("ol").then(start));
        self.out.push_str(tag.source);
    }

    /// An item with a number of its own begins a list that starts with it.
    fn item(&mut self, tag: Tag<'_>) {
        if let Some(Some(next)) = self.lists.last_mut() {
            let own = tag.get("value").and_then(|value| value.trim().parse::<u32>().ok()).map(u64::from);
            if let Some(own) = own.filter(|own| own != next) {
                self.out.extend(["</li></ol><ol start=\"", &own.to_string(), "\">"]);
                *next = own;
            }
            *next = next.saturating_add(1);
        }
        self.out.push_str(tag.source);
    }
}
