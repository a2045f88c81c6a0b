// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers

/// The image of a TIFF directory, described regardless of whether it can be decoded.
struct TIFFImage {
  let name: String
  let directory: TIFFDirectory
  let width: Int
  let height: Int
  private let bits: [Int]
  private let isFloat: Bool
  private let channels: Int
  private let compression: Int
  private let photometric: Int?
  private let subfileType: Int
  private let orientation: Orientation
  /// Byte ranges of the samples.
  let dataRanges: [Range<Int>]

  /// Reads the description of an image from its directory.
  ///
  /// - Parameters:
  ///   - directory: A directory of the file.
  ///   - name: Display name of the image.
  ///   - file: The file.
  ///   - rotated: Orientation of the whole file; `nil` to use that of the directory.
  init(
    of directory: TIFFDirectory, named name: String, in file: TIFFFile, rotated: Orientation? = nil
  ) {
    func numbers(_ tag: TIFFTag) -> [Int] { (try? file.integers(tag, in: directory)) ?? [] }
    self.name = name
    self.directory = directory
    width = numbers(.imageWidth).first ?? 0
    height = numbers(.imageLength).first ?? 0
    compression = numbers(.compression).first ?? 1
    let values = numbers(.bitsPerSample)
    // Thumbnails of Exif and cameras leave it to the JPEG image.
    bits = values.isEmpty && compression == 6 ? [8, 8, 8] : values
    isFloat = numbers(.sampleFormat).first == 3
    channels = numbers(.samplesPerPixel).first ?? max(bits.count, 1)
    photometric = numbers(.photometric).first
    subfileType = numbers(.newSubfileType).first ?? 0
    orientation =
      rotated ?? numbers(.orientation).first.flatMap(Orientation.init(rawValue:)) ?? .upright
    let places: [(TIFFTag, TIFFTag)] = [
      (.stripOffsets, .stripByteCounts), (.tileOffsets, .tileByteCounts),
      (.jpegOffset, .jpegByteCount),
    ]
    dataRanges = places.flatMap { offsets, counts in
      zip(numbers(offsets), numbers(counts)).map { offset, count in
        offset..<offset + min(count, Int.max - offset)
      }
    }
  }

  /// Whether the directory specifies an image size.
  var isImage: Bool { width > 0 && height > 0 }

  /// Number of pixels; floating-point, so that the product cannot overflow.
  var pixels: Double { Double(width) * Double(height) }

  /// Source: TIFF 6.0, NewSubfileType: bit 0 a reduced copy, bit 2 a mask; DNG 1.7.1 adds depth.
  var isReduced: Bool { subfileType != 0 }

  /// Source: DNG 1.7.1: color filter array and linear raw.
  var isRaw: Bool { photometric == 32803 || photometric == 34892 }

  /// Whether samples are in JPEG, lossless or not.
  var isJPEG: Bool { compression == 6 || compression == 7 }

  var role: FileImage.Role {
    switch (subfileType & 0xFFFF, photometric) {
    case (_, 52527?): .matte
    case (_, 51177?): .depth
    case (4, _): .alpha
    case (1, _): .preview
    default: .other
    }
  }

  func image(role: FileImage.Role, color: ColorInspection?) -> FileImage {
    let depth = bits.first ?? 1
    let components: ImageLayout.Components =
      channels < 3 ? .gray : photometric == 6 ? .ycbcr(.yuv444) : .rgb
    return FileImage(
      name: name, role: role,
      format: ImageLayout(
        width: width, height: height, components: components,
        samples: isFloat ? .float : .integer(bits: depth)),
      floatBits: isFloat || isLogarithmic ? depth : nil, orientation: orientation,
      coding: CodecConfiguration(compressionName, lumaDepth: depth),
      interpretation: photometric.map(Self.name(ofPhotometric:)), color: color)
  }

  private var isLogarithmic: Bool { photometric == 32844 || photometric == 32845 }

  /// Source: TIFF 6.0; DNG 1.7.1; libtiff's list of codes in use.
  private var compressionName: String {
    switch compression {
    case 1: "uncompressed"
    case 5: "LZW"
    case 6: "JPEG (old)"
    case 7: "JPEG"
    case 8, 32946: "Deflate"
    case 9: "VC-5"
    case 32767: "Sony ARW"
    case 32773: "PackBits"
    case 34676: "SGI LogLuv"
    case 34677: "SGI LogLuv 24"
    case 34713: "Nikon NEF"
    case 34892: "JPEG (lossy DNG)"
    case 34925: "LZMA"
    case 50000: "Zstandard"
    case 52546: "JPEG XL"
    case 65535: "Pentax PEF"
    default: "compression \(compression)"
    }
  }

  /// Source: TIFF 6.0; DNG 1.7.1.
  private static func name(ofPhotometric code: Int) -> String {
    switch code {
    case 0: "White Is Zero"
    case 1: "Black Is Zero"
    case 2: "RGB"
    case 3: "Palette"
    case 4: "Transparency Mask"
    case 5: FileImage.inks
    case 6: "YCbCr"
    case 8: "CIELab"
    case 32803: "Color Filter Array"
    case 32844: "LogL"
    case 32845: "LogLuv"
    case 34892: "Linear Raw"
    case 51177: "Depth"
    case 52527: "Semantic Mask"
    default: "interpretation \(code)"
    }
  }
}
