// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Added entries, which are stored in copies of their directories at the end of the block.
///
/// Offsets within the block do not change. The bytes of what was replaced become zeros.
extension ExifBlock {
  /// Adds an entry to the Exif directory, which is created if it is missing.
  ///
  /// - Parameters:
  ///   - tag: Tag of the entry, which replaces an entry with the same tag.
  ///   - type: Type of the values.
  ///   - values: Bytes of the values, in the byte order of the block; a multiple of the size of the
  ///     type.
  /// - Throws: `.malformed` if the edited block cannot be parsed, `.limitExceeded` for a block of 4
  ///   GiB or a directory of 65 535 entries.
  package mutating func addToExposure(
    _ tag: TIFFTag, _ type: TIFFEntry.ValueType, _ values: [UInt8]
  ) throws(ImageError) {
    try addToExposure([NewEntry(tag: tag, type: type, values: values)])
  }

  /// An entry to add to a directory.
  struct NewEntry {
    let tag: TIFFTag
    let type: TIFFEntry.ValueType
    /// Bytes of the values, in the byte order of the block.
    let values: [UInt8]
  }

  /// Adds entries to the Exif directory; see `addToExposure(_:_:_:)`.
  mutating func addToExposure(_ entries: [NewEntry]) throws(ImageError) {
    var edited = bytes
    let coded = entries.map { encode($0, to: &edited) }
    let place = try append(exposure, adding: coded, to: &edited)
    if let pointer = main[.exifDirectory], pointer.values.count == 4, exposure != nil {
      edited.replaceSubrange(pointer.values, with: encoded(place))
    } else {
      let pointer =
        encoded(TIFFTag.exifDirectory.rawValue) + encoded(TIFFEntry.ValueType.long.rawValue)
        + encoded(1 as UInt32) + encoded(place)
      try appendMain(adding: [pointer], to: &edited)
    }
    try replace(with: edited, moving: [main, exposure], replacing: entries.map(\.tag))
  }

  /// Adds entries to the main directory (IFD 0).
  mutating func addToMain(_ entries: [NewEntry]) throws(ImageError) {
    var edited = bytes
    let coded = entries.map { encode($0, to: &edited) }
    try appendMain(adding: coded, to: &edited)
    try replace(with: edited, moving: [main], replacing: entries.map(\.tag))
  }

  /// Takes edited bytes, with zeros for directories that were moved or removed and values that were replaced.
  ///
  /// Bytes that something refers to stay.
  mutating func replace(
    with edited: [UInt8], moving directories: [TIFFDirectory?], replacing tags: [TIFFTag] = []
  ) throws(ImageError) {
    var released: [Range<Int>] = []
    for directory in directories.compactMap(\.self) {
      released.append(tableRange(of: directory))
      released += directory.entries.filter { tags.contains($0.tag) }.map(\.values)
    }
    self = try ExifBlock(parsing: edited)
    guard let gaps = try ifReadable(try gaps) else { return }
    let unused = SortedRanges(joining: gaps)
    let used = SortedRanges(joining: released.flatMap { unused.removed(from: $0) })
    var cleared = edited
    for range in released.flatMap({ used.removed(from: $0) }) where range.upperBound <= edited.count
    {
      cleared.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }
    if cleared != edited { self = try ExifBlock(parsing: cleared) }
  }

  /// Serializes an entry; values of more than four bytes are appended to the block.
  private func encode(_ entry: NewEntry, to edited: inout [UInt8]) -> [UInt8] {
    var field = entry.values
    if field.count > 4 {
      Self.align(&edited)
      edited += field
      field = encoded(UInt32(clamping: edited.count - field.count))
    }
    field += [UInt8](repeating: 0, count: 4 - field.count)
    return encoded(entry.tag.rawValue) + encoded(entry.type.rawValue)
      + encoded(UInt32(clamping: entry.values.count / entry.type.size)) + field
  }

