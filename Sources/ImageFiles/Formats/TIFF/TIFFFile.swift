// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The directories of a TIFF structure: a TIFF or DNG file, Exif, or a maker note.
///
/// Source: TIFF 6.0, section 2; BigTIFF proposal (2004).
package struct TIFFFile: Sendable {
  /// Byte order of the file; the raw value are its first two bytes.
  package enum ByteOrder: String, Hashable, Sendable {
    case littleEndian = "II"
    case bigEndian = "MM"
  }

  /// The bytes of the file, or those that offsets are relative to.
  package let source: ByteSource
  /// Byte order, from the header.
  package let byteOrder: ByteOrder
  /// Whether the file is a BigTIFF file, whose offsets and counts have 64 bits.
  package let isBig: Bool
  /// Chain of directories that starts in the header; at least one.
  package private(set) var directories: [TIFFDirectory] = []
  /// Irregularities that did not prevent parsing.
  package private(set) var notices: [Notice] = []
  /// The directory of the image that is read; `nil` for the default of raw files.
  package var selectedDirectory: TIFFDirectory?

  /// The directory of the image and its metadata: the selected one, else the first, which describes
  /// all images of a DNG file.
  package var mainDirectory: TIFFDirectory {
    directories[0][.dngVersion] == nil ? selectedDirectory ?? directories[0] : directories[0]
  }

  private let limits: ImageLimits

  /// Parses header and directories; values stay in the source.
  ///
  /// A later directory of the chain that cannot be parsed ends it, with a notice.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - limits: Limits; `items` applies to the number of directories and entries together.
  /// - Throws: `.malformed` or `.truncated` if the first directory cannot be parsed, `.unsupported`
  ///   for a BigTIFF file with offsets other than of 8 bytes, `.limitExceeded` for more directories
  ///   and entries than `limits.items`; errors of reading the source.
  package init(parsing source: ByteSource, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    let head = try source.prefix(16)
    guard let order = ByteOrder(rawValue: String(decoding: head.prefix(2), as: UTF8.self)) else {
      throw ImageError(.notOfFormat, ["format": "TIFF"], at: .init(offset: 0))
    }
    var reader = ByteReader(head.span, byteOrder: order)
    try reader.skip(2)
    let version = try reader.readUnsigned(bytes: 2)
    switch version {
    case 42:
      self.init(source, order, isBig: false, limits)
      try parseChain(from: try reader.readUnsigned(bytes: 4))
    case 43:
      let (offsetSize, reserved) = (
        try reader.readUnsigned(bytes: 2), try reader.readUnsigned(bytes: 2)
      )
      guard offsetSize == 8, reserved == 0 else {
        throw ImageError(
          .unsupportedValue, ["field": "size of BigTIFF offsets", "value": offsetSize],
          at: .init(offset: 4))
      }
      self.init(source, order, isBig: true, limits)
      try parseChain(from: try reader.readUnsigned(bytes: 8))
    default:
      throw ImageError(
        .malformed, "TIFF version {version}, not 42 or 43", ["version": version],
        at: .init(offset: 2))
    }
  }

  /// Parses directories without a header, as in maker notes.
  ///
  /// - Parameters:
  ///   - source: Source that offsets are relative to.
  ///   - byteOrder: Byte order, which is not stored in the source.
  ///   - offset: Offset of the first directory.
  ///   - limits: Limits; `items` applies to the number of directories and entries together.
  /// - Throws: Errors of `init(parsing:limits:)`.
  package init(
    parsing source: ByteSource, byteOrder: ByteOrder, firstDirectoryAt offset: Int,
    limits: ImageLimits = ImageLimits()
  ) throws(ImageError) {
    self.init(source, byteOrder, isBig: false, limits)
    try parseChain(from: UInt64(clamping: offset))
  }

  private init(_ source: ByteSource, _ order: ByteOrder, isBig: Bool, _ limits: ImageLimits) {
    self.source = source
    byteOrder = order
    self.isBig = isBig
    self.limits = limits
  }

  /// Parses the chain of directories; errors after the first directory are reported as notices.
  private mutating func parseChain(from first: UInt64) throws(ImageError) {
    var budget = limits.items
    directories = [try directory(at: first, budget: &budget)]
    var visited: Set = [directories[0].offset]
    while let next = directories.last?.next, next != 0 {
      do throws(ImageError) {
        guard !visited.contains(next) else {
          throw ImageError(.malformed, "cyclic chain of directories")
        }
        visited.insert(next)
        directories.append(try directory(at: UInt64(clamping: next), budget: &budget))
      } catch {
        guard !error.endsJob, error.category != .limitExceeded else { throw error }
        notices.append(Notice(.tiffDirectoryUnreadable, ["cause": error], at: .init(offset: next)))
        return
      }
    }
  }

  /// Parses the directory at an offset that an entry of another directory contains.
  ///
  /// - Parameter offset: Offset of the entry count in the source.
  /// - Returns: The directory.
  /// - Throws: `.truncated` if the offset or the directory exceeds the source, `.limitExceeded` for
  ///   more entries than `limits.items`.
  package func directory(at offset: Int) throws(ImageError) -> TIFFDirectory {
    var budget = limits.items
    return try directory(at: UInt64(clamping: offset), budget: &budget)
  }

  /// Returns the directories that an entry refers to, without invalid ones.
  ///
  /// The directories share the limit on entries, so repeated references do not increase the cost.
  ///
  /// - Parameter entry: An entry with offsets, such as SubIFDs or the Exif IFD pointer.
  /// - Returns: The directories, in order; empty if the values are not offsets.
  /// - Throws: Errors that end the whole job.
  package func subdirectories(_ entry: TIFFEntry) throws(ImageError) -> [TIFFDirectory] {
    guard let offsets = try ifReadable(try unsigned(entry)) else { return [] }
    try Execution.current.budget.debit(steps: offsets.count >> 4, for: "offsets of directories")
    var budget = limits.items
    var found: [TIFFDirectory] = []
    for offset in offsets where budget > 0 {
      budget -= 1
      if let directory = try ifReadable(try directory(at: offset, budget: &budget)) {
        found.append(directory)
      }
    }
    return found
  }

  /// Directories and those that they refer to at any depth, each once; at most 1024.
  ///
  /// - Parameters:
  ///   - first: The first directories of the result.
  ///   - tags: Tags of the pointers to follow.
  /// - Returns: The directories.
  /// - Throws: Errors that end the whole job.
  func reachable(
    from first: [TIFFDirectory], by tags: Set<TIFFTag>
  ) throws(ImageError) -> [TIFFDirectory] {
    var found = first
    var offsets = Set(first.map(\.offset))
    var index = 0
    while index < found.count, found.count < 1024 {
      for entry in found[index].entries where tags.contains(entry.tag) {
        found += try subdirectories(entry).filter { offsets.insert($0.offset).inserted }
      }
      index += 1
    }
    return found
  }

  /// Returns the first valid directory that an entry refers to; `nil` also for more entries than `limits.items`.
  ///
  /// - Throws: Errors that end the whole job.
  package func firstSubdirectory(_ entry: TIFFEntry) throws(ImageError) -> TIFFDirectory? {
    guard let offsets = try ifReadable(try unsigned(entry)) else { return nil }
    var budget = limits.items
    for offset in offsets.prefix(budget) {
      if let directory = try ifReadable(try directory(at: offset, budget: &budget)) {
        return directory
      }
    }
    return nil
  }

  private func directory(at offset: UInt64, budget: inout Int) throws(ImageError) -> TIFFDirectory {
    guard let start = Int(exactly: offset), start > 0, start < source.count else {
      throw ImageError(
        .truncated, "directory at {offset} of a file of {size byte}",
        ["offset": offset, "size": source.count])
    }
    let (countSize, entrySize, offsetSize) = isBig ? (8, 20, 8) : (2, 12, 4)
    guard source.count - start >= countSize else {
      throw ImageError(.truncated, "directory without an entry count", at: .init(offset: start))
    }
    let countBytes = try source.bytes(in: start..<start + countSize)
    var countReader = ByteReader(countBytes.span, fileOffset: start, byteOrder: byteOrder)
    let number = try countReader.readUnsigned(bytes: countSize)
    let body = start + countSize
    guard number <= UInt64((source.count - body) / entrySize) else {
      throw ImageError(
        .truncated, "truncated: directory of {count entry} in {available byte}",
        ["count": number, "available": source.count - body],
        at: .init(offset: start))
    }
    budget -= Int(number) + 1
    guard budget >= 0 else {
      throw ImageError(
        .tooManyElements, ["limit": limits.items, "elements": "directory entries"],
        at: .init(offset: start))
    }
    try Execution.current.budget.debit(
      elements: Int(number) + 1, of: "directory entries", at: .init(offset: start))
    let end = body + Int(number) * entrySize
    let bytes = try source.bytes(in: body..<min(end + offsetSize, source.count))
    var reader = ByteReader(bytes.span, fileOffset: body, byteOrder: byteOrder)
    var entries: [TIFFEntry] = []
    entries.reserveCapacity(Int(number))
    for _ in 0..<Int(number) { entries.append(try entry(from: &reader)) }
    // The last directory of Exif often lacks the link to the next one.
    let next = source.count - end >= offsetSize ? try reader.readUnsigned(bytes: offsetSize) : 0
    return TIFFDirectory(offset: start, entries: entries, next: Int(clamping: next))
  }

  @_lifetime(reader: copy reader)
  private func entry(from reader: inout ByteReader) throws(ImageError) -> TIFFEntry {
    let offset = reader.fileOffset
    let inlineSize = isBig ? 8 : 4
    let tag = TIFFTag(rawValue: UInt16(try reader.readUnsigned(bytes: 2)))
    let type = TIFFEntry.ValueType(rawValue: UInt16(try reader.readUnsigned(bytes: 2)))
    let count = Int(clamping: try reader.readUnsigned(bytes: inlineSize))
    let inline = reader.fileOffset
    let target = Int(clamping: try reader.readUnsigned(bytes: inlineSize))
    let (size, isTooBig) = count.multipliedReportingOverflow(by: type?.size ?? 0)
    let start = !isTooBig && size <= inlineSize ? inline : target
    let (end, isTooFar) = start.addingReportingOverflow(isTooBig ? Int.max : size)
    return TIFFEntry(
      tag: tag, type: type, count: count, offset: offset, values: start..<(isTooFar ? Int.max : end)
    )
  }
}

