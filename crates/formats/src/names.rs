//! The names of encodings in lower case.

use encoding_rs::Encoding;

macro_rules! lower_case {
    ($($encoding:ident = $name:literal),+ $(,)?) => {
        /// The encoding's name in lower case.
        pub(crate) fn lower_case(encoding: &'static Encoding) -> &'static str {
            $( if encoding == encoding_rs::$encoding { return $name; } )+
            encoding.name()
        }
    };
}

lower_case! {
    UTF_8 = "utf-8",
    UTF_16LE = "utf-16le",
    UTF_16BE = "utf-16be",
    SHIFT_JIS = "shift_jis",
    EUC_JP = "euc-jp",
    ISO_2022_JP = "iso-2022-jp",
    GBK = "gbk",
    GB18030 = "gb18030",
    BIG5 = "big5",
    EUC_KR = "euc-kr",
    KOI8_R = "koi8-r",
    KOI8_U = "koi8-u",
    IBM866 = "ibm866",
    ISO_8859_2 = "iso-8859-2",
    ISO_8859_3 = "iso-8859-3",
    ISO_8859_4 = "iso-8859-4",
    ISO_8859_5 = "iso-8859-5",
    ISO_8859_6 = "iso-8859-6",
    ISO_8859_7 = "iso-8859-7",
    ISO_8859_8 = "iso-8859-8",
    ISO_8859_8_I = "iso-8859-8-i",
    ISO_8859_10 = "iso-8859-10",
    ISO_8859_13 = "iso-8859-13",
    ISO_8859_14 = "iso-8859-14",
    ISO_8859_15 = "iso-8859-15",
    ISO_8859_16 = "iso-8859-16",
}
