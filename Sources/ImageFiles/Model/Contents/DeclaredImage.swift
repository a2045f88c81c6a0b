// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The declarations of a file for one of its images.
///
/// They comprise layout, color, HDR metadata, orientation and descriptive metadata. Decoding,
/// inspection and conformance checks share them, so that carriers are read and ranked once for each
/// format.
package struct DeclaredImage: Sendable {
  /// The parsed form of the coded samples, for decoders.
  package enum Samples: Sendable {
    case item(ItemImage)
    case jpeg(JPEGImage)
    case png(PNGLayout)
    case tiff(TIFFLayout)
    case exr(EXRLayout)
    case radiance(RadianceHeader)
    case jpegXL(JPEGXLImageHeader)
    case jpegXR(JPEGXRSamples)
  }

  package let samples: Samples
  /// Layout of the decoded samples, before an ICC profile is applied.
  package let layout: ImageLayout
  /// The carriers of color.
  package let color: ColorDescription
  package var chromaLocation = ChromaLocation.left
  package var light = LightMetadata()
  package var orientation = Orientation.upright
  /// Pixels per inch, if the container stores them outside of Exif.
  package var pixelsPerInch: SIMD2<Double>?
  package var metadata = FileMetadata()
  package var auxiliaryMetadata = AuxiliaryMetadata()
  /// ITU-T T.35 messages in the bitstream, from the country code on.
  package var messages: [[UInt8]] = []
  /// Irregular and contradictory declarations.
  package var notices: [Notice]
  /// Parts of the file that conversions do not copy.
  package var notCopied: [Notice] = []

  init(
    _ samples: Samples, layout: ImageLayout, color: ColorDescription, notices: [Notice] = []
  ) {
    self.samples = samples
    self.layout = layout
    self.color = color
    self.notices = notices
  }
}
