// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore
internal import ImageFiles

/// Rendition of an image for a display.
package struct RenderingOptions: Hashable, Sendable {
  /// The display.
  package var display: DisplayTarget
  /// Tone-mapping operator; `nil` for the gain map of the file, else its SMPTE ST 2094-50 metadata,
  /// else the default operator.
  package var method: ToneMapOperator?
  /// Mapping of colors that are out of gamut.
  package var gamutMapping = GamutMapping.soft
  /// Highlight desaturation, see `Rendition.highlightDesaturation`; `nil` for that of the operator.
  package var highlightDesaturation: Double?

  package init(display: DisplayTarget, method: ToneMapOperator? = nil) {
    self.display = display
    self.method = method
  }
}

/// Report of the rendition of an image for a display.
package struct RenderingReport: Sendable {
  /// Source of the rendition.
  package enum Authority: Hashable, Sendable {
    case gainMap(GainMapFlavor)
    /// The file's SMPTE ST 2094-50 metadata.
    case headroomAdaptation
    /// BT.2100: HLG with the system gamma of the display.
    case hlg
    case method(ToneMapOperator)
  }

  /// Source of the rendition.
  package var authority: Authority
  /// Headroom of the image with its gain map applied in full.
  package var content: ContentHeadroom
  /// Headroom of the display.
  package var display: Headroom
  /// Headroom of the display that the image may use.
  package var usable: Headroom
  /// Whether the display can show the whole image; at most colors near the boundary of its gamut
  /// are changed.
  package var isIdentity: Bool
  /// Whether the SMPTE ST 2094-50 metadata have no alternate images, so that nothing is tone mapped.
  package var forbidsToneMapping = false
  /// Pixels that tone and gamut mapping changed.
  package var changes = ImageTransform.Changes()
  /// Pixels that were clipped.
  package var clipping = ImageTransform.Clipping(pixelCount: 0)
}
