public import GainMap
public import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// What shall be made of a picture for a display.
public struct RenderingOptions: Hashable, Sendable {
  public var display: DisplayTarget
  /// The operator to use whatever the file asks for; `nil` obeys the file's gain map, else its SMPTE
  /// ST 2094-50 metadata, else takes the default operator.
  public var method: ToneMapOperator?
  public var gamutMapping = GamutMapping.soft
  /// See `Rendition.highlightDesaturation`: none, as a display with more headroom, whose highlights
  /// are less compressed and so less white, would show saturated ones darker.
  public var highlightDesaturation = 0.0

  public init(display: DisplayTarget, method: ToneMapOperator? = nil) {
    self.display = display
    self.method = method
  }
}

/// What was made of a picture for a display, and why.
public struct RenderingReport: Sendable {
  /// Who says how the picture shall look.
  public enum Authority: Hashable, Sendable {
    case gainMap(GainMapFlavor)
    /// The file's SMPTE ST 2094-50 metadata.
    case adaptation
    /// BT.2100: HLG with the system gamma of the display.
    case hlg
    case method(ToneMapOperator)
  }

  public var authority: Authority
  /// Headroom of the picture, with all of its gain map.
  public var content: ContentHeadroom
  /// Headroom of the display.
  public var display: Headroom
  /// Headroom that the picture got of it.
  public var usable: Headroom
  /// Whether the display can show everything, so that no pixel was changed.
  public var isIdentity: Bool
  /// Whether the file's SMPTE ST 2094-50 metadata has no pictures for other displays: nothing is tone
  /// mapped, whatever the display.
  public var forbidsToneMapping = false
  public var changes = ImageTransform.Changes()
  public var clipping = ImageTransform.Clipping(pixelCount: 0)
}
