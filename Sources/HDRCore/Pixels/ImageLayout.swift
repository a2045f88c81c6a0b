// SPDX-License-Identifier: Apache-2.0

/// Size, components, sample type and alpha of an image; not checked by its initializer.
public struct ImageLayout: Hashable, Sendable {
  /// Color components of an image.
  public enum Components: Hashable, Sendable {
    /// One plane: gray, or luma alone (4:0:0).
    case gray
    /// Three planes: red, green, blue. Codecs encode them with matrix 0 as green, blue, red.
    case rgb
    /// Three planes: luma and two color differences (Y'CbCr, ICtCp); integers only.
    case ycbcr(ChromaSubsampling)
  }

  /// Type of the samples.
  public enum Samples: Hashable, Sendable {
    /// Unsigned integers of 1...16 bits, stored in 16 bits each.
    case integer(bits: Int)
    /// 32-bit floating point; linear values or signal, as the color encoding specifies.
    case float
    /// 16-bit floating point, for linear values that a file stores with this precision.
    case half
  }

  /// Columns of luma, or of each component without subsampling; transforms require at least 1.
  public var width: Int
  /// Rows of luma, or of each component without subsampling; transforms require at least 1.
  public var height: Int
  /// Color components of the image.
  public var components: Components
  /// Type of the samples.
  public var samples: Samples
  /// Whether a plane of alpha follows the components, with the same sample type.
  public var hasAlpha: Bool
  /// Whether the components, as stored, are premultiplied by alpha (associated alpha).
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

  /// Whether samples are floating point, of 16 or 32 bits.
  public var isFloatingPoint: Bool { samples == .float || samples == .half }

  /// Number of planes without alpha: 1 or 3.
  public var componentCount: Int { components == .gray ? 1 : 3 }
  /// Number of planes including alpha.
  public var planeCount: Int { componentCount + (hasAlpha ? 1 : 0) }

  /// The layout of a strip of the image.
  package func strip(height: Int) -> ImageLayout {
    var strip = self
    strip.height = height
    return strip
  }

  /// Planes of this layout with samples of value 0.
  package func zeroPlanes<Sample: Numeric & BitwiseCopyable & Sendable>(
    of type: Sample.Type
  ) -> [Plane<Sample>] {
    (0..<planeCount).map { index in
      let size = planeSize(index)
      return Plane(width: size.width, height: size.height, filledWith: 0)
    }
  }

  /// Chroma format: 4:4:4 for RGB, 4:0:0 for gray.
  public var chroma: ChromaSubsampling {
    switch components {
    case .gray: .yuv400
    case .rgb: .yuv444
    case .ycbcr(let chroma): chroma
    }
  }

  /// Width and height of plane `index`; subsampled planes round up.
  ///
  /// - Parameter index: 0 to `planeCount` - 1, in the order of `Components`, alpha last.
  /// - Returns: The number of samples in a row, and of rows.
  public func planeSize(_ index: Int) -> (width: Int, height: Int) {
    guard case .ycbcr(let chroma) = components, index == 1 || index == 2 else {
      return (width, height)
    }
    func half(_ length: Int, _ divisor: Int) -> Int {
      length / divisor + (length % divisor > 0 ? 1 : 0)
    }
    return (half(width, chroma.horizontal), half(height, chroma.vertical))
  }
}

extension ImageLayout {
  /// Number of pixels, in millions.
  package var megapixels: Double { Double(width) * Double(height) / 1e6 }

  /// Size of all planes in memory, in bytes; at most `Int.max`.
  package var byteCount: Int {
    (0..<planeCount).reduce(0) { sum, index in
      let size = planeSize(index)
      let plane = size.width.multipliedReportingOverflow(by: size.height)
      let bytes = plane.partialValue.multipliedReportingOverflow(by: samples == .float ? 4 : 2)
      let total = sum.addingReportingOverflow(bytes.partialValue)
      return plane.overflow || bytes.overflow || total.overflow ? .max : total.partialValue
    }
  }

  /// Fails for sizes below 1, and for sizes whose byte count cannot be represented.
  ///
  /// - Throws: `.invalidArgument`.
  func checkSize() throws(ImageError) {
    // Independent of `ImageLimits`.
    let pixels = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, max(width, height) <= Int32.max, !pixels.overflow,
      pixels.partialValue <= 1 << 48
    else {
      throw ImageError(.imageSizeInvalid, ["size": .size(width, height)])
    }
  }

