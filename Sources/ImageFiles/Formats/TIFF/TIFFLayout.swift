// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Sample layout of the image of a TIFF file.
package struct TIFFLayout: Sendable {
  /// Storage format of a decompressed sample.
  package enum Coding: Hashable {
    /// Packed, most significant bits first; samples of 8 and 16 bits are whole bytes.
    case unsigned(bits: Int)
    case half
    case float
    case double

    package var bits: Int {
      switch self {
      case .unsigned(let bits): bits
      case .half: 16
      case .float: 32
      case .double: 64
      }
    }
  }

  package var format: ImageLayout
  package var coding: Coding
  /// Samples per pixel in the file.
  package var channels: Int
  /// Indices of the samples that become planes, in plane order.
  package var usedChannels: [Int]
  /// Whether 0 is white.
  package var isInverted = false
  /// Red, green and blue by palette index.
  package var palette: [SIMD3<UInt16>]?
  /// Whether the samples are SGI LogLuv (XYZ) or LogL (Y).
  package var isLogarithmic = false
  /// Whether strips must be decoded as a whole: libtiff drops the rest of a PackBits run that
  /// crosses rows, which some programs write, if it decodes row by row, and does not distinguish
  /// JPEG without EOI from JPEG that ends early.
  package let needsWholeStrips: Bool
  /// Offset of the directory in the file.
  package let directoryOffset: Int
  package var notices: [Notice] = []

  package init(of file: TIFFFile) throws(ImageError) {
    let directory = file.mainDirectory
    directoryOffset = directory.offset
    func integer(_ tag: TIFFTag, default value: Int? = nil) throws(ImageError) -> Int {
      guard let number = try file.integers(tag, in: directory).first ?? value else {
        throw ImageError(
          .missingElement, ["element": "tag \(tag.rawValue)"], at: .init(offset: directory.offset))
      }
      return number
    }
    let compression = try integer(.compression, default: 1)
    needsWholeStrips = compression == 32773 || compression == 7
    let photometric = Photometric(rawValue: try integer(.photometric))
    channels = try integer(.samplesPerPixel, default: 1)
    isLogarithmic = photometric == .logL || photometric == .logLuv
    coding = try isLogarithmic ? .float : Self.coding(of: file, directory)
    guard let photometric, photometric.isReadable(compression: compression) else {
      let number = try integer(.photometric)
      throw ImageError(
        .unsupported,
        "{color} (photometric interpretation {number}) with compression {compression} is not "
          + "supported",
        ["color": Self.colorName(number) ?? "color", "number": number, "compression": compression],
        at: .init(path: ["tag 262"], offset: directory.offset))
    }
    guard channels <= Self.mostChannels else {
      throw ImageError(
        .unsupportedValue, ["field": "samples per pixel", "value": channels],
        at: .init(path: ["tag 277"], offset: directory.offset))
    }
    let colors = photometric.channels
    guard channels >= colors else {
      throw ImageError(
        .malformed, "{count sample} per pixel where {needed} are needed",
        ["count": channels, "needed": colors],
        at: .init(path: ["tag 277"], offset: directory.offset))
    }
    isInverted = photometric == .whiteIsZero
    format = ImageLayout(
      width: try integer(.imageWidth), height: try integer(.imageLength),
      components: colors == 3 || photometric == .palette ? .rgb : .gray,
      samples: .float)
    if case .unsigned(let bits) = coding {
      format.samples = .integer(bits: photometric == .palette ? 16 : bits)
    }
    usedChannels = Array(0..<colors)
    if photometric == .palette {
      palette = try Self.palette(of: file, directory, bits: coding.bits)
    } else {
      try findAlpha(file, directory, colors: colors)
    }
    if file.directories.count > 1 {
      notices.append(
        Notice(.dropped, "dropped: {count further page}", ["count": file.directories.count - 1]))
    }
  }

  /// Fails if strips or tiles are too short for the image in their compression.
  ///
  /// - Returns: The file for libtiff, in which the byte counts of uncompressed strips and tiles are
  ///   those of the bytes that the file has.
  /// - Throws: `.truncated`.
  package func checkedSource(
    of file: TIFFFile, notices: DecodingNotices
  ) throws(ImageError) -> ByteSource {
    let directory = file.mainDirectory
    let entry = directory[.tileByteCounts] ?? directory[.stripByteCounts]
    let counts =
      try entry.flatMap { entry throws(ImageError) in
        try ifReadable(try file.integers(entry.tag, in: directory))
      } ?? []
    let compression = try ifReadable(try file.integers(.compression, in: directory).first) ?? 1
    // Readers estimate missing counts, and those of data without compression.
    let sum = counts.reduce(0) { $0.addingReportingOverflow($1).partialValue }
    let isKnown = compression != 1 && sum > 0 && !counts.contains(0)
    let bits = format.width * format.height * channels * (isLogarithmic ? 16 : coding.bits)
    let available = try availableCounts(of: file, declared: counts, notices: notices)
    try ImageError.requireCodedData(
      // Strips and tiles that share bytes count once.
      isKnown ? min(sum, file.source.count) : file.source.count,
      atLeast: bits / 8 / Self.largestRatio(compression), width: format.width,
      height: format.height, at: .init(path: ["directory"], offset: directory.offset))
    guard let entry, available != counts else { return file.source }
    return file.replacing(entry, with: available)
  }

  /// The byte counts of uncompressed strips and tiles that are within the file; other counts are
  /// returned as they are.
  ///
  /// - Throws: `.truncated` if one is shorter than its rows within the image, since libtiff reads on
  ///   in the bytes after it.
  private func availableCounts(
    of file: TIFFFile, declared: [Int], notices: DecodingNotices
  ) throws(ImageError) -> [Int] {
    let directory = file.mainDirectory
    guard let sizes = try TIFFChunkSizes(of: directory, in: file) else { return declared }
    let offsets =
      try ifReadable(
        try file.integers(
          directory[.tileOffsets] == nil ? .stripOffsets : .tileOffsets, in: directory)) ?? []
    var counts = declared
    for (index, offset) in offsets.prefix(min(sizes.count, counts.count)).enumerated() {
      let count = declared[index]
      // An offset of 0 marks a tile without samples, which GDAL omits.
      let rest = offset == 0 ? 0 : max(file.source.count - offset, 0)
      counts[index] = min(count == 0 ? sizes.whole : count, rest)
      let place = ImageError.Location(
        path: ["\(sizes.isTiled ? "tile" : "strip") \(index)"], offset: directory.offset)
      guard counts[index] >= sizes.needed(index) else {
        throw ImageError(
          .truncated, "strip or tile of {size byte}; its samples require {needed}",
          ["size": counts[index], "needed": sizes.needed(index)], at: place)
      }
      if sizes.isTiled, counts[index] < sizes.whole {
        notices.add(
          Notice(
            .conflict, "not padded to {size pixel}; the image is complete",
            ["size": .size(sizes.width, sizes.height)], at: place))
      } else if counts[index] != count {
        notices.add(Notice(.tiffByteCountIgnored, ["size": count], at: place))
      }
      // libtiff reads strips that are much longer than their rows in parts, and fails between them.
      counts[index] = min(counts[index], sizes.whole)
    }
    return counts
  }

  /// Upper limit of the ratio of samples to coded data.
  private static func largestRatio(_ compression: Int) -> Int {
    switch compression {
    case 1: 1
    // LZW: 4093 bytes in a code of 12 bits.
    case 5: 2729
    // JPEG: two bits for a block of 64 samples, with chroma in half the columns and rows.
    case 7: 1024
    // Deflate, RFC 1951.
    case 8, 32946: 1032
    // PackBits: 128 bytes in two.
    case 32773: 64
    default: 1 << 16
    }
  }

  /// Limit above the sample count of real images; a row with 65535 samples per pixel takes
  /// gigabytes.
  private static let mostChannels = 512

  /// Source: TIFF 6.0, PhotometricInterpretation.
  private enum Photometric: Int {
    case whiteIsZero = 0
    case blackIsZero = 1
    case rgb = 2
    case palette = 3
    case ycbcr = 6
    case logL = 32844
    case logLuv = 32845

    package var channels: Int { self == .rgb || self == .ycbcr || self == .logLuv ? 3 : 1 }

    /// Y'CbCr is supported only with JPEG compression, for which libtiff converts to RGB.
    package func isReadable(compression: Int) -> Bool {
      switch self {
      case .ycbcr: compression == 7
      case .logL, .logLuv: compression == 34676 || compression == 34677
      default: true
      }
    }
  }

  /// Source: TIFF 6.0, section 16, 20, 23; DNG 1.7, PhotometricInterpretation.
  private static func colorName(_ photometric: Int) -> String? {
    switch photometric {
    case 4: "a transparency mask"
    case 5: "CMYK"
    case 6: "Y'CbCr"
    case 8, 9, 10: "CIELAB"
    case 32803: "color filter array"
    case 34892: "linear raw"
    default: nil
    }
  }

  private static func coding(
    of file: TIFFFile, _ directory: TIFFDirectory
  ) throws(ImageError) -> Coding {
    let bits = try file.integers(.bitsPerSample, in: directory)
    let formats = try file.integers(.sampleFormat, in: directory)
    let depth = bits.first ?? 1
    let isUniform = bits.allSatisfy { $0 == depth } && formats.allSatisfy { $0 == formats.first }
    switch (formats.first ?? 1, depth, isUniform) {
    case (1, 1...16, true), (4, 1...16, true): return .unsigned(bits: depth)
    case (3, 16, true): return .half
    case (3, 32, true): return .float
    case (3, 64, true): return .double
    default:
      throw ImageError(
        .unsupported, "{type} samples of {bits bit} are not supported",
        ["type": sampleName(formats), "bits": bits],
        at: .init(path: ["tag 258"], offset: directory.offset))
    }
  }

  /// Source: TIFF 6.0, SampleFormat.
  private static func sampleName(_ formats: [Int]) -> String {
    guard formats.allSatisfy({ $0 == formats.first }) else { return "differing" }
    return switch formats.first ?? 1 {
    case 1, 4: "unsigned"
    case 2: "signed"
    case 3: "floating-point"
    default: "complex"
    }
  }

  /// Source: TIFF 6.0, ColorMap: all reds, all greens, all blues, 16 bits each.
  private static func palette(
    of file: TIFFFile, _ directory: TIFFDirectory, bits: Int
  ) throws(ImageError) -> [SIMD3<UInt16>] {
    var map = try file.integers(.colorMap, in: directory)
    guard bits <= 8, map.count == 3 << bits else {
      throw ImageError(
        .malformed, "a color map of {count value} for {bits bit}",
        ["count": map.count, "bits": bits],
        at: .init(path: ["tag 320"], offset: directory.offset))
    }
    // Some programs write values of 8 bits.
    if map.allSatisfy({ $0 < 256 }) { map = map.map { $0 * 257 } }
    let count = 1 << bits
    return (0..<count).map {
      SIMD3(
        UInt16(clamping: map[$0]), UInt16(clamping: map[$0 + count]),
        UInt16(clamping: map[$0 + 2 * count]))
    }
  }

  private mutating func findAlpha(
    _ file: TIFFFile, _ directory: TIFFDirectory, colors: Int
  ) throws(ImageError) {
    guard channels > colors else { return }
    var extras = try file.integers(.extraSamples, in: directory)
    if extras.isEmpty, colors == 3, channels == 4 {
      // The interpretation of libtiff.
      extras = [1]
      notices.append(
        Notice(
          .assumed, "assumed: the fourth sample is premultiplied alpha",
          at: .init(path: ["tag 338"])))
    }
    // 1: associated, 2: unassociated.
    if let index = extras.prefix(channels - colors).firstIndex(where: { 1...2 ~= $0 }) {
      format.hasAlpha = true
      format.isAlphaPremultiplied = extras[index] == 1
      usedChannels.append(colors + index)
    }
    let unused = channels - usedChannels.count
    if unused > 0 {
      notices.append(
        Notice(
          .dropped, "dropped: {count extra sample} per pixel", ["count": unused],
          at: .init(path: ["tag 338"])))
    }
  }
}
