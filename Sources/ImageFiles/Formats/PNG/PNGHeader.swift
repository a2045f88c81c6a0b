// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Parsed data of a chunk; one Swift type for each chunk type.
package protocol PNGChunkContent: Hashable, Sendable {
  static var chunkType: PNGChunk.ChunkType { get }
  /// Parses the data of a chunk.
  ///
  /// - Throws: `.truncated` or `.malformed` if the data are invalid.
  init(parsing reader: inout ByteReader) throws(ImageError)
  func write(to writer: inout ByteWriter)
}

extension PNGChunk {
  package init(_ content: some PNGChunkContent) {
    var writer = ByteWriter()
    content.write(to: &writer)
    self.init(Swift.type(of: content).chunkType, writer.bytes)
  }
}

/// The `IHDR` chunk: size and sample layout.
///
/// Source: PNG Third Edition, 11.2.1.
package struct PNGHeader: PNGChunkContent {
  /// Color type: the channels of a pixel, in the order in which they are stored.
  package enum ColorType: UInt8, Hashable, Sendable {
    case gray = 0
    case rgb = 2
    /// Indices in the colors of `PLTE`.
    case palette = 3
    case grayAlpha = 4
    case rgbAlpha = 6
  }

  /// Columns of the image, 1...2147483647.
  package var width: Int
  /// Rows of the image, 1...2147483647.
  package var height: Int
  /// Bits per sample, or per palette index: 1, 2, 4, 8 or 16, as the color type allows.
  package var bitDepth: Int
  /// The channels of a pixel.
  package var colorType: ColorType
  /// Whether the rows are stored in the seven passes of Adam7.
  package var isInterlaced: Bool

  package init(
    width: Int, height: Int, bitDepth: Int, colorType: ColorType, isInterlaced: Bool = false
  ) {
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.colorType = colorType
    self.isInterlaced = isInterlaced
  }

  package static var chunkType: PNGChunk.ChunkType { .imageHeader }

  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let place = ImageError.Location(offset: reader.fileOffset)
    let width: UInt32 = try reader.readBigEndian()
    let height: UInt32 = try reader.readBigEndian()
    let bitDepth: UInt8 = try reader.readBigEndian()
    let colorType: UInt8 = try reader.readBigEndian()
    let compression: UInt8 = try reader.readBigEndian()
    let filter: UInt8 = try reader.readBigEndian()
    let interlace: UInt8 = try reader.readBigEndian()

    guard (1...PNGChunk.longest).contains(Int(width)), (1...PNGChunk.longest).contains(Int(height))
    else { throw ImageError(.emptyImage, ["width": Int(width), "height": Int(height)], at: place) }
    guard let type = ColorType(rawValue: colorType), type.bitDepths.contains(Int(bitDepth)) else {
      throw ImageError(
        .malformed, "color type {type} does not have {bits bit}",
        ["type": colorType, "bits": bitDepth], at: place)
    }
    guard compression == 0, filter == 0, interlace <= 1 else {
      throw ImageError(
        .unsupported,
        "compression {compression}, filter method {filter}, interlace method {interlace}",
        ["compression": compression, "filter": filter, "interlace": interlace], at: place)
    }
    self.init(
      width: Int(width), height: Int(height), bitDepth: Int(bitDepth), colorType: type,
      isInterlaced: interlace == 1)
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(UInt32(clamping: width))
    writer.writeBigEndian(UInt32(clamping: height))
    writer.write([UInt8(clamping: bitDepth), colorType.rawValue, 0, 0, isInterlaced ? 1 : 0])
  }
}

extension PNGHeader {
  /// Number of bytes of the samples of an image, or of a frame of another size, before compression.
  ///
  /// Source: PNG Third Edition, 7.2 and 8.1.
  func byteCount(width: Int, height: Int) -> Int {
    let passes =
      isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ]
      : [(0, 0, 1, 1)]
    return passes.reduce(0) { sum, pass in
      let columns = (max(width - pass.0, 0) + pass.2 - 1) / pass.2
      let rows = (max(height - pass.1, 0) + pass.3 - 1) / pass.3
      // Each row begins with its filter.
      let row = columns > 0 ? 1 + (columns * colorType.channels * bitDepth + 7) / 8 : 0
      let (count, isTooLarge) = row.multipliedReportingOverflow(by: rows)
      return isTooLarge ? .max : min(sum, .max - count) + count
    }
  }
}

extension PNGHeader.ColorType {
  /// Number of stored samples per pixel, 1...4; 1 for a palette.
  package var channels: Int {
    switch self {
    case .gray, .palette: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgbAlpha: 4
    }
  }

  /// Bit depths allowed for the color type.
  ///
  /// Source: table 11.1.
  var bitDepths: [Int] {
    switch self {
    case .gray: [1, 2, 4, 8, 16]
    case .palette: [1, 2, 4, 8]
    case .rgb, .grayAlpha, .rgbAlpha: [8, 16]
    }
  }
}