  /// Fails unless the budget of the current operation has memory for all planes.
  ///
  /// - Throws: `.limitExceeded`.
  package func requireMemory() throws(ImageError) {
    try Execution.current.budget.require(memory: byteCount, for: "samples")
  }
}

/// Chroma subsampling: the ratio of luma samples to chroma samples.
public enum ChromaSubsampling: String, Codable, Hashable, Sendable, CaseIterable {
  /// Chroma in full resolution.
  case yuv444 = "444"
  /// Half the columns.
  case yuv422 = "422"
  /// Half the columns and half the rows.
  case yuv420 = "420"
  /// No chroma: gray images.
  case yuv400 = "400"

  /// Luma columns for each chroma column: 1 or 2.
  public var horizontal: Int { self == .yuv444 || self == .yuv400 ? 1 : 2 }
  /// Luma rows for each chroma row: 1 or 2.
  public var vertical: Int { self == .yuv420 ? 2 : 1 }
}

/// Position of chroma samples relative to luma samples.
///
/// Source: ITU-T H.273, ChromaLocType; figure 1.
public enum ChromaLocation: Int, Hashable, Sendable {
  /// Type 0: at the left luma column, between the two rows.
  ///
  /// It is the default of HEVC, and "vertical" in AV1.
  case left = 0
  /// Type 1: at the center of the four luma samples, as in JPEG.
  case center = 1
  /// Type 2: at the top left luma sample; "colocated" in AV1. It is decoded, but not encoded.
  case topLeft = 2
}

/// Layout, color, light metadata and orientation of an image.
///
/// A transform is prepared from two of these, and checks them.
public struct ImageDescription: Hashable, Sendable {
  /// Size, components, sample type and alpha.
  public var layout: ImageLayout
  /// Color encoding of the samples.
  public var color: ColorEncoding
  /// Light metadata that belongs to the image.
  public var light: LightMetadata
  /// Relation of the stored rows and columns to the upright image.
  public var orientation: Orientation

  /// Describes an image.
  ///
  /// - Parameters:
  ///   - layout: Size, components, sample type and alpha.
  ///   - color: Color encoding of the samples.
  ///   - light: Light metadata.
  ///   - orientation: Relation of the stored rows and columns to the upright image.
  public init(
    layout: ImageLayout, color: ColorEncoding, light: LightMetadata = LightMetadata(),
    orientation: Orientation = .upright
  ) {
    self.layout = layout
    self.color = color
    self.light = light
    self.orientation = orientation
  }

  /// The same image as linear values: RGB in single precision, with the primaries, reference white,
  /// alpha, light metadata and orientation of this image.
  public var linear: ImageDescription {
    var linear = self
    linear.color = color.linear
    linear.layout.components = .rgb
    linear.layout.samples = .float
    return linear
  }
}

/// Relation of stored rows and columns to the upright image.
///
/// A case names the change that makes the stored image upright; its number is the value of Exif.
///
/// Source: Exif (CIPA DC-008), tag 274; HEIF (ISO/IEC 23008-12), 6.5.10 and 6.5.12.
public enum Orientation: Int, Codable, Hashable, Sendable, CaseIterable {
  /// The stored image is upright.
  case upright = 1
  /// Left and right are exchanged.
  case mirrored = 2
  /// Upright after half a turn.
  case rotated180 = 3
  /// Top and bottom are exchanged.
  case flipped = 4
  /// Mirrored along the diagonal from top left to bottom right.
  case transposed = 5
  /// Upright after a quarter turn clockwise.
  case rotated90 = 6
  /// Mirrored along the diagonal from top right to bottom left.
  case transversed = 7
  /// Upright after a quarter turn anticlockwise.
  case rotated270 = 8

  /// Whether width and height are swapped.
  public var swapsSides: Bool { rawValue >= 5 }

  /// The orientation from the upright image to the stored one.
  public var inverse: Orientation {
    switch self {
    case .rotated90: .rotated270
    case .rotated270: .rotated90
    default: self
    }
  }
}
