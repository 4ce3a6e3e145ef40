//! Pixels in rows, eight bits a value.

use image::{DynamicImage, ImageBuffer};

use crate::{Refusal, Region};

/// A decoded picture of grey (1 value a pixel), colour (3), or colour with transparency (4).
#[derive(Clone, Debug)]
pub(super) struct Flat {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) channels: usize,
    pub(super) data: Vec<u8>,
}

impl Flat {
    /// Brings every depth and model of colour to eight bits.
    pub(super) fn from_image(image: DynamicImage) -> Self {
        let (width, height) = (image.width(), image.height());
        let (channels, data) = match image {
            DynamicImage::ImageLuma8(grey) => (1, grey.into_raw()),
            DynamicImage::ImageRgb8(colour) => (3, colour.into_raw()),
            DynamicImage::ImageLuma16(_) => (1, image.into_luma8().into_raw()),
            DynamicImage::ImageRgb16(_) | DynamicImage::ImageRgb32F(_) => (3, image.into_rgb8().into_raw()),
            DynamicImage::ImageLumaA8(_)
            | DynamicImage::ImageLumaA16(_)
            | DynamicImage::ImageRgba8(_)
            | DynamicImage::ImageRgba16(_)
            | DynamicImage::ImageRgba32F(_)
            | _ => (4, image.into_rgba8().into_raw()),
        };
        Self::of(width, height, channels, data)
    }

    /// Pixels in rows; transparency that no pixel uses is dropped.
    pub(super) fn of(width: u32, height: u32, channels: usize, data: Vec<u8>) -> Self {
        let mut flat = Self { width, height, channels, data };
        flat.drop_idle_alpha();
        flat
    }

    fn drop_idle_alpha(&mut self) {
        if self.channels != 4 || self.data.as_chunks::<4>().0.iter().any(|[.., alpha]| *alpha != u8::MAX) {
            return;
        }
        self.data =
            self.data.as_chunks::<4>().0.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
        self.channels = 3;
    }

    /// All of it.
    pub(super) fn whole(&self) -> Region {
        Region { x: 0, y: 0, width: self.width, height: self.height }
    }

    /// The values of a part of one row.
    pub(super) fn row(&self, y: u32, part: Region) -> &[u8] {
        let wide = |pixels: u32| usize::try_from(pixels).unwrap_or(usize::MAX).saturating_mul(self.channels);
        let start =
            usize::try_from(y).unwrap_or(usize::MAX).saturating_mul(wide(self.width)).saturating_add(wide(part.x));
        self.data.get(start..start.saturating_add(wide(part.width))).unwrap_or_default()
    }

    /// A copy of a part of it.
    pub(super) fn cut(&self, part: Region) -> Self {
        let data = (part.y..part.y + part.height).flat_map(|y| self.row(y, part)).copied().collect();
        Self { width: part.width, height: part.height, channels: self.channels, data }
    }

    /// Whether it has transparent pixels.
    pub(super) fn has_alpha(&self) -> bool {
        self.channels == 4
    }

    /// Lays it on white paper.
    pub(super) fn on_white(&self) -> Self {
        let laid = |value: u8, alpha: u8| over_white(value, alpha);
        let pixels = self.data.as_chunks::<4>().0.iter();
        let data =
            pixels.flat_map(|[red, green, blue, a]| [laid(*red, *a), laid(*green, *a), laid(*blue, *a)]).collect();
        Self { width: self.width, height: self.height, channels: 3, data }
    }

    /// Turns it as an orientation of EXIF says.
    pub(super) fn turned(self, turn: u8) -> Result<Self, Refusal> {
        let orientation = image::metadata::Orientation::from_exif(turn);
        let Some(orientation) = orientation.filter(|turn| *turn != image::metadata::Orientation::NoTransforms) else {
            return Ok(self);
        };
        let channels = self.channels;
        let mut image = self.into_image().ok_or_else(|| Refusal::Damaged("its rows are incomplete".to_owned()))?;
        image.apply_orientation(orientation);
        let (width, height) = (image.width(), image.height());
        Ok(Self { width, height, channels, data: image.into_bytes() })
    }

    fn into_image(self) -> Option<DynamicImage> {
        match self.channels {
            1 => ImageBuffer::from_raw(self.width, self.height, self.data).map(DynamicImage::ImageLuma8),
            3 => ImageBuffer::from_raw(self.width, self.height, self.data).map(DynamicImage::ImageRgb8),
            _ => ImageBuffer::from_raw(self.width, self.height, self.data).map(DynamicImage::ImageRgba8),
        }
    }
}

fn over_white(value: u8, alpha: u8) -> u8 {
    let sum = u32::from(value) * u32::from(alpha) + 255 * (255 - u32::from(alpha));
    u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
}
