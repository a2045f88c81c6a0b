// SPDX-License-Identifier: Apache-2.0
/// Color encoding of the samples of an image, completely specified.
///
/// The declarations of a file (`CICP`, ICC profiles, gamma chunks) may be missing or contradictory;
/// a reader resolves them to this value once and reports its assumptions.
public struct ColorEncoding: Hashable, Sendable {
  /// Whether an image describes the scene or a display.
  ///
  /// HLG images may be scene-referred; PQ is display-referred. Transforms do not depend on it: linear
  /// values of HLG are always those of the reference display.
  public enum ImageState: String, Codable, Hashable, Sendable, CaseIterable {
    /// Display-referred: the image was rendered for a display.
    case display
    /// Scene-referred: the image represents the colors of the scene.
    case scene
  }

  /// Primaries and white.
  public var primaries: ColorPrimaries
  /// Transfer function of R'G'B'.
  public var transfer: TransferFunction
  /// Coefficients between R'G'B' and the coded components; ignored for RGB and gray.
  public var matrix: CICP.Matrix
  /// Whether integer samples use all code values; false for narrow range (video levels).
  ///
  /// Narrow range requires at least 8 bits. Alpha is always full range; floating-point samples do
  /// not depend on the range.
  public var isFullRange: Bool
  /// Location of subsampled chroma; ignored for 4:4:4, RGB and gray.
  public var chromaLocation: ChromaLocation
  /// Luminance of linear 1.0, in cd/m²; transforms require a finite number above 0.
  public var referenceWhite: Double
  /// Image state; `nil` (unspecified) means a display.
  public var imageState: ImageState?

  public init(
    primaries: ColorPrimaries, transfer: TransferFunction, matrix: CICP.Matrix = .identity,
    isFullRange: Bool = true, chromaLocation: ChromaLocation = .left,
    referenceWhite: Double = ColorEncoding.defaultReferenceWhite, imageState: ImageState? = nil
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.isFullRange = isFullRange
    self.chromaLocation = chromaLocation
    self.referenceWhite = referenceWhite
    self.imageState = imageState
  }

  /// Luminance of HDR reference white: 203 cd/m².
  ///
  /// Source: BT.2408, table 1.
  public static let defaultReferenceWhite = 203.0
}

extension ColorEncoding {
  /// Code points of this encoding; `.unspecified` for primaries and transfer functions without one.
  public var cicp: CICP {
    CICP(
      primaries: primaries.cicp ?? .unspecified, transfer: transfer.cicp ?? .unspecified,
      matrix: matrix, isFullRange: isFullRange)
  }

  /// Encoding of samples that are not color, such as gain, depth and mattes.
  ///
  /// Transforms between two of these keep the values.
  public static let data = ColorEncoding(primaries: .bt709, transfer: .linear)

  /// Luminances of reference white for which operators on luminance are defined, in cd/m².
  package static let referenceWhites = 0x1p-30...0x1p40

  /// Linear values in the same primaries, of the same reference white and image state, as RGB in
  /// full range.
  public var linear: ColorEncoding {
    ColorEncoding(
      primaries: primaries, transfer: .linear, referenceWhite: referenceWhite,
      imageState: imageState)
  }
}

extension ColorEncoding {
  /// Fails unless samples of this encoding and layout can be converted to R'G'B'.
  ///
  /// The matrix must be supported, and defined for the transfer function, the primaries and the
  /// sample type. The matrix of RGB and gray images is ignored. Size, depth and reference white are
  /// not checked.
  ///
  /// - Parameter format: Layout of the samples.
  /// - Throws: `.unsupported`, with the name of the matrix.
  public func requireDecodable(_ format: ImageLayout) throws(ImageError) {
    guard case .ycbcr = format.components else { return }
    let name = matrix.numberedName
    let place = ImageError.Location(path: ["color"])
    switch matrix {
    case .identity:
      throw ImageError(.unsupported, "{matrix} requires RGB samples", ["matrix": name], at: place)
    case .yCgCo: return
    case .yCgCoRe, .yCgCoRo:
      guard case .integer(let bits) = format.samples, let extra = YCgCo.extraBits(of: matrix) else {
        throw ImageError(
          .unsupported, "{matrix} requires integer samples", ["matrix": name], at: place)
      }
      let least = isFullRange ? 1 : 8
      guard bits - extra >= least else {
        throw ImageError(
          .unsupported, "{matrix} with {bits bit} is not supported",
          ["matrix": name, "bits": bits], at: place)
      }
    case .ictcp:
      guard transfer == .pq || transfer == .hlg else {
        throw ImageError(.unsupported, "{matrix} requires PQ or HLG", ["matrix": name], at: place)
      }
    case .bt2020Constant, .chromaDerivedConstant:
      guard ConstantLuminance(self) != nil else {
        throw ImageError(.colorMatrixWithoutLuminance, ["matrix": name], at: place)
      }
    default:
      guard YCbCr(matrix: matrix, primaries: primaries) == nil else { return }
      throw ImageError(
        matrix == .chromaDerivedNonConstant
          ? .colorMatrixWithoutLuminance : ErrorCode(.unsupported, "{matrix} cannot be decoded"),
        ["matrix": name], at: place)
    }
  }
}
