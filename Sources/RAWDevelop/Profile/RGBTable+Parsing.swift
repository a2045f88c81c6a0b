internal import HDRCore
internal import ImageContainers

extension RGBTable {
  /// More than any file has.
  private static let mostTables = 20
  private static let mostBytes = 1 << 23

  /// Reads the table of a profile that is for all of the picture; `nil` if the directory has none.
  ///
  /// - Throws: `.malformed` and `.truncated` for tables that cannot be, `.unsupported` for those that
  ///   are for what semantic masks cover.
  init?(_ directory: DNGDirectory) throws(ImageError) {
    let tag = TIFFTag.rgbTables
    guard let bytes = try directory.bytes(tag, atMost: Self.mostBytes) else { return nil }
    do throws(ImageError) {
      try self.init(
        bytes, order: directory.file.byteOrder,
        fileOffset: directory.entries[tag]?.values.lowerBound ?? 0)
    } catch {
      throw (directory.path + ["tag \(tag.rawValue)"]).reversed()
        .reduce(error) { $0.inside($1) }
    }
  }

  /// Reads the value of the tag.
  init?(
    _ bytes: [UInt8], order: TIFFFile.ByteOrder, fileOffset: Int = 0
  ) throws(ImageError) {
    var reader = NumberReader(ByteReader(bytes.span, fileOffset: fileOffset), order)
    let (count, method) = (try reader.readInt(), try reader.readInt())
    guard count <= Self.mostTables, method <= 1 else {
      throw reader.malformed("\(count) tables of colors, put together in way \(method)")
    }
    guard count > 0 else { return nil }
    let nameLength = try reader.readInt(2)
    guard count == 1, nameLength == 0 else {
      throw ImageError(
        .unsupported, "\(count) tables of colors (RGBTables) for what semantic masks cover",
        at: .init(offset: fileOffset))
    }
    try self.init(&reader)
  }

  private init(_ reader: inout NumberReader) throws(ImageError) {
    let divisions = try reader.readInt(1)
    let kind = try reader.readInt(1)
    let encoding = Encoding(rawValue: try reader.readInt(1))
    let primaries = try reader.readInt(1)
    let outside = try reader.readInt(1)
    let known: [ColorPrimaries] = [.bt709, .adobeRGB, .displayP3, .bt2020, .proPhoto]
    guard (2...32).contains(divisions), (0...2).contains(kind), let encoding,
      known.indices.contains(primaries), outside <= 1
    else {
      throw reader.malformed("a table of colors of \(divisions) divisions and unknown codes")
    }
    let (samples, size) = (3 * divisions * divisions * divisions, [1, 2, 4][kind])
    guard reader.remaining == samples * size else {
      throw reader.malformed(
        "\(reader.remaining) bytes for \(samples) components of \(size) bytes")
    }
    let data = try reader.readBytes(reader.remaining)
    var entries: [Float] = []
    entries.reserveCapacity(samples)
    for index in 0..<samples {
      let code = UInt32(truncatingIfNeeded: reader.code(data, at: index * size, size))
      let value =
        switch size {
        case 1: Float(code) / 255
        case 2: Float(code) / 65_535
        default: Float(bitPattern: code)
        }
      guard value.isFinite else { throw reader.malformed("a component that is not finite") }
      entries.append(min(max(value, 0), 1))
    }
    self.init(
      encoding: encoding, primaries: known[primaries], isExtending: outside == 1,
      divisions: divisions, entries: entries)
  }
}
