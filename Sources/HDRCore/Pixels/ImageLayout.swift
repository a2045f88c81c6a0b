/// Size, components and sample type of an image.
public struct ImageLayout: Hashable, Sendable {
  /// Which components there are.
  public enum Components: Hashable, Sendable {
    /// One plane: gray, or luma alone (4:0:0).
    case gray
    /// Three planes: red, green, blue. Codecs with matrix 0 code them as green, blue, red.
    case rgb
    /// Three planes: luma and two color differences (Y'CbCr, ICtCp).
    case ycbcr(ChromaSubsampling)
  }

  /// Type of the samples.
  public enum Samples: Hashable, Sendable {
    /// Unsigned integers of 1...16 bits.
    case integer(bits: Int)
    /// Floating point; linear values or signal, as the color encoding specifies.
    case float
    /// Floating point of 16 bits, for light that a file will hold in no more.
    case half
  }

  /// Columns of the luma, or of each component without subsampling.
  public var width: Int
  /// Rows of the same.
  public var height: Int
  /// Which components there are.
  public var components: Components
  /// Type of the samples.
  public var samples: Samples
  /// Whether a plane of alpha follows the components, with the same kind of samples.
  public var hasAlpha: Bool
  /// Whether the components are multiplied by coverage already (associated alpha).
  public var isAlphaPremultiplied: Bool

  public init(
    width: Int, height: Int, components: Components, samples: Samples, hasAlpha: Bool = false,
    isAlphaPremultiplied: Bool = false
  ) {
    self.width = width
    self.height = height
    self.components = components
    self.samples = samples
    self.hasAlpha = hasAlpha
    self.isAlphaPremultiplied = isAlphaPremultiplied
  }

  /// Whether samples are floating point, of 16 bits or 32.
  public var isFloatingPoint: Bool { samples == .float || samples == .half }

  /// Planes without alpha: 1 or 3.
  public var componentCount: Int { components == .gray ? 1 : 3 }
  /// Planes with alpha.
  public var planeCount: Int { componentCount + (hasAlpha ? 1 : 0) }

  /// Chroma format: 4:4:4 for RGB, 4:0:0 for gray.
  public var chroma: ChromaSubsampling {
    switch components {
    case .gray: .yuv400
    case .rgb: .yuv444
    case .ycbcr(let chroma): chroma
    }
  }

  /// Width and height of plane `index`; subsampled planes round up.
  public func planeSize(_ index: Int) -> (width: Int, height: Int) {
    guard case .ycbcr(let chroma) = components, index == 1 || index == 2 else {
      return (width, height)
    }
    return (
      (width + chroma.horizontal - 1) / chroma.horizontal,
      (height + chroma.vertical - 1) / chroma.vertical
    )
  }
}

/// How many luma samples share one chroma sample.
public enum ChromaSubsampling: String, Hashable, Sendable, CaseIterable {
  case yuv444 = "444"
  case yuv422 = "422"
  case yuv420 = "420"
  case yuv400 = "400"

  /// Luma columns for each chroma column.
  public var horizontal: Int { self == .yuv444 || self == .yuv400 ? 1 : 2 }
  /// Luma rows for each chroma row.
  public var vertical: Int { self == .yuv420 ? 2 : 1 }
}

/// Where chroma samples lie between luma samples.
///
/// Source: ITU-T H.273, ChromaLocType; figure 1.
public enum ChromaLocation: Int, Hashable, Sendable {
  /// Type 0: on the left luma column, between the two rows. Inferred for HEVC; AV1's "vertical".
  case left = 0
  /// Type 1: in the middle of the four luma samples, as in JPEG.
  case center = 1
  /// Type 2: on the top left luma sample. AV1's "colocated".
  case topLeft = 2
}
