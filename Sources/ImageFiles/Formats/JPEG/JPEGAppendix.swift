// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Parses the images and other data after the first image of a file.
///
/// Directories are often wrong because editors move the data that they refer to. Directory entries
/// are therefore only candidates: an image is recognized by SOI and by successful parsing, starting
/// at the end of the previous image. The directories serve only to skip data that are not an image.
struct JPEGAppendixParser {
  private let source: ByteSource
  private let primary: JPEGImage
  private let limits: ImageLimits
  private(set) var appendices: [JPEGFile.Appendix] = []
  private(set) var notices: [Notice] = []
  private(set) var containerItems: [Int: Range<Int>] = [:]
  private(set) var multiPictureHeader: Int?
  private(set) var imageCount = 0
  private var failures = 0

  /// Maximum number of images; exceeds that of any camera and bounds the time spent on corrupt
  /// files.
  private static let maximumImageCount = 256

  init(source: ByteSource, primary: JPEGImage, limits: ImageLimits) {
    self.source = source
    self.primary = primary
    self.limits = limits
  }

  mutating func parse() throws(ImageError) {
    let start = primary.stored?.upperBound ?? 0
    let multiPicture = try multiPictureTargets()
    let container = try containerTargets(from: start)
    var candidates: [Int] = []
    for target in Set(multiPicture + container.map(\.start)).sorted(by: >) where target > start {
      if try beginsImage(at: target) { candidates.append(target) }
    }
    let videoStarts = try videoTargets()
    var position = start
    while position < source.count {
      if let image = try image(at: position) {
        appendices.append(.image(image))
        notices += image.notices.filter { $0.code == .jpegEndMissing }
        imageCount += 1
        position = image.stored?.upperBound ?? source.count
        continue
      }
      while let next = candidates.last, next <= position { candidates.removeLast() }
      let end = try endOfPadding(from: position) ?? candidates.last ?? source.count
      let videos = videoStarts.filter { $0 >= position && $0 < end }
      appendices += try JPEGTrailer.split(position..<end, of: source, videos: videos)
        .map { .trailer($0) }
      position = end
    }
    compare(multiPicture, container)
  }

  private func beginsImage(at offset: Int) throws(ImageError) -> Bool {
    guard offset < source.count else { return false }
    return try source.bytes(in: offset..<min(offset + 3, source.count)) == [0xFF, 0xD8, 0xFF]
  }

  /// Parses the image at an offset; `nil` if missing.
  ///
  /// The number of failures is limited, because each may have scanned the rest of the file.
  private mutating func image(at offset: Int) throws(ImageError) -> JPEGImage? {
    guard try beginsImage(at: offset), failures < 8, imageCount < Self.maximumImageCount else {
      return nil
    }
    do throws(ImageError) {
      return try JPEGParser.parse(source, at: offset, limits: limits)
    } catch {
      guard !error.endsJob else { throw error }
      failures += 1
      notices.append(
        Notice(
          .irregular, "not readable: additional image: {cause}", ["cause": error],
          at: .init(path: error.location.path, offset: offset)))
      return nil
    }
  }

  /// Returns the offset of an image that is preceded only by zero bytes; `nil` if missing.
  private func endOfPadding(from offset: Int) throws(ImageError) -> Int? {
    guard try source.bytes(in: offset..<offset + 1) == [0] else { return nil }
    let bytes = try source.bytes(in: offset..<min(offset + 1 << 16, source.count))
    guard let index = bytes.firstIndex(where: { $0 != 0 }), index > 0,
      try beginsImage(at: offset + index)
    else { return nil }
    return offset + index
  }

  /// Returns the offsets that the MPF entries specify, except the first.
  private mutating func multiPictureTargets() throws(ImageError) -> [Int] {
    do throws(ImageError) {
      guard let (format, header) = try primary.multiPicture() else { return [] }
      multiPictureHeader = header
      return format.entries.dropFirst().map { header + Int($0.offset) }
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(
        Notice(.irregular, "not readable: MPF: {cause}", ["cause": error], at: error.location))
      return []
    }
  }

  /// Returns where the video of a motion photo may begin; its length is counted from the end.
  ///
  /// Source: Motion Photo format 1.0, "Camera metadata" and "Container element"; MicroVideo of older
  /// Google cameras.
  private func videoTargets() throws(ImageError) -> [Int] {
    guard let packet = try primary.readableXMP() else { return [] }
    let lengths =
      packet.containerItems.filter { $0.semantic == "MotionPhoto" }.map(\.length)
      + [packet.microVideoLength].compactMap { $0 }
    return lengths.filter { $0 > 8 && $0 < source.count }.map { source.count - $0 }.sorted()
  }

