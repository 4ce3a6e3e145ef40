//! A book as Excel writes it.

use std::error::Error;
use std::fmt::Write as _;

use crate::made::Document;
use crate::made::package::{OFFICE, XML, pack, relations, types};
use crate::made::prose::Prose;

const SHEET: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const STATES: [&str; 4] = ["open", "paid", "refused", "waiting for an answer"];
const HEADS: [&str; 6] = ["Number", "Customer", "State", "Day", "Amount", "With tax"];

/// A book of one sheet: a number, a text of its own, a text that comes often, a date, a sum and a formula a row.
pub fn xlsx(rows: usize) -> Result<Document, Box<dyn Error>> {
    let mut prose = Prose::new();
    let mut cells = Cells::default();
    for word in STATES.iter().chain(&HEADS) {
        cells.share(word)?;
    }
    cells.heads()?;
    for number in 0..rows {
        cells.row(number, &mut prose)?;
    }
    let Cells { sheet, shared, count, text } = &cells;
    let parts = [
        (
            "[Content_Types].xml",
            types(
                "spreadsheetml",
                &[
                    ("xl/workbook", "sheet.main"),
                    ("xl/worksheets/sheet1", "worksheet"),
                    ("xl/styles", "styles"),
                    ("xl/sharedStrings", "sharedStrings"),
                ],
            ),
        ),
        ("_rels/.rels", relations(&[("officeDocument", "xl/workbook.xml")])),
        ("xl/workbook.xml", workbook()),
        (
            "xl/_rels/workbook.xml.rels",
            relations(&[
                ("worksheet", "worksheets/sheet1.xml"),
                ("styles", "styles.xml"),
                ("sharedStrings", "sharedStrings.xml"),
            ]),
        ),
        ("xl/styles.xml", styles()),
        (
            "xl/sharedStrings.xml",
            format!("{XML}<sst xmlns=\"{SHEET}\" count=\"{count}\" uniqueCount=\"{count}\">{shared}</sst>"),
        ),
        (
            "xl/worksheets/sheet1.xml",
            format!(
                "{XML}<worksheet xmlns=\"{SHEET}\"><dimension ref=\"A1:F{}\"/>\
                 <sheetData>{sheet}</sheetData></worksheet>",
                rows + 1
            ),
        ),
    ];
    pack(&parts, *text)
}

/// The rows, and the texts that they name by number.
#[derive(Default)]
struct Cells {
    sheet: String,
    shared: String,
    count: usize,
    text: usize,
}

impl Cells {
    fn share(&mut self, text: &str) -> Result<usize, Box<dyn Error>> {
        write!(self.shared, "<si><t>{text}</t></si>")?;
        self.count += 1;
        Ok(self.count - 1)
    }

    fn heads(&mut self) -> Result<(), Box<dyn Error>> {
        self.sheet.push_str("<row r=\"1\">");
        for (at, column) in ('A'..='F').enumerate() {
            write!(self.sheet, "<c r=\"{column}1\" t=\"s\"><v>{}</v></c>", STATES.len() + at)?;
        }
        self.sheet.push_str("</row>");
        Ok(())
    }

    fn row(&mut self, number: usize, prose: &mut Prose) -> Result<(), Box<dyn Error>> {
        let row = number + 2;
        let name = format!("{} {number}", prose.words(3));
        // What the other cells show is about as long in every row.
        self.text += name.len() + 40;
        let customer = self.share(&name)?;
        let (state, day) = (prose.below(STATES.len()), 44_000 + number % 1_500);
        let (whole, cents) = (1 + prose.below(90_000), prose.below(100));
        write!(
            self.sheet,
            "<row r=\"{row}\" spans=\"1:6\"><c r=\"A{row}\"><v>{}</v></c><c r=\"B{row}\" t=\"s\"><v>{customer}\
             </v></c><c r=\"C{row}\" t=\"s\"><v>{state}</v></c><c r=\"D{row}\" s=\"1\"><v>{day}</v></c><c r=\"E{row}\" \
             s=\"2\"><v>{whole}.{cents:02}</v></c><c r=\"F{row}\" s=\"2\"><f>E{row}*1.25</f><v>{}.5</v></c></row>",
            1_001 + number,
            whole * 5 / 4,
        )?;
        Ok(())
    }
}

fn workbook() -> String {
    format!(
        "{XML}<workbook xmlns=\"{SHEET}\" xmlns:r=\"{OFFICE}\"><sheets><sheet name=\"Invoices\" sheetId=\"1\" \
         r:id=\"rId1\"/></sheets></workbook>"
    )
}

/// Numbers as they are, days, and sums.
fn styles() -> String {
    format!(
        "{XML}<styleSheet xmlns=\"{SHEET}\"><fonts count=\"1\"><font/></fonts><fills count=\"1\"><fill><patternFill \
         patternType=\"none\"/></fill></fills><borders count=\"1\"><border/></borders><cellStyleXfs \
         count=\"1\"><xf/></cellStyleXfs><cellXfs count=\"3\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\" \
         applyNumberFormat=\"1\"/><xf numFmtId=\"4\" applyNumberFormat=\"1\"/></cellXfs></styleSheet>"
    )
}
