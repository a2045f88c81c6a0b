// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Coded data that metadata edits must not change.
///
/// A coded image, the description of a derived image, or the samples of a PNG file.
package struct CodedPayload: Sendable {
  /// Name of the image or chunk: `item 7 'hvc1'`, `IDAT`.
  package let name: String
  /// Byte ranges of the data, in order.
  package let parts: [SourceBytes]

  /// Bytes of the data that readers ignore.
  enum Surplus: Sendable {
    case none
    /// By the syntax of an item.
    case of(ImageItemSyntax)
    /// Samples of PNG: after as many bytes before compression as the image has.
    case afterSamples(Int)
    /// After the last blocks of scans.
    case ofJPEG(LocatedJPEG)
  }
  private let surplus: Surplus

  init(_ name: String, _ parts: [SourceBytes], _ surplus: Surplus = .none) {
    (self.name, self.parts, self.surplus) = (name, parts, surplus)
  }

  fileprivate init(_ name: String, _ jpeg: LocatedJPEG) {
    self.init(name, jpeg.codedParts(ends: [:]), .ofJPEG(jpeg))
  }

  /// The same data with another name.
  func named(_ name: String) -> CodedPayload { CodedPayload(name, parts, surplus) }

  /// Name of the samples of a motion photo's video.
  static let video = "video"
  /// First word of the names of other data after the images.
  static let trailer = "trailer"

  /// Number of bytes.
  package var count: Int { parts.reduce(0) { $0 + $1.count } }

  /// Whether the file contains all of the data.
  var isWhole: Bool { parts.allSatisfy(\.isWhole) }

  /// SHA-256 digests of payloads; data that several of them share are read once.
  ///
  /// - Throws: Errors of reading the data.
  package static func sha256(of payloads: [CodedPayload]) throws(ImageError) -> [String] {
    var known: [[SourceBytes.Identity]: String] = [:]
    var digests: [String] = []
    for payload in payloads {
      let identities = payload.parts.identities
      let digest = if let digest = known[identities] { digest } else { try payload.sha256() }
      known[identities] = digest
      digests.append(digest)
    }
    return digests
  }

  /// SHA-256 digest of the joined parts, in hexadecimal.
  ///
  /// - Throws: Errors of reading the data.
  package func sha256() throws(ImageError) -> String {
    try Execution.current.budget.debit(steps: count >> 8, for: "coded data")
    var digest = SHA256()
    let step = 1 << 20
    for part in parts {
      for start in stride(from: 0, to: part.count, by: step) {
        digest.update(try part.slice(start..<min(part.count, start + step)).bytes())
      }
    }
    return digest.hexadecimal()
  }

  /// Compares the joined parts, regardless of where they are split.
  ///
  /// Those that both read from the same range of a file are equal.
  ///
  /// - Throws: Errors of reading the data.
  func hasSameBytes(as other: CodedPayload) throws(ImageError) -> Bool {
    guard count == other.count else { return false }
    var (left, right) = (Cursor(parts), Cursor(other.parts))
    while let available = left.available, let most = right.available {
      let length = min(available, most)
      if left.next(length).hasSameOrigin(as: right.next(length)) {
        left.skip(length)
        right.skip(length)
        continue
      }
      let piece = min(length, Self.pieceSize)
      guard try left.next(piece).bytes() == right.next(piece).bytes() else { return false }
      left.skip(piece)
      right.skip(piece)
    }
    return true
  }

  /// Whether the data can be parsed, as far as their syntax is known.
  ///
  /// - Throws: Errors that end the whole job.
  func isReadable() throws(ImageError) -> Bool {
    guard case .of(let syntax) = surplus else { return true }
    return try ifReadable(try ignoredRanges(by: syntax)) != nil
  }

  private func ignoredRanges(by syntax: ImageItemSyntax) throws(ImageError) -> [Range<Int>] {
    var bytes: [UInt8] = []
    for part in parts { bytes += try part.bytes() }
    return try syntax.ignoredRanges(in: bytes)
  }

  /// The data without bytes that readers ignore.
  ///
  /// - Throws: Errors of reading the data.
  func withoutSurplus() throws(ImageError) -> CodedPayload {
    switch surplus {
    case .none: return self
    case .of(let syntax):
      guard let ranges = try ifReadable(try ignoredRanges(by: syntax)) else { return self }
      return CodedPayload(name, parts.removing(ranges))
    case .afterSamples(let count): return try without(after: count)
    case .ofJPEG(let jpeg):
      let ends = try ifReadable(try jpeg.image.scanEnds()) ?? [:]
      return CodedPayload(name, jpeg.codedParts(ends: ends))
    }
  }

  /// A compressed stream without what follows it, and without bytes after a number before compression.
  private func without(after samples: Int) throws(ImageError) -> CodedPayload {
    var index = 0
    let stream = try Zlib.streamSize(keepingAfter: samples) { () throws(ImageError) in
      guard index < parts.count else { return nil }
      defer { index += 1 }
      return try parts[index].bytes()
    }
    if let rest = stream?.rest, !rest.isEmpty {
      let whole = try parts.map { part throws(ImageError) in try part.bytes() }
      return CodedPayload(
        name, [SourceBytes(try Zlib.shortened(Array(whole.joined()), to: samples))])
    }
    var rest = stream?.size ?? count
    return CodedPayload(
      name,
      parts.map { part in
        defer { rest -= min(rest, part.count) }
        return part.slice(0..<min(rest, part.count))
      })
  }

  /// Number of bytes that are compared at once: few enough that their memory is reused, without new
  /// pages for each piece.
  private static let pieceSize = 1 << 16

  /// A position in consecutive parts.
  private struct Cursor {
    private let parts: [SourceBytes]
    private var index = 0
    private var position = 0

    init(_ parts: [SourceBytes]) { self.parts = parts.filter { !$0.isEmpty } }

    /// Number of unread bytes in the current part; `nil` after the last part.
    var available: Int? { index < parts.count ? parts[index].count - position : nil }

    /// The next bytes, at most `available`.
    func next(_ length: Int) -> SourceBytes { parts[index].slice(position..<position + length) }

    mutating func skip(_ length: Int) {
      position += length
      if position == parts[index].count { (index, position) = (index + 1, 0) }
    }
  }
}

