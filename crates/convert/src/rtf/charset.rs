//! What a byte stands for: code pages, and the character sets of fonts.

use encoding_rs::Encoding;

use super::symbol::SymbolFont;

/// How bytes become characters.
#[derive(Clone, Copy, Debug)]
pub(super) enum Codec {
    /// A code page of the library.
    Page(&'static Encoding),
    /// The upper half of a code page of DOS, which the library does not have.
    Dos(&'static str),
    /// A font whose letters are signs.
    Symbols(SymbolFont),
}

impl Codec {
    /// The codec of a Windows code page; for an unknown one the western page, in which plain letters are right.
    pub(super) fn of_page(page: i32) -> Self {
        let encoding = match page {
            437 => return Self::Dos(DOS_437),
            850 | 858 => return Self::Dos(DOS_850),
            852 => return Self::Dos(DOS_852),
            874 => encoding_rs::WINDOWS_874,
            866 => encoding_rs::IBM866,
            932 | 10001 => encoding_rs::SHIFT_JIS,
            936 | 10008 | 54936 => encoding_rs::GB18030,
            949 | 1361 | 10003 => encoding_rs::EUC_KR,
            950 | 10002 => encoding_rs::BIG5,
            1250 | 10029 => encoding_rs::WINDOWS_1250,
            1251 => encoding_rs::WINDOWS_1251,
            1253 | 10006 => encoding_rs::WINDOWS_1253,
            1254 | 10081 => encoding_rs::WINDOWS_1254,
            1255 | 10005 => encoding_rs::WINDOWS_1255,
            1256 | 10004 => encoding_rs::WINDOWS_1256,
            1257 => encoding_rs::WINDOWS_1257,
            1258 => encoding_rs::WINDOWS_1258,
            10000 => encoding_rs::MACINTOSH,
            10007 => encoding_rs::X_MAC_CYRILLIC,
            20866 => encoding_rs::KOI8_R,
            21866 => encoding_rs::KOI8_U,
            28592 => encoding_rs::ISO_8859_2,
            28595 => encoding_rs::ISO_8859_5,
            28597 => encoding_rs::ISO_8859_7,
            65001 => encoding_rs::UTF_8,
            _ => encoding_rs::WINDOWS_1252,
        };
        Self::Page(encoding)
    }

    /// Adds the characters that the bytes stand for.
    pub(super) fn decode(self, bytes: &[u8], out: &mut String) {
        match self {
            Self::Page(encoding) => out.push_str(&encoding.decode_without_bom_handling(bytes).0),
            Self::Dos(upper) => out.extend(bytes.iter().map(|byte| dos(upper, *byte))),
            Self::Symbols(font) => out.extend(bytes.iter().map(|byte| font.sign(*byte))),
        }
    }
}

fn dos(upper: &str, byte: u8) -> char {
    let place = usize::from(byte).checked_sub(128);
    place.map_or(char::from(byte), |place| upper.chars().nth(place).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// The code page that belongs to the character set of a font; `None` for the document's own and for signs.
pub(super) fn page_of_charset(charset: i32) -> Option<i32> {
    let page = match charset {
        0 => 1252,
        77 => 10000,
        78 => 10001,
        79 => 10003,
        80 => 10008,
        81 => 10002,
        83 => 10005,
        84 => 10004,
        85 => 10006,
        86 => 10081,
        88 => 10029,
        89 => 10007,
        128 => 932,
        129 => 949,
        130 => 1361,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178..=180 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        254 => 437,
        255 => 850,
        _ => return None,
    };
    Some(page)
}

/// The code page that the name of an old font tells, such as `Arial CE`.
pub(super) fn page_of_name(name: &str) -> Option<i32> {
    let last = name.rsplit(' ').next()?;
    let page = match last.trim_matches(['(', ')']).to_ascii_lowercase().as_str() {
        "ce" => 1250,
        "cyr" => 1251,
        "greek" => 1253,
        "tur" => 1254,
        "hebrew" => 1255,
        "arabic" => 1256,
        "baltic" => 1257,
        _ => return None,
    };
    Some(page)
}

const DOS_437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

const DOS_850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

const DOS_852: &str = "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐\
    └┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}";
