//! Faults of `html-to-markdown-rs`, with the options that we give it.

use html_to_markdown_rs::options::{PreprocessingOptions, PreprocessingPreset};
use html_to_markdown_rs::{ConversionOptions, HiddenContent, InlineDataMedia, convert};

/// The Markdown of a page, as the library gives it.
fn markdown(html: &str) -> String {
    let preprocessing = PreprocessingOptions {
        enabled: true,
        preset: PreprocessingPreset::Minimal,
        remove_navigation: false,
        remove_forms: false,
    };
    let options = ConversionOptions::builder()
        .compact_tables(true)
        .br_in_tables(true)
        .extract_metadata(false)
        .hidden_content(HiddenContent::Drop)
        .inline_data_media(InlineDataMedia::AltTextOnly)
        .bullets("-")
        .preprocessing(preprocessing);
    convert(html, options.build()).unwrap().content.unwrap_or_default()
}

#[test]
fn fault_deep_pages_lose_their_text() {
    let page = format!("<p>before</p>{}deep{}<p>after</p>", "<div>".repeat(2_000), "</div>".repeat(2_000));
    let found = markdown(&page);
    assert!(!found.contains("deep"), "{found}");
}

#[test]
fn fault_lines_of_the_source_stay_lines() {
    let found = markdown("<p>one\ntwo</p>");
    assert!(found.contains("one\ntwo"), "{found:?}");
}

#[test]
fn fault_lines_end_with_spaces() {
    let found = markdown("<p>one<br>two</p>");
    assert!(found.contains("one  \n"), "{found:?}");
}

#[test]
fn fault_tables_for_the_layout_stay_tables() {
    let page = "<table><tr><td>nav<td><h1>Title</h1><p>One.</p><p>Two.</p><pre>a\n  b</pre></table>";
    let found = markdown(page);
    assert!(found.contains("| nav | Title<br>One."), "{found}");
}

#[test]
fn fault_values_of_fields_are_lost() {
    let found = markdown("<p>Name <input value=\"Ann\"><input type=submit value='Send it'></p>");
    assert_eq!(found.trim(), "Name");
}

#[test]
fn fault_text_for_pages_without_scripts_is_lost() {
    let found = markdown("<p>seen</p><noscript>Enable it</noscript><p>too</p>");
    assert!(!found.contains("Enable it"), "{found}");
}

#[test]
fn fault_closed_dialogs_are_shown() {
    let found = markdown("<p>seen</p><dialog>closed</dialog>");
    assert!(found.contains("closed"), "{found}");
}

#[test]
fn fault_frames_are_lost() {
    let found = markdown("<frameset><frame src=\"a.html\" name=\"A\"></frameset>");
    assert!(!found.contains("a.html"), "{found}");
}

#[test]
fn fault_a_page_that_only_refreshes_leads_nowhere() {
    let page = "<html><head><meta http-equiv=Refresh content=\"0; URL='http://x/new'\"></head><body></body></html>";
    let found = markdown(page);
    assert!(!found.contains("http://x/new"), "{found}");
}

#[test]
fn fault_numbers_of_items_are_lost() {
    let found = markdown("<ol><li>one<li value=9>nine</ol>");
    assert!(!found.contains("9. nine"), "{found}");
}

#[test]
fn fault_lists_of_files_become_code() {
    let found = markdown("<pre><a href=\"../\">../</a>\n<a href=\"low.txt\">low.txt</a>   15-Nov-2026   12\n</pre>");
    assert!(found.starts_with("```") && found.contains("low.txt"), "{found}");
}

#[test]
fn fault_formulas_lose_their_tex() {
    let found = markdown("<p>Is <math alttext=\"\\alpha_1\"><mi>α</mi></math>.</p>");
    assert_eq!(found.trim(), "Is α.");
}

#[test]
fn fault_text_that_styles_hide_is_shown() {
    for style in ["color:transparent", "opacity:0", "position:absolute; left:-9999px", "text-indent:-9999px"] {
        let found = markdown(&format!("<p>seen</p><p style=\"{style}\">UNSEEN</p>"));
        assert!(found.contains("UNSEEN"), "{style}: {found}");
    }
}

#[test]
fn fault_a_page_that_a_script_would_show_is_lost() {
    let found = markdown("<html><body style='display: none'><p>yes</p></body></html>");
    assert!(!found.contains("yes"), "{found}");
}

#[test]
fn fault_code_loses_the_language_of_its_frame() {
    let found = markdown("<div class=\"highlight-ruby notranslate\"><div class=highlight><pre>a = b</pre></div></div>");
    assert!(found.contains("a = b") && !found.contains("```ruby"), "{found}");
}

#[test]
fn fault_code_holds_links_as_markdown() {
    let found = markdown("<pre>a = <a href=/x>b</a>\nc = 1</pre>");
    assert!(found.contains("[b](/x)"), "{found}");
}

#[test]
fn fault_code_loses_the_language_that_its_class_names() {
    for class in ["rust rust-example-rendered", "brush: js notranslate"] {
        let found = markdown(&format!("<pre class=\"{class}\">f()</pre>"));
        assert!(found.starts_with("```\n"), "{class}: {found}");
    }
}

#[test]
fn fault_headings_lead_to_themselves() {
    let found = markdown("<h3>Spring<a class=headerlink href=\"#spring\">¶</a></h3><p>Then <a href=/y></a>it</p>");
    assert!(found.contains("[¶](#spring)") && found.contains("[](/y)"), "{found}");
}

#[test]
fn fault_an_empty_title_of_xhtml_swallows_the_page() {
    let found =
        markdown("<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title/></head><body><p>words</p></body></html>");
    assert_eq!(found, "");
}