/// Metadata in the first directory other than the sample layout.
extension TIFFFile {
  /// A complete value of the first directory; `nil` if the tag is missing.
  ///
  /// - Throws: `.truncated` for truncated values, which cannot be interpreted.
  package func wholeValue(of tag: TIFFTag) throws(ImageError) -> [UInt8]? {
    guard let entry = mainDirectory[tag] else { return nil }
    return try bytes(of: entry)
  }

  /// As `wholeValue(of:)`, also of a reduced copy of the image.
  ///
  /// - Throws: `.truncated` for truncated values, which cannot be interpreted.
  package func describingValue(of tag: TIFFTag) throws(ImageError) -> [UInt8]? {
    guard let entry = try describingDirectories.lazy.compactMap({ $0[tag] }).first else {
      return nil
    }
    return try bytes(of: entry)
  }

  /// The directories with metadata of the image: its own, then those of its reduced copies, such as a
  /// thumbnail in front of it, where some writers store them.
  ///
  /// Those of a copy are not used if it may be that of another page.
  ///
  /// - Throws: Errors that end the whole job.
  var describingDirectories: [TIFFDirectory] {
    get throws(ImageError) {
      let main = mainDirectory
      let others = directories.filter { $0.offset != main.offset }
      guard directories[0][.dngVersion] == nil else { return [main] }
      for other in others where try !isReduced(other) { return [main] }
      return [main] + others
    }
  }

