// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
