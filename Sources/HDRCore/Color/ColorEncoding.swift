/// What the samples of a picture mean, with nothing left to guess.
///
/// A file's own words (`CICP`, ICC bytes, gamma chunks) may be absent or contradictory; a reader
/// resolves them to this once and reports what it had to assume.
public struct ColorEncoding: Hashable, Sendable {
  public var primaries: ColorPrimaries
  public var transfer: TransferFunction
  /// Coefficients between R'G'B' and the coded components; `.identity` for RGB and gray.
  public var matrix: CICP.Matrix
  /// Luminance of 1.0 in light, cd/m².
  public var referenceWhite: Double

  public init(
    primaries: ColorPrimaries, transfer: TransferFunction, matrix: CICP.Matrix = .identity,
    referenceWhite: Double = LightMetadata.defaultDiffuseWhite
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.referenceWhite = referenceWhite
  }
}
