//! The plot: growth as a small picture, both axes in powers of ten.

use std::fmt::{self, Write as _};

use crate::growth::Series;

/// The picture, and the field in it where lines are drawn.
const SIZE: (f64, f64) = (760.0, 340.0);
const LEFT: f64 = 64.0;
const RIGHT: f64 = 470.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 290.0;
/// Neither black nor white, so that they are seen on both.
const COLOURS: [&str; 6] = ["#3b82d6", "#e0731d", "#2f9e6e", "#b04ad0", "#8a8f1e", "#d6455d"];
const GREY: &str = "#808080";

/// Where values lie.
struct Axes {
    /// Powers of ten at the ends of both axes.
    x: (i32, i32),
    y: (i32, i32),
}

impl Axes {
    fn of(all: &[Series]) -> Self {
        let points = || all.iter().flat_map(|series| &series.points);
        Self { x: powers(points().map(|(x, _)| *x)), y: powers(points().map(|(_, y)| *y)) }
    }

    fn across(&self, value: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * share(value, self.x)
    }

    fn down(&self, value: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * share(value, self.y)
    }
}

fn share(value: f64, (low, high): (i32, i32)) -> f64 {
    (value.log10() - f64::from(low)) / f64::from((high - low).max(1))
}

#[expect(clippy::cast_possible_truncation, reason = "powers of ten of milliseconds and megabytes")]
fn powers(values: impl Iterator<Item = f64>) -> (i32, i32) {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    (low.max(0.001).log10().floor() as i32, high.max(0.001).log10().ceil() as i32)
}

/// The picture as SVG.
pub(crate) fn svg(all: &[Series]) -> Result<String, fmt::Error> {
    let axes = Axes::of(all);
    let mut out = String::new();
    let (width, height) = SIZE;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">"
    )?;
    writeln!(out, "<title>How the cost of a read grows with the size of the file</title>")?;
    frame(&mut out, &axes)?;
    for (at, (series, colour)) in all.iter().zip(COLOURS).enumerate() {
        let dashes = if series.name.contains("tail") { " stroke-dasharray=\"6 4\"" } else { "" };
        let place = |(x, y): &(f64, f64)| format!("{:.1},{:.1}", axes.across(*x), axes.down(*y));
        let points = series.points.iter().map(place).collect::<Vec<_>>().join(" ");
        writeln!(out, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>")?;
        for (x, y) in &series.points {
            let (x, y) = (axes.across(*x), axes.down(*y));
            writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>")?;
        }
        let y = [40.0, 64.0, 88.0, 112.0, 136.0, 160.0].get(at).copied().unwrap_or(184.0);
        let (from, to, text) = (RIGHT + 20.0, RIGHT + 44.0, RIGHT + 52.0);
        writeln!(
            out,
            "<line x1=\"{from}\" y1=\"{y}\" x2=\"{to}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
             <text x=\"{text}\" y=\"{}\" fill=\"{GREY}\">{}</text>",
            y + 4.0,
            series.name
        )?;
    }
    writeln!(out, "</svg>")?;
    Ok(out)
}

/// Axes with their numbers and names, and thin lines across.
fn frame(out: &mut String, axes: &Axes) -> fmt::Result {
    for power in axes.y.0..=axes.y.1 {
        let value = 10_f64.powi(power);
        let y = axes.down(value);
        writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\" stroke=\"{GREY}\" stroke-opacity=\"0.35\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{GREY}\">{value}</text>",
            LEFT - 8.0,
            y + 4.0
        )?;
    }
    for power in axes.x.0..=axes.x.1 {
        let value = 10_f64.powi(power);
        let x = axes.across(value);
        writeln!(
            out,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{BOTTOM}\" stroke=\"{GREY}\" stroke-opacity=\"0.35\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"{GREY}\">{value}</text>",
            BOTTOM + 18.0
        )?;
    }
    let (middle, below) = (f64::midpoint(LEFT, RIGHT), BOTTOM + 38.0);
    writeln!(
        out,
        "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\" fill=\"{GREY}\">size of the file, MB</text>"
    )?;
    let across = f64::midpoint(TOP, BOTTOM);
    writeln!(
        out,
        "<text x=\"16\" y=\"{across}\" text-anchor=\"middle\" fill=\"{GREY}\" transform=\"rotate(-90 16 {across})\">\
         time, ms</text>"
    )
}