  /// Appends a copy of the main directory with additional entries, and updates the header.
  func appendMain(adding new: [[UInt8]], to edited: inout [UInt8]) throws(ImageError) {
    let place = try append(main, adding: new, to: &edited)
    edited.replaceSubrange(4..<8, with: encoded(place))
  }

  /// Appends a copy of a directory with additional entries, which replace those with the same tags.
  private func append(
    _ directory: TIFFDirectory?, adding new: [[UInt8]], to edited: inout [UInt8]
  ) throws(ImageError) -> UInt32 {
    func tag(_ entry: [UInt8]) -> UInt16 {
      structure.byteOrder == .bigEndian
        ? UInt16(entry[0]) << 8 | UInt16(entry[1]) : UInt16(entry[1]) << 8 | UInt16(entry[0])
    }
    var entries = (directory?.entries ?? []).map { Array(bytes[$0.offset..<$0.offset + 12]) }
      .filter { old in !new.contains { tag($0) == tag(old) } }
    for entry in new {
      let index = entries.firstIndex { tag($0) > tag(entry) }
      entries.insert(entry, at: index ?? entries.count)
    }
    Self.align(&edited)
    guard let place = UInt32(exactly: edited.count), let count = UInt16(exactly: entries.count)
    else {
      throw ImageError(.limitExceeded, "Exif is too large to extend", at: .init(path: ["Exif"]))
    }
    edited += encoded(count)
    edited += entries.joined()
    edited += encoded(UInt32(clamping: directory?.next ?? 0))
    return place
  }

  /// Pads to an even offset, at which directories and values must begin.
  private static func align(_ bytes: inout [UInt8]) {
    if bytes.count % 2 == 1 { bytes.append(0) }
  }
}

extension ExifBlock {
  /// Returns Exif for a cropped, resized or rotated image; unchanged if it cannot be parsed.
  ///
  /// - Parameters:
  ///   - exif: Exif of the original image.
  ///   - width: Width of the stored image, in pixels.
  ///   - height: Height of the stored image, in pixels.
  ///   - keepsThumbnail: Whether the thumbnail still matches the image.
  ///   - notices: Receives notices if the thumbnail is dropped, or if its bytes cannot be cleared.
  /// - Returns: The edited block.
  /// - Throws: `.malformed` if the edited block cannot be parsed.
  package static func fitted(
    _ exif: [UInt8], width: Int, height: Int, keepsThumbnail: Bool, notices: inout [Notice]
  ) throws(ImageError) -> [UInt8] {
    guard var block = try ifReadable(try ExifBlock(parsing: exif)) else { return exif }
    try block.updatePixelSize(width: width, height: height)
    if !keepsThumbnail, block.main.next != 0 {
      let isCleared = try block.removeThumbnail()
      notices.append(Notice(.exifThumbnailDropped, at: .init(path: ["Exif"])))
      if !isCleared { notices.append(Notice(.exifThumbnailOverlaps, at: .init(path: ["Exif"]))) }
    }
    return block.bytes
  }

  /// Updates the entries that store the size of the image, if they exist.
  ///
  /// Source: Exif 3.0, 4.6.5.1.1 (ImageWidth, ImageLength), 4.6.6.2 (PixelXDimension,
  /// PixelYDimension).
  ///
  /// - Throws: `.malformed` if the edited block cannot be parsed.
  package mutating func updatePixelSize(width: Int, height: Int) throws(ImageError) {
    var edited = bytes
    for (directory, tag, count) in [
      (main, 0x0100 as UInt16, width), (main, 0x0101, height), (exposure, 0xA002, width),
      (exposure, 0xA003, height),
    ] {
      guard let entry = directory?[TIFFTag(rawValue: tag)], entry.count == 1 else { continue }
      let field =
        encoded(tag) + encoded(TIFFEntry.ValueType.long.rawValue) + encoded(1 as UInt32)
        + encoded(UInt32(clamping: count))
      edited.replaceSubrange(entry.offset..<entry.offset + field.count, with: field)
    }
    if edited != bytes { self = try ExifBlock(parsing: edited) }
  }