extension HEIFFile {
  /// The data of all items except Exif and XMP, and the samples that only an image sequence uses.
  ///
  /// - Throws: Errors of locating the data of an item.
  package func codedPayloads() throws(ImageError) -> [CodedPayload] {
    var payloads: [CodedPayload] = []
    var images = PayloadResults<LocatedJPEG?>()
    for item in items {
      if let payload = try codedPayload(of: item, &images) { payloads.append(payload) }
    }
    if let sequence = try sequencePayload() { payloads.append(sequence) }
    return payloads
  }

  /// The payloads of `codedPayloads()` that are completely contained in the file.
  func wholePayloads() throws(ImageError) -> [CodedPayload] {
    var payloads: [CodedPayload] = []
    var images = PayloadResults<LocatedJPEG?>()
    for item in items {
      if let payload = try ifReadable(try codedPayload(of: item, &images)), payload.isWhole {
        payloads.append(payload)
      }
    }
    return payloads + [try sequencePayload()].compactMap { $0 }
  }

  private func codedPayload(
    of item: HEIFItem, _ images: inout PayloadResults<LocatedJPEG?>
  ) throws(ImageError) -> CodedPayload? {
    guard item.isKnownImage else { return nil }
    let name = "item \(item.id) '\(item.type)'"
    switch item.data {
    case .absent, .external: return nil
    case .file, .itemDataBox, .items:
      let parts = try dataParts(of: item.id)
      if item.type == "jpeg",
        let image = try images.result(
          of: item.id, in: self, { () throws(ImageError) in try jpegImage(of: item.id) })
      {
        return CodedPayload(name, image)
      }
      return CodedPayload(name, parts, syntax(of: item).map { .of($0) } ?? .none)
    }
  }

  /// A JPEG item, which is kept in memory; `nil` if it cannot be parsed.
  private func jpegImage(of id: UInt32) throws(ImageError) -> LocatedJPEG? {
    guard let bytes = try ifReadable(try data(of: id)) else { return nil }
    try Execution.current.budget.debit(memory: bytes.count, for: "coded data")
    let source = ByteSource(bytes)
    return try ifReadable(try JPEGImage(parsing: source)).map {
      LocatedJPEG(image: $0, origin: SourceBytes.Origin(source))
    }
  }

  /// The samples of tracks that no item uses.
  private func sequencePayload() throws(ImageError) -> CodedPayload? {
    guard var movie = layout.movie, let origin = layout.origin,
      let media = try removeMetadata(of: &movie, .all).media
    else { return nil }
    let used = items.flatMap { item -> [Range<Int>] in
      if case .file(let parts) = item.data { return parts.map(\.range) }
      return []
    }
    let samples = SortedRanges(joining: media.samples).subtracting(SortedRanges(joining: used))
    return CodedPayload(
      "media data of the sequence", samples.ranges.map { SourceBytes(origin, $0) })
  }
}

extension PNGFile {
  /// The image data, joined, those of each frame of an animation, and the image data of the gain map.
  ///
  /// - Throws: Errors of the budget.
  package func codedPayloads() throws(ImageError) -> [CodedPayload] {
    // Correcting the order of chunks also moves gain maps behind the samples.
    let chunk = chunks.first { $0.type == .gainMap && !$0.isDamaged }
    let map =
      try chunk.flatMap { chunk throws(ImageError) in
        try ifReadable(try image(of: chunk))
      }?.ownPayloads() ?? []
    return try ownPayloads() + map.map { $0.named("\($0.name) of the gain map") }
  }

