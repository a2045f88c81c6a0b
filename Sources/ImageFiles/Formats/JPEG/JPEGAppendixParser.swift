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