  private func isReduced(_ directory: TIFFDirectory) throws(ImageError) -> Bool {
    func first(_ tag: TIFFTag) throws(ImageError) -> Int? {
      try ifReadable(try integers(tag, in: directory).first)
    }
    if let type = try first(.newSubfileType) { return type & 1 == 1 }
    return try first(.subfileType) == 2
  }

  /// The Exif metadata as one block, collected from several TIFF directories.
  package func exif() throws(ImageError) -> [UInt8]? {
    let description = try NewTIFFDirectory.description(of: self)
    guard !description.isEmpty else { return nil }
    let header = byteOrder.header(firstDirectoryAt: 8)
    return header + description.serialized(at: header.count, order: byteOrder)
  }
}

extension TIFFFile {
  /// Luminance of linear value 1.0 in logarithmic files, from SampleToNits.
  ///
  /// LogLuv can store absolute luminance, so a factor of 1 is valid.
  ///
  /// - Throws: Errors that end the whole job.
  package var declaredReferenceWhite: DeclaredReferenceWhite {
    get throws(ImageError) {
      let declared = try mainDirectory[.sampleToNits].flatMap { entry throws(ImageError) in
        try ifReadable(try numbers(entry).first)
      }
      return DeclaredReferenceWhite(declared, named: "SampleToNits") { $0 >= 1 }
    }
  }
}