  private func ownPayloads() throws(ImageError) -> [CodedPayload] {
    let origin = SourceBytes.Origin(source)
    func parts(_ type: PNGChunk.ChunkType) -> [SourceBytes] {
      chunks.compactMap { chunk in
        guard chunk.type == type, case .stored(let range) = chunk.content else { return nil }
        return SourceBytes(origin, range.lowerBound + 8..<range.upperBound - 4)
      }
    }
    let image = CodedPayload("IDAT", parts(.imageData), .afterSamples(sampleByteCount))
    guard isAnimated else { return [image] }
    var frames: [(data: [SourceBytes], samples: Int)] = []
    for chunk in chunks {
      switch (chunk.type, chunk.content) {
      case (.frameControl, _) where chunk.count == 26:
        frames.append(([], try sampleByteCount(ofFrame: chunk)))
      case (.frameData, .stored(let range)) where chunk.count >= 4:
        // Without the number of the chunk.
        let data = SourceBytes(origin, range.lowerBound + 12..<range.upperBound - 4)
        if frames.isEmpty { frames.append(([], sampleByteCount)) }
        frames[frames.count - 1].data.append(data)
      default: break
      }
    }
    let coded = frames.filter { !$0.data.isEmpty }.enumerated().map {
      CodedPayload("fdAT \($0 + 1)", $1.data, .afterSamples($1.samples))
    }
    return [image] + coded
  }
}

extension JPEGFile {
  /// Tables, headers and scans of each image, and trailers other than padding.
  ///
  /// - Throws: Errors of the budget.
  package func codedPayloads() throws(ImageError) -> [CodedPayload] {
    let origin = SourceBytes.Origin(source)
    let coded = images.enumerated().map { index, image in
      CodedPayload(Self.nameOfImage(index), LocatedJPEG(image: image, origin: origin))
    }
    let trailers = try trailers.filter { $0.content != .padding }.enumerated().map {
      index, trailer throws(ImageError) in
      CodedPayload(
        trailer.content == .video
          ? CodedPayload.video
          : "\(CodedPayload.trailer) \(index + 1) (\(trailer.content.rawValue))",
        try trailer.coded(in: source).map { SourceBytes(origin, $0) })
    }
    return coded + trailers
  }
}

extension JPEGTrailer {
  /// The samples of a video, without those of metadata; all bytes of other data, and of a video that
  /// cannot be read.
  fileprivate func coded(in source: ByteSource) throws(ImageError) -> [Range<Int>] {
    guard content == .video,
      let video = try ifReadable(try VideoMetadata(in: range, of: source, removing: .all))
    else { return [range] }
    return video.samples
  }
}

/// A JPEG image and the bytes that it was parsed from.
struct LocatedJPEG: Sendable {
  let image: JPEGImage
  let origin: SourceBytes.Origin

  /// Tables, headers and scans that decoders need.
  ///
  /// - Parameter ends: Ends of scans that other bytes follow, by their ranges.
  /// - Returns: The parts, in order.
  func codedParts(ends: [Range<Int>: Int]) -> [SourceBytes] {
    NeededJPEGParts(of: image).parts.compactMap { part in
      switch part {
      case .segment(let segment):
        guard segment.marker.isOfCodedImage else { return nil }
        let minimal = segment.minimal
        return minimal.stored.map { SourceBytes(origin, $0) } ?? SourceBytes(minimal.serialized())
      // Decoders skip bytes that belong to no segment and to no scan.
      case .stray, .copied(_, isScan: false): return nil
      case .scan(let range):
        return SourceBytes(origin, range.lowerBound..<(ends[range] ?? range.upperBound))
      case .copied(let bytes, _): return SourceBytes(bytes)
      }
    }
  }
}

/// The coded data of a file, to be found by their bytes.
///
/// Data are compared with the only known data of their size, and otherwise by digest, so that no
/// number of equal sizes makes a search slow.
struct KnownPayloads {
  private let bySize: [Int: [CodedPayload]]
  /// Digests of all known data of a size.
  private var digests: [Int: Set<String>] = [:]
  /// Results for data that several items share; identities are valid while the data are kept.
  private var found: [[SourceBytes.Identity]: (payload: CodedPayload, isKnown: Bool)] = [:]

  init(_ payloads: [CodedPayload]) { bySize = Dictionary(grouping: payloads, by: \.count) }

  /// Whether the same bytes are known.
  ///
  /// - Throws: Errors of reading the data.
  mutating func contains(_ payload: CodedPayload) throws(ImageError) -> Bool {
    guard let candidates = bySize[payload.count] else { return false }
    let identity = payload.parts.identities
    if let earlier = found[identity] { return earlier.isKnown }
    let isKnown: Bool
    if candidates.count == 1 {
      try Execution.current.budget.debit(steps: payload.count >> 10, for: "coded data")
      isKnown = try candidates[0].hasSameBytes(as: payload)
    } else {
      if digests[payload.count] == nil {
        digests[payload.count] = Set(try CodedPayload.sha256(of: candidates))
      }
      isKnown = digests[payload.count]?.contains(try payload.sha256()) == true
    }
    found[identity] = (payload, isKnown)
    return isKnown
  }
}