  /// Returns start and length of the container items, according to the directory.
  private func containerTargets(
    from start: Int
  ) throws(ImageError) -> [(index: Int, start: Int, length: Int)] {
    let items = try primary.readableXMP()?.containerItems ?? []
    var position = start
    var targets: [(index: Int, start: Int, length: Int)] = []
    for (index, item) in items.enumerated() {
      if index > 0, item.length > 0 { targets.append((index, position, item.length)) }
      for size in [index > 0 ? item.length : 0, item.padding] {
        guard size <= source.count - position else { return targets }
        position += size
      }
    }
    return targets
  }

  /// Records the directory entries that refer to an image, and adds notices for the others.
  private mutating func compare(
    _ multiPicture: [Int], _ container: [(index: Int, start: Int, length: Int)]
  ) {
    var images: [Int: Range<Int>] = [:]
    for case .image(let image) in appendices {
      if let range = image.stored { images[range.lowerBound] = range }
    }
    for target in multiPicture where images[target] == nil {
      notices.append(Notice(.mpfEntryWithoutImage, at: .init(path: ["MPF"], offset: target)))
    }
    for item in container {
      if let range = images[item.start], range.count == item.length {
        containerItems[item.index] = range
      }
    }
  }
}

extension JPEGTrailer {
  /// Splits a range of a file that is not an image into trailers.
  ///
  /// - Parameters:
  ///   - range: The range.
  ///   - source: The file.
  ///   - videos: Offsets of videos that metadata specify.
  /// - Returns: The trailers, in order and without gaps.
  /// - Throws: Errors of reading.
  static func split(
    _ range: Range<Int>, of source: ByteSource, videos: [Int] = []
  ) throws(ImageError) -> [JPEGTrailer] {
    let samsung = try samsungData(in: range, of: source)
    let end = samsung?.range.lowerBound ?? range.upperBound
    var pieces: [JPEGTrailer] = []
    let rest = range.lowerBound..<end
    let video = try videoStart(in: rest, of: source, videos)
    if let video, video > rest.lowerBound {
      let head = rest.lowerBound..<video
      pieces.append(JPEGTrailer(content: try content(of: head, in: source), range: head))
    }
    let tail = (video ?? rest.lowerBound)..<end
    pieces.append(
      JPEGTrailer(content: video == nil ? try content(of: tail, in: source) : .video, range: tail))
    if let samsung { pieces.append(samsung) }
    return pieces.filter { !$0.range.isEmpty }
  }

  /// Returns the offset of the file type box of a video; `nil` if missing.
  ///
  /// Some cameras write a name or padding before the video.
  private static func videoStart(
    in range: Range<Int>, of source: ByteSource, _ targets: [Int]
  ) throws(ImageError) -> Int? {
    for target in [range.lowerBound] + targets where range.contains(target) {
      if try source.bytes(in: target..<min(target + 12, range.upperBound)).isFileType(at: 0) {
        return target
      }
    }
    let head = try source.bytes(
      in: range.lowerBound..<min(range.lowerBound + 1 << 16, range.upperBound))
    return head.indices.first { head.isFileType(at: $0) }.map { range.lowerBound + $0 }
  }

  private static func content(
    of range: Range<Int>, in source: ByteSource
  ) throws(ImageError) -> Content {
    // Longer runs are not padding, even if they begin with zeros.
    guard range.count <= 1 << 16 else { return .unknown }
    return try source.bytes(in: range).allSatisfy { $0 == 0 } ? .padding : .unknown
  }

  /// Returns the Samsung data at the end of the range; `nil` if missing.
  ///
  /// The file ends with a directory that begins with `SEFH`, its length, and `SEFT`. For each data
  /// block, the directory stores the distance from the block to the directory.
  ///
  /// Source: ExifTool, Samsung.pm, as documentation of the format.
  private static func samsungData(
    in range: Range<Int>, of source: ByteSource
  ) throws(ImageError) -> JPEGTrailer? {
    guard range.count >= 20 else { return nil }
    let tail = try source.bytes(in: range.upperBound - 8..<range.upperBound)
    guard tail.suffix(4) == Array("SEFT".utf8)[...] else { return nil }
    let length = Int(littleEndian(tail.prefix(4)))
    guard length >= 12, length <= range.count - 8 else { return nil }
    let directoryStart = range.upperBound - 8 - length
    let directory = try source.bytes(in: directoryStart..<range.upperBound - 8)
    guard directory.starts(with: "SEFH".utf8) else { return nil }
    var start = directoryStart
    var blocks: [Block] = []
    for entry in stride(from: 12, to: directory.count - 11, by: 12) {
      let distance = Int(littleEndian(directory[(entry + 4)..<(entry + 8)]))
      guard distance <= directoryStart - range.lowerBound else { return nil }
      let block = directoryStart - distance
      start = min(start, block)
      let size = Int(littleEndian(directory[(entry + 8)..<(entry + 12)]))
      guard blocks.count < mostBlocks, size <= distance,
        let name = try name(ofBlock: block..<directoryStart, in: source)
      else { continue }
      let data = block + 8 + name.utf8.count
      blocks.append(
        Block(
          type: UInt16(directory[entry + 2]) | UInt16(directory[entry + 3]) << 8, name: name,
          range: block..<block + size, data: min(data, block + size)..<block + size))
    }
    return JPEGTrailer(content: .samsung, range: start..<range.upperBound, blocks: blocks)
  }

