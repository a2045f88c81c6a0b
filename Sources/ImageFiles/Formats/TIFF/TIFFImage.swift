// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension TIFFFile {
  /// Maximum number of described images; the structure contains all directories.
  private static let maximumImageCount = 128

  /// The images of all directories and their subdirectories, in file order.
  ///
  /// - Throws: Errors that end the whole job.
  var images: [TIFFImage] {
    get throws(ImageError) {
      var images: [TIFFImage] = []
      func add(
        _ directory: TIFFDirectory, _ name: String, rotated: Orientation? = nil
      ) throws(ImageError) {
        let image = try TIFFImage(of: directory, named: name, in: self, rotated: rotated)
        if image.isImage { images.append(image) }
      }
      let rotated = try rawOrientation
      for (index, directory) in directories.prefix(Self.maximumImageCount).enumerated() {
        try add(directory, "IFD \(index)")
        guard let entry = directory[.subdirectories] else { continue }
        let below = try subdirectories(entry).prefix(max(Self.maximumImageCount - images.count, 0))
        for (number, directory) in below.enumerated() {
          try add(directory, "IFD \(index), SubIFD \(number)", rotated: rotated)
        }
        if images.count >= Self.maximumImageCount { break }
      }
      // Of raw files, only raw images are developed.
      let isRaw = images.contains(where: \.isRaw)
      let selectable = images.indices.filter { !isRaw || images[$0].isRaw }
      for (position, index) in selectable.enumerated() { images[index].number = position + 1 }
      return images
    }
  }

  /// The orientation in the first directory of a DNG file, which applies to all its images; `nil`
  /// for other files.
  ///
  /// Source: DNG 1.7.1, chapter 2, "Orientation".
  private var rawOrientation: Orientation? {
    get throws(ImageError) {
      let main = directories[0]
      guard main[.dngVersion] != nil else { return nil }
      let number = try ifReadable(try integers(.orientation, in: main).first)
      return number.flatMap(Orientation.init(rawValue:)) ?? .upright
    }
  }

  /// A copy of which the selected image is read, by default the first one that is not a reduced copy
  /// or a mask.
  ///
  /// Without a selection, the developer of raw files chooses among their images.
  ///
  /// - Throws: `.invalidArgument` for a selection that does not exist.
  func selecting(_ selection: OpeningOptions.ImageSelection?) throws(ImageError) -> TIFFFile {
    let images = try images
    var file = self
    if let selection {
      file.selectedDirectory = try selection.choose(
        from: images.map { ($0.number, [$0.name], $0.directory) })
    } else if !images.contains(where: \.isRaw), directories[0][.dngVersion] == nil {
      file.selectedDirectory = (images.first { !$0.isReduced } ?? images.first)?.directory
    }
    return file
  }
}

/// The image of a TIFF directory, described regardless of whether it can be decoded.
struct TIFFImage {
  let name: String
  /// Position among the images that can be selected, counted from 1; `nil` for others.
  fileprivate(set) var number: Int?
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
  /// Byte ranges of the samples; of uncompressed strips and tiles, without their padding.
  let dataRanges: [Range<Int>]

  /// Reads the description of an image from its directory.
  ///
  /// - Parameters:
  ///   - directory: A directory of the file.
  ///   - name: Display name of the image.
  ///   - file: The file.
  ///   - rotated: Orientation of the whole file; `nil` to use that of the directory.
  /// - Throws: Errors that end the whole job.
  init(
    of directory: TIFFDirectory, named name: String, in file: TIFFFile, rotated: Orientation? = nil
  ) throws(ImageError) {
    func numbers(_ tag: TIFFTag) throws(ImageError) -> [Int] {
      try ifReadable(try file.integers(tag, in: directory)) ?? []
    }
    self.name = name
    self.directory = directory
    width = try numbers(.imageWidth).first ?? 0
    height = try numbers(.imageLength).first ?? 0
    compression = try numbers(.compression).first ?? 1
    let values = try numbers(.bitsPerSample)
    // Thumbnails of Exif and cameras leave it to the JPEG image.
    bits = values.isEmpty && compression == 6 ? [8, 8, 8] : values
    isFloat = try numbers(.sampleFormat).first == 3
    channels = try numbers(.samplesPerPixel).first ?? max(bits.count, 1)
    photometric = try numbers(.photometric).first
    // Source: TIFF 6.0, SubfileType, the older tag: 2 is a reduced copy.
    let isReduced = try numbers(.subfileType).first == 2
    subfileType = try numbers(.newSubfileType).first ?? (isReduced ? 1 : 0)
    let declared = try numbers(.orientation).first.flatMap(Orientation.init(rawValue:))
    orientation = rotated ?? declared ?? .upright
    let places: [(TIFFTag, TIFFTag)] = [
      (.stripOffsets, .stripByteCounts), (.tileOffsets, .tileByteCounts),
      (.jpegOffset, .jpegByteCount),
    ]
    let sizes = try TIFFChunkSizes(of: directory, in: file)
    dataRanges = try places.map { offsets, counts throws(ImageError) in
      let sizes = offsets == .jpegOffset ? nil : sizes
      return zip(try numbers(offsets), try numbers(counts)).enumerated().map { index, place in
        let (offset, count) = place
        return offset..<offset + min(count, sizes?.needed(index) ?? count, Int.max - offset)
      }
    }.flatMap { $0 }
  }

  /// Whether the directory specifies an image size.
  var isImage: Bool { width > 0 && height > 0 }

  /// Number of pixels; floating-point, so that the product cannot overflow.
  var pixels: Double { Double(width) * Double(height) }

  /// Whether it is not a full-resolution image or page.
  ///
  /// Source: TIFF 6.0, NewSubfileType: bit 0 a reduced copy, bit 1 a page, bit 2 a mask; DNG 1.7.1
  /// adds depth.
  var isReduced: Bool { subfileType & ~2 != 0 }

  /// Source: DNG 1.7.1: color filter array and linear raw.
  var isRaw: Bool { photometric == 32803 || photometric == 34892 }

  /// Whether it is the enhanced image of a DNG file.
  ///
  /// Source: DNG 1.7.1, NewSubFileType.
  var isEnhanced: Bool { isRaw && subfileType == 16 }

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
      layout: ImageLayout(
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
