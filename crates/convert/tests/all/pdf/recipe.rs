//! Files made by recipes.

use readstone_convert::{Bounds, Form, Made, Refusal, Wish, document};

/// Bounds as the program has them.
pub(crate) const BOUNDS: Bounds = Bounds { text_bytes: 16 << 20, parts_bytes: 256 << 20, depth: 256 };

/// Converts all of a file on a stack as large as the program gives.
pub(crate) fn convert(bytes: Vec<u8>) -> Result<Made, Refusal> {
    convert_some(bytes, Wish::ALL)
}

/// Converts some of a file.
pub(crate) fn convert_some(bytes: Vec<u8>, wish: Wish) -> Result<Made, Refusal> {
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    thread.spawn(move || document(Form::Pdf, &bytes, &wish, &BOUNDS)).unwrap().join().unwrap()
}

/// A file in the making: the objects one after the other, then a table of them.
pub(crate) struct File {
    pub(crate) objects: Vec<(u32, Vec<u8>)>,
    pub(crate) trailer: String,
}

impl File {
    /// A catalog (1), a page tree (2) and nothing else.
    pub(crate) fn new(kids: &str, count: i64) -> Self {
        let mut file = Self { objects: Vec::new(), trailer: "/Root 1 0 R".to_owned() };
        file.add(1, "<</Type/Catalog/Pages 2 0 R>>");
        file.add(2, &format!("<</Type/Pages/Kids[{kids}]/Count {count}/MediaBox[0 0 595 842]>>"));
        file
    }

    /// One page (3) with operators (4) and Helvetica (5).
    pub(crate) fn page(operators: &str) -> Self {
        let mut file = Self::new("3 0 R", 1);
        file.add(3, PAGE);
        file.stream(4, "", operators.as_bytes());
        file.add(5, HELVETICA);
        file
    }

    /// As many pages as there are texts, from object 10 on.
    pub(crate) fn pages(texts: &[&str]) -> Self {
        let kids: Vec<String> = (0..texts.len()).map(|index| format!("{} 0 R", 10 + 2 * index)).collect();
        let mut file = Self::new(&kids.join(" "), i64::try_from(texts.len()).unwrap());
        file.add(5, HELVETICA);
        for (index, text) in texts.iter().enumerate() {
            let number = 10 + 2 * u32::try_from(index).unwrap();
            file.add(number, &PAGE.replace("4 0 R", &format!("{} 0 R", number + 1)));
            file.stream(number + 1, "", shown(text).as_bytes());
        }
        file
    }

    pub(crate) fn add(&mut self, number: u32, object: &str) -> &mut Self {
        self.objects.retain(|(other, _)| *other != number);
        self.objects.push((number, object.as_bytes().to_vec()));
        self
    }

    pub(crate) fn stream(&mut self, number: u32, entries: &str, bytes: &[u8]) -> &mut Self {
        let mut object = format!("<<{entries}/Length {}>>\nstream\n", bytes.len()).into_bytes();
        object.extend_from_slice(bytes);
        object.extend_from_slice(b"\nendstream");
        self.objects.retain(|(other, _)| *other != number);
        self.objects.push((number, object));
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec();
        let mut table = Vec::new();
        for (number, object) in &self.objects {
            table.push((*number, out.len()));
            out.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
            out.extend_from_slice(object);
            out.extend_from_slice(b"\nendobj\n");
        }
        let start = out.len();
        out.extend_from_slice(b"xref\n0 1\n0000000000 65535 f \n");
        for (number, offset) in table {
            out.extend_from_slice(format!("{number} 1\n{offset:010} 00000 n \n").as_bytes());
        }
        let end = format!("trailer\n<</Size 1000{}>>\nstartxref\n{start}\n%%EOF\n", self.trailer);
        out.extend_from_slice(end.as_bytes());
        out
    }
}

pub(crate) const HELVETICA: &str = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
pub(crate) const PAGE: &str = "<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>";

/// Operators that show a line in the middle of a page.
pub(crate) fn shown(text: &str) -> String {
    format!("BT /F1 12 Tf 72 600 Td ({text}) Tj ET")
}

/// The texts of all sections.
pub(crate) fn texts(made: &Made) -> Vec<&str> {
    made.sections.iter().map(|section| section.text.as_str()).collect()
}