  /// Removes the thumbnail: its directory is unlinked and its bytes are set to zero.
  ///
  /// Source: Exif 3.0, 4.5.8.
  ///
  /// - Returns: Whether all bytes of the thumbnail were cleared; `false` if it overlaps other
  ///   entries, in which case its bytes are kept.
  /// - Throws: `.malformed` if the edited block cannot be parsed.
  @discardableResult
  package mutating func removeThumbnail() throws(ImageError) -> Bool {
    guard main.next != 0 else { return true }
    var edited = bytes
    // The link to the next directory follows the entries.
    let link = main.offset + 2 + 12 * main.entries.count
    edited.replaceSubrange(link..<link + 4, with: encoded(0 as UInt32))
    var samples = try structure.directories.dropFirst().first.map(strips) ?? []
    if let thumbnailRange { samples.append(thumbnailRange) }
    let kept = SortedRanges(joining: try kept)
    let separate = samples.filter { kept.removed(from: $0) == [$0] }
    for range in separate {
      edited.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }
    if let last = separate.last, last.upperBound == edited.count { edited.removeLast(last.count) }
    let others = Array(structure.directories.dropFirst())
    try replace(with: edited, moving: others, replacing: others.flatMap { $0.entries.map(\.tag) })
    return separate.count == samples.count
  }

  /// Ranges of the header and of everything that the main directory contains or refers to.
  private var kept: [Range<Int>] {
    get throws(ImageError) {
      var ranges = [0..<8]
      var directories = [main]
      var visited: Set<Int> = []
      while let directory = directories.popLast() {
        guard visited.insert(directory.offset).inserted else { continue }
        let end = directory.offset + 2 + 12 * directory.entries.count + 4
        ranges.append(directory.offset..<end)
        for entry in directory.entries {
          ranges.append(entry.values)
          if Self.pointers.contains(entry.tag) {
            directories += try structure.subdirectories(entry)
          }
        }
      }
      return ranges
    }
  }

  /// Tags of the pointers to the Exif, GPS and interoperability directories.
  private static let pointers: Set<TIFFTag> = [
    .exifDirectory, .gpsDirectory, TIFFTag(rawValue: 0xA005),
  ]
}

/// The print resolution of an image, which every format that is written carries over from Exif.
extension ExifBlock {
  /// Pixels per inch, across and down; `nil` if they are not specified.
  ///
  /// Source: Exif 3.0, 4.6.5.1: ResolutionUnit 2 is the inch, the default, and 3 the centimeter.
  package var pixelsPerInch: SIMD2<Double>? {
    guard let x = number(.xResolution), x.isFinite, x > 0 else { return nil }
    let y = number(.yResolution).flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? x
    switch number(.resolutionUnit) ?? 2 {
    case 2: return SIMD2(x, y)
    case 3: return SIMD2(x, y) * 2.54
    default: return nil
    }
  }

  /// The resolution of a block; `nil` without one, or if the block is unreadable.
  ///
  /// - Throws: Errors that end the whole job.
  package static func pixelsPerInch(of exif: [UInt8]?) throws(ImageError) -> SIMD2<Double>? {
    try exif.flatMap { bytes throws(ImageError) in
      try ifReadable(try ExifBlock(parsing: bytes))?.pixelsPerInch
    }
  }

  /// Returns Exif with the resolution that the container stores.
  ///
  /// - Parameters:
  ///   - resolution: Pixels per inch; `nil` and 72, which readers assume, add nothing.
  ///   - exif: The block, whose own resolution and unreadable bytes stay; `nil` if it is missing.
  /// - Returns: The block.
  /// - Throws: `.limitExceeded` for a block that is too large.
  package static func adding(
    _ resolution: SIMD2<Double>?, to exif: [UInt8]?
  ) throws(ImageError) -> [UInt8]? {
    guard let resolution, resolution != SIMD2(72, 72),
      var block = try ifReadable(
        try ExifBlock(parsing: exif ?? minimal(orientation: .upright))),
      block.main[.xResolution] == nil
    else { return exif }
    try block.addToMain(block.entries(of: resolution))
    return block.bytes
  }