/// Conversion of decoded PNG rows to planes.
package struct PNGLayout: Sendable {
  package let format: ImageLayout
  private let header: PNGHeader
  /// Number of insignificant low bits to remove from each sample.
  private let shift: UInt16
  /// Red, green, blue and alpha, by palette index.
  private let palette: [SIMD4<UInt16>]
  /// Samples of the transparent color; `nil` if there is not one.
  private let transparent: [UInt16]?

  /// Size of a decoded row, in bytes.
  package var rowSize: Int { header.width * header.colorType.channels * bytesPerSample }
  private var bytesPerSample: Int { header.bitDepth == 16 ? 2 : 1 }

  /// Fails if the image data are too short for the image.
  ///
  /// - Throws: `.truncated`.
  ///
  /// Source: RFC 1951: deflate encodes at most 258 bytes in 2 bits, 1032 times their size.
  package func requireData(of file: PNGFile) throws(ImageError) {
    let bits = format.width * format.height * header.colorType.channels * header.bitDepth
    let available = file.chunks.reduce(0) { $0 + ($1.type == .imageData ? $1.count : 0) }
    try ImageError.requireCodedData(
      available, atLeast: bits / 8 / 1032, width: format.width, height: format.height,
      at: .init(path: ["IDAT"]))
  }

  package init(of file: PNGFile, notices: inout [Notice]) throws(ImageError) {
    header = file.header
    let transparency = try file.content(PNGTransparency.self, notices: &notices)
    let type = header.colorType
    transparent = transparency?.transparentSamples(for: type)
    var hasAlpha = type == .grayAlpha || type == .rgbAlpha || transparent != nil
    if type == .palette {
      guard let colors = try file.content(PNGPalette.self)?.colors else {
        throw ImageError(.pngPaletteMissing)
      }
      let alpha = transparency?.paletteAlpha ?? []
      hasAlpha = !alpha.isEmpty
      palette = colors.enumerated().map { index, color in
        SIMD4(
          SIMD3<UInt16>(truncatingIfNeeded: color), index < alpha.count ? UInt16(alpha[index]) : 255
        )
      }
    } else {
      palette = []
    }
    let depth = type == .palette ? 8 : header.bitDepth
    let bits = try Self.significantBits(file, hasAlpha: hasAlpha, notices: &notices) ?? depth
    shift = UInt16(depth - bits)
    let isGray = type == .gray || type == .grayAlpha
    format = ImageLayout(
      width: header.width, height: header.height, components: isGray ? .gray : .rgb,
      samples: .integer(bits: bits), hasAlpha: hasAlpha)
  }

  /// The original depth of 16-bit samples, if it is the same for all channels.
  ///
  /// Source: PNG Third Edition, 12.4: shifting right restores the original samples.
  private static func significantBits(
    _ file: PNGFile, hasAlpha: Bool, notices: inout [Notice]
  ) throws(ImageError) -> Int? {
    guard file.header.bitDepth == 16,
      let chunk = try file.content(PNGSignificantBits.self, notices: &notices),
      let bits = chunk.bits.first, 9...15 ~= bits, chunk.bits.allSatisfy({ $0 == bits }),
      chunk.bits.count == file.header.colorType.channels, file.chunk(.transparency) == nil
    else { return nil }
    return Int(bits)
  }

  /// Writes a decoded row, at `start` of `bytes`, into row `y` of the planes; samples of 16 bits are
  /// in network byte order.
  ///
  /// - Returns: A notice if palette indices are out of range; as for libpng, their pixels are black.
  package func unpack(
    _ bytes: [UInt8], from start: Int, into planes: inout [Plane<UInt16>], at y: Int
  ) -> Notice? {
    if header.colorType == .palette {
      return unpackIndices(bytes, from: start, into: &planes, at: y)
    }
    let channels = header.colorType.channels
    for channel in 0..<channels {
      var target = planes[channel].mutableRow(y)
      let first = start + channel * bytesPerSample
      if bytesPerSample == 1 {
        // An isolated decoder may return more bits than the file specifies.
        let mask = UInt16(1 << min(header.bitDepth, 8) - 1)
        bytes.read(from: first, every: channels, mask: mask, into: &target)
      } else {
        bytes.readNetwork16(from: first, every: channels, shift: shift, into: &target)
      }
    }
    if let transparent { addAlpha(where: transparent, to: &planes, at: y) }
    return nil
  }

  private func unpackIndices(
    _ bytes: [UInt8], from start: Int, into planes: inout [Plane<UInt16>], at y: Int
  ) -> Notice? {
    var isInRange = true
    for channel in planes.indices {
      var target = planes[channel].mutableRow(y)
      for x in 0..<header.width {
        let index = Int(bytes[start + x])
        if index < palette.count {
          target[x] = palette[index][channel]
        } else {
          isInRange = false
          target[x] = channel == 3 ? 255 : 0
        }
      }
    }
    return isInRange
      ? nil
      : Notice(
        .irregular, "palette indices are out of range ({count color}); their pixels are black",
        ["count": palette.count], at: .init(path: ["IDAT"]))
  }

  /// Sets alpha to 0 for pixels of the transparent color and to opaque for all others.
  private func addAlpha(where transparent: [UInt16], to planes: inout [Plane<UInt16>], at y: Int) {
    var isTransparent = [Bool](repeating: true, count: header.width)
    for (channel, value) in transparent.enumerated() {
      let plane = planes[channel]
      let row = plane.row(y)
      for x in isTransparent.indices where row[x] != value { isTransparent[x] = false }
    }
    let opaque = UInt16(truncatingIfNeeded: 1 << header.bitDepth - 1)
    var alpha = planes[transparent.count].mutableRow(y)
    for x in isTransparent.indices { alpha[x] = isTransparent[x] ? 0 : opaque }
  }
}