  /// Maximum number of blocks; exceeds that of any camera.
  private static let mostBlocks = 64

  /// Returns the name of a Samsung data block, which follows its type and the length of the name.
  private static func name(
    ofBlock range: Range<Int>, in source: ByteSource
  ) throws(ImageError) -> String? {
    let head = try source.bytes(in: range.lowerBound..<min(range.lowerBound + 72, range.upperBound))
    guard head.count > 8 else { return nil }
    let length = Int(littleEndian(head[4..<8]))
    guard (1...64).contains(length), length <= head.count - 8 else { return nil }
    let name = head[8..<8 + length]
    guard name.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension OpaqueBox {
  /// Samsung data in a box of a HEIF file (`sefd`), with the ranges of the file; `nil` for other boxes.
  ///
  /// - Throws: Errors that end the whole job.
  package var samsung: JPEGTrailer? {
    get throws(ImageError) {
      guard type == Self.samsungBox else { return nil }
      let pieces = try ifReadable(try JPEGTrailer.split(content.range, of: content.source))
      return pieces?.last { $0.content == .samsung }
    }
  }

  /// Replaces the content.
  package func replacingContent(with bytes: [UInt8]) -> OpaqueBox {
    OpaqueBox(header: header, content: SourceBytes(bytes))
  }

  package static let samsungBox: FourCC = "sefd"
}

extension JPEGTrailer {
  /// Returns Samsung's directory with only some of its blocks; `nil` if none is left.
  ///
  /// The data of videos are replaced by given pieces of the same size.
  ///
  /// Source: ExifTool, Samsung.pm, as documentation of the format.
  package func samsung(
    keeping isKept: (Block) -> Bool, video: [SplicedBytes.Piece]?
  ) -> JPEGTrailer? {
    let kept = blocks.filter(isKept)
    guard !kept.isEmpty else { return nil }
    var copy = self
    copy.pieces = []
    var starts: [Int] = []
    var position = 0
    for block in kept {
      starts.append(position)
      copy.pieces.append(.kept(block.range.lowerBound..<block.data.lowerBound))
      if block.name == Self.samsungVideo, let video {
        copy.pieces += video
      } else {
        copy.pieces.append(.kept(block.data))
      }
      position += block.range.count
    }
    var writer = ByteWriter()
    writer.write("SEFH")
    writer.writeLittleEndian(UInt32(106))  // Version.
    writer.writeLittleEndian(UInt32(clamping: kept.count))
    for (block, start) in zip(kept, starts) {
      writer.writeLittleEndian(UInt16(0))
      writer.writeLittleEndian(block.type)
      writer.writeLittleEndian(UInt32(clamping: position - start))
      writer.writeLittleEndian(UInt32(clamping: block.range.count))
    }
    writer.writeLittleEndian(UInt32(clamping: writer.count))
    writer.write("SEFT")
    copy.pieces.append(.new(writer.bytes))
    copy.blocks = kept
    return copy
  }
}

extension [UInt8] {
  /// Whether the file type box of a video may begin at an index: a small size, then `ftyp`.
  fileprivate func isFileType(at index: Int) -> Bool {
    count - index >= 8 && self[index] == 0 && self[index + 1] == 0 && self[index + 2] < 4
      && self[(index + 4)...].starts(with: "ftyp".utf8)
      && !brandsOfImages.contains { self[(index + 8)...].starts(with: $0) }
  }
}

/// Brands of files with an image and without a video.
private let brandsOfImages = ["heic", "heix", "mif1", "mif2", "avif", "crx ", "jxl ", "jp2 "]
  .map { Array($0.utf8) }