  /// Entries for a number of pixels per inch.
  func entries(of resolution: SIMD2<Double>) -> [NewEntry] {
    func rational(_ number: Double) -> [UInt8] {
      let denominator: UInt32 = number == number.rounded() ? 1 : 1000
      let numerator = UInt32(clamping: (number * Double(denominator)).rounded())
      return encoded(numerator) + encoded(denominator)
    }
    return [
      NewEntry(tag: .xResolution, type: .rational, values: rational(resolution.x)),
      NewEntry(tag: .yResolution, type: .rational, values: rational(resolution.y)),
      NewEntry(tag: .resolutionUnit, type: .short, values: encoded(2 as UInt16)),
    ]
  }

  /// Whether a block contains nothing but resolution and orientation.
  ///
  /// - Throws: Errors that end the whole job.
  package static func describesPrintAlone(_ exif: [UInt8]) throws(ImageError) -> Bool {
    let tags: Set<TIFFTag> = [.orientation, .xResolution, .yResolution, .resolutionUnit]
    let block = try ifReadable(try ExifBlock(parsing: exif))
    return block?.main.entries.allSatisfy { tags.contains($0.tag) } == true
  }
}

extension JPEGImage {
  /// Pixels per inch in JFIF; `nil` if it specifies at most a pixel aspect ratio.
  ///
  /// Source: ITU-T T.871, 10.1: unit 1 is the inch, 2 the centimeter.
  var pixelsPerInch: SIMD2<Double>? {
    guard let body = segments(.jfif).first?.body, body.count >= 7, 1...2 ~= body[2] else {
      return nil
    }
    let density =
      SIMD2(Double(body[3]), Double(body[5])) * 256 + SIMD2(Double(body[4]), Double(body[6]))
    return density.min() > 0 ? density * (body[2] == 2 ? 2.54 : 1) : nil
  }

  /// Sets the resolution of JFIF, in whole pixels per inch; `nil`, or one that JFIF cannot store, changes nothing.
  ///
  /// - Throws: Errors of replacing segments.
  package mutating func setPixelsPerInch(_ resolution: SIMD2<Double>?) throws(ImageError) {
    guard var body = segments(.jfif).first?.body, body.count >= 7, let resolution,
      resolution.min() >= 0.5, resolution.max() < 65_535
    else { return }
    let (x, y) = (Int(clamping: resolution.x.rounded()), Int(clamping: resolution.y.rounded()))
    body.replaceSubrange(
      2..<7, with: [1, x >> 8, x & 255, y >> 8, y & 255].map(UInt8.init(clamping:)))
    try replace(.jfif, with: [body])
  }
}

extension PNGPixelSize {
  /// Whole pixels per meter; `nil` for a resolution that a chunk cannot store.
  package init?(pixelsPerInch resolution: SIMD2<Double>) {
    let perMeter = (resolution / 0.0254).rounded(.toNearestOrAwayFromZero)
    guard perMeter.min() >= 1, perMeter.max() < 0x1p31 else { return nil }
    (perUnitX, perUnitY) = (UInt32(clamping: perMeter.x), UInt32(clamping: perMeter.y))
    isPerMeter = true
  }

  /// Pixels per inch, whole numbers if they are stored as these pixels per meter; `nil` for an aspect ratio.
  var pixelsPerInch: SIMD2<Double>? {
    guard isPerMeter, perUnitX > 0, perUnitY > 0 else { return nil }
    let resolution = SIMD2(Double(perUnitX), Double(perUnitY)) * 0.0254
    let whole = resolution.rounded(.toNearestOrAwayFromZero)
    return PNGPixelSize(pixelsPerInch: whole) == self ? whole : resolution
  }
}