extension ColorDescription {
  /// The color of the first image of a file.
  package init(of file: TIFFFile, _ layout: TIFFLayout, isMarkedSRGB: Bool) throws(ImageError) {
    let directory = file.mainDirectory
    func numbers(_ tag: TIFFTag) throws(ImageError) -> [Double] {
      guard let entry = directory[tag] else { return [] }
      return try ifReadable(try file.numbers(entry)) ?? []
    }
    self.init(icc: try file.wholeValue(of: .iccProfile), isMarkedSRGB: isMarkedSRGB)
    if layout.isLogarithmic {
      primaries = layout.format.components == .rgb ? .xyz : nil
      gamma = 1
      referenceWhite = try file.declaredReferenceWhite.luminance
      return
    }
    let (xy, white) = (try numbers(.primaryChromaticities), try numbers(.whitePoint))
    if xy.count == 6, white.count == 2 {
      primaries = ColorPrimaries(
        red: Chromaticity(x: xy[0], y: xy[1]), green: Chromaticity(x: xy[2], y: xy[3]),
        blue: Chromaticity(x: xy[4], y: xy[5]), white: Chromaticity(x: white[0], y: white[1]))
    }
  }
}

extension TIFFFile {
  /// The integers of an entry; empty if the directory does not contain it.
  package func integers(_ tag: TIFFTag, in directory: TIFFDirectory) throws(ImageError) -> [Int] {
    guard let entry = directory[tag] else { return [] }
    return try unsigned(entry).map { Int(clamping: $0) }
  }

  /// The bytes of the file with other integers in an entry; unchanged if their type cannot store
  /// them.
  func replacing(_ entry: TIFFEntry, with integers: [Int]) -> ByteSource {
    let size = entry.values.count / max(integers.count, 1)
    guard entry.values.count == size * integers.count, entry.values.upperBound <= source.count,
      integers.allSatisfy({ size >= 8 || $0 >> (8 * size) == 0 })
    else { return source }
    var file = SplicedBytes(source: source)
    file.append(0..<entry.values.lowerBound)
    file.append(
      integers.flatMap { integer in
        let bytes = byteOrder.bytes(of: UInt64(integer))
        return byteOrder == .bigEndian ? bytes.suffix(size) : bytes.prefix(size)
      })
    file.append(entry.values.upperBound..<source.count)
    return ByteSource(file)
  }
}
