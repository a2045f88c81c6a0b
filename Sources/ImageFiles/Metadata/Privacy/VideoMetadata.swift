// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The metadata of a video in an image file: where they are, and what replaces them.
///
/// Nothing moves: removed boxes become `free` boxes of the same size, removed samples zeros, so that
/// all offsets in the video remain valid.
///
/// Source: ISO/IEC 14496-12; QuickTime File Format; 3GPP TS 26.244, 8 (`loci`); names of makers as in
/// ExifTool, QuickTime.pm.
package struct VideoMetadata {
  /// Metadata to remove.
  package enum Removal: Sendable {
    /// Locations.
    case location
    /// All metadata, and the bytes that no track refers to.
    case all
  }

  /// Bytes that replace a range of the file of the same size.
  package struct Replacement: Hashable, Sendable {
    package let range: Range<Int>
    package let bytes: [UInt8]
  }

  /// Replacements in ascending order, which do not overlap.
  package private(set) var replacements: [Replacement] = []
  /// Whether the video contains a location.
  package private(set) var hasLocation = false
  /// Whether there is a movie whose samples of metadata are all located, so that those of images and sound
  /// can be kept alone.
  private(set) var isSeparable = true
  private var unread: [String] = []
  /// Media data whose samples the tracks do not locate.
  private var unlocated: [Range<Int>] = []
  /// Data of video and sound, as ranges of the file: samples, or all media data if tracks do not
  /// locate their samples; without text, of which that with a location, or all, is removed.
  package private(set) var samples: [Range<Int>] = []

  private let source: ByteSource
  private let range: Range<Int>
  private let removal: Removal

  /// Finds the metadata of a video.
  ///
  /// - Parameters:
  ///   - range: Range of the video in its file; offsets in the video are relative to its start.
  ///   - source: The file.
  ///   - removal: Metadata to remove.
  /// - Throws: Errors of reading, and `.limitExceeded`.
  package init(
    in range: Range<Int>, of source: ByteSource, removing removal: Removal
  ) throws(ImageError) {
    self.range = range
    self.source = source
    self.removal = removal
    try scan()
    replacements.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Finds the metadata in the media data of an image sequence, whose movie box is edited elsewhere.
  ///
  /// - Parameters:
  ///   - media: Ranges of the media data.
  ///   - tracks: Tracks of the sequence.
  ///   - isFragmented: Whether movie fragments contain samples that the tracks do not locate.
  ///   - kept: Ranges of other data, which stay as they are.
  ///   - source: The file.
  ///   - removal: Metadata to remove.
  /// - Throws: Errors of reading, and `.limitExceeded`.
  init(
    inMedia media: [Range<Int>], of tracks: [VideoTrack], isFragmented: Bool,
    keeping kept: [Range<Int>], source: ByteSource, removing removal: Removal
  ) throws(ImageError) {
    range = 0..<source.count
    self.source = source
    self.removal = removal
    try locate(tracks, in: media, keeping: kept, isFragmented: isFragmented)
    replacements.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Names of parts that may contain a location and cannot be read.
  ///
  /// - Throws: Errors of reading, and `.limitExceeded`.
  package func unreadParts() throws(ImageError) -> [String] {
    for box in unlocated where try LocationEvidence.isPresent(in: box, of: source) {
      return unread + ["media data"]
    }
    return unread
  }

  /// The pieces of the video with its replacements.
  package var pieces: [SplicedBytes.Piece] { range.pieces(replacing: replacements) }

  // MARK: - Top level

  /// Largest box that is edited in memory, in bytes.
  private static let largestBox = 64 << 20

  private mutating func scan() throws(ImageError) {
    var tracks: [VideoTrack] = []
    var media: [Range<Int>] = []
    var (hasMovie, isFragmented) = (false, false)
    var offset = range.lowerBound
    while range.upperBound - offset >= 8 {
      try Execution.current.budget.debit(elements: 1, of: "boxes", at: .init(offset: offset))
      let head = try source.bytes(
        in: offset..<min(offset + BoxHeader.maximumSize, range.upperBound))
      var reader = ByteReader(head.span, fileOffset: offset)
      guard
        let box = try? BoxHeader(
          parsing: &reader, available: range.upperBound - offset, mayBeCut: true)
      else { break }
      let content = offset + box.headerSize..<offset + box.headerSize + box.contentSize
      switch box.type {
      case "ftyp", "styp", "sidx", "mfra", "ssix", "prft":
        if try LocationEvidence.isPresent(in: content, of: source) {
          unread.append("'\(box.type)'")
        }
      case "mdat": media.append(content)
      case "moof":
        isFragmented = true
        var parts: [VideoTrack] = []
        try edit(content, of: "moof", &parts)
      case "moov":
        hasMovie = true
        try edit(content, of: "moov", &tracks)
      default:
        let whole = offset..<content.upperBound
        if content.count <= 1 << 20, box.missing == 0 {
          try edit(whole, of: box.type, &tracks)
        } else {
          // The header of a box that is cut may be text.
          try scanOpaque("'\(box.type)'", box.missing == 0 ? content : whole)
        }
      }
      offset = content.upperBound
    }
    if offset < range.upperBound {
      try scanOpaque("\(range.upperBound - offset) bytes", offset..<range.upperBound)
    }
    if !hasMovie {
      // Players do not show anything of it.
      isSeparable = false
      unread.append("data without a movie")
    }
    try locate(tracks, in: media, isFragmented: isFragmented)
  }

  /// Edits the content of the movie box, or another box with its header.
  private mutating func edit(
    _ content: Range<Int>, of type: FourCC, _ tracks: inout [VideoTrack]
  ) throws(ImageError) {
    guard content.count <= Self.largestBox else {
      unread.append("'\(type)'")
      return
    }
    try Execution.current.budget.debit(steps: content.count >> 4, for: "boxes of a video")
    var movie = MovieEditor(try source.bytes(in: content), removal)
    try movie.edit()
    hasLocation = hasLocation || movie.hasLocation
    unread += movie.unread
    tracks += movie.tracks
    if movie.isEdited { replacements.append(Replacement(range: content, bytes: movie.bytes)) }
  }

  /// Removes or searches bytes that are not parsed.
  private mutating func scanOpaque(_ name: String, _ content: Range<Int>) throws(ImageError) {
    let found = try LocationEvidence.isPresent(in: content, of: source)
    hasLocation = hasLocation || found
    if removal == .all || found { erase(content) } else { unread.append(name) }
  }

  /// Replaces a range by zeros.
  private mutating func erase(_ range: Range<Int>) {
    let zeros = [UInt8](repeating: 0, count: min(range.count, 1 << 20))
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + zeros.count, range.upperBound)
      let bytes = end - start == zeros.count ? zeros : Array(zeros[..<(end - start)])
      replacements.append(Replacement(range: start..<end, bytes: bytes))
      start = end
    }
  }

  // MARK: - Samples

  /// Locates samples, and removes those of metadata tracks and the bytes between samples.
  private mutating func locate(
    _ tracks: [VideoTrack], in media: [Range<Int>], keeping others: [Range<Int>] = [],
    isFragmented: Bool
  ) throws(ImageError) {
    var erased: [Range<Int>] = []
    var texts: [Range<Int>] = []
    var isComplete = !isFragmented
    for track in tracks {
      guard let chunks = track.chunks else {
        isComplete = false
        if track.isMetadata || removal == .all && track.isText {
          isSeparable = false
          unread.append("track of \(track.format)")
        }
        continue
      }
      let ranges = chunks.compactMap { chunk -> Range<Int>? in
        let start = range.lowerBound.addingReportingOverflow(chunk.lowerBound)
        let end = range.lowerBound.addingReportingOverflow(chunk.upperBound)
        guard !start.overflow, !end.overflow, end.partialValue <= range.upperBound else {
          return nil
        }
        return start.partialValue..<end.partialValue
      }
      if ranges.count < chunks.count { isComplete = false }
      let role = try role(of: track, ranges)
      switch role {
      case .samples: samples += ranges
      case .text: texts += ranges
      case .location:
        hasLocation = true
        erased += ranges
      case .metadata where removal == .all: erased += ranges
      case .metadata:
        samples += ranges
        if !track.isHarmless { unread.append("track of \(track.format)") }
      }
    }
    let kept = SortedRanges(joining: samples + texts + others)
    for range in SortedRanges(joining: erased).subtracting(kept).ranges
    where
      media.contains(where: { $0.contains(range.lowerBound) && range.upperBound <= $0.upperBound })
    {
      erase(range)
    }
    if isFragmented, tracks.contains(where: { $0.isMetadata || removal == .all && $0.isText }) {
      isSeparable = false
      unread.append("fragments")
    }
    guard isComplete, !(samples + texts + erased).isEmpty else {
      let known = SortedRanges(joining: texts + others + erased)
      samples = SortedRanges(joining: media).subtracting(known).ranges
      unlocated = samples
      return
    }
    let known = SortedRanges(joining: samples + texts + others + erased)
    for range in media.flatMap({ known.removed(from: $0) }) { try examineUnused(range) }
  }

  /// Removes or searches media data that no track refers to.
  private mutating func examineUnused(_ range: Range<Int>) throws(ImageError) {
    guard removal == .location else { return erase(range) }
    if try LocationEvidence.isPresent(in: range, of: source) {
      hasLocation = true
      erase(range)
      return
    }
    if try source.hasData(in: range) { unread.append("media data that no track refers to") }
  }

  private enum TrackRole {
    case samples
    case text
    case metadata
    case location
  }

  private func role(of track: VideoTrack, _ ranges: [Range<Int>]) throws(ImageError) -> TrackRole {
    guard track.isMetadata || track.isText else { return .samples }
    if track.hasLocationFormat { return .location }
    for range in SortedRanges(joining: ranges).ranges
    where try LocationEvidence.isPresent(in: range, of: source) { return .location }
    // Images are shown without texts.
    return track.isText && removal == .location ? .text : .metadata
  }
}

extension Range<Int> {
  /// This range of a file as pieces, with replacements that are in ascending order.
  func pieces(replacing replacements: [VideoMetadata.Replacement]) -> [SplicedBytes.Piece] {
    var pieces: [SplicedBytes.Piece] = []
    var position = lowerBound
    for replacement in replacements {
      guard replacement.range.lowerBound >= position, replacement.range.upperBound <= upperBound
      else { continue }
      if position < replacement.range.lowerBound {
        pieces.append(.kept(position..<replacement.range.lowerBound))
      }
      pieces.append(.new(replacement.bytes))
      position = replacement.range.upperBound
    }
    if position < upperBound { pieces.append(.kept(position..<upperBound)) }
    return pieces
  }
}

/// A track, as far as its metadata are concerned.
struct VideoTrack {
  var handler: FourCC = "    "
  /// Format of the samples.
  var format: FourCC = "    "
  /// Whether the description of the samples names a location.
  var describesLocation = false
  /// Whether the description of the samples has keys, all of which are Apple's.
  var hasKnownKeys = false
  /// Ranges of the chunks from the start of the video; `nil` if tables are missing or invalid.
  var chunks: [Range<Int>]?

  /// Whether the samples are neither images, sound nor text: also those of unknown tracks.
  var isMetadata: Bool {
    !isText && !["vide", "pict", "auxv", "soun"].contains(handler)
      || Self.metadataFormats.contains(format) || Self.locationFormats.contains(format)
  }
  var isText: Bool { Self.textHandlers.contains(handler) }
  var hasLocationFormat: Bool { describesLocation || Self.locationFormats.contains(format) }
  /// Whether the samples are timecodes, or metadata whose keys are known and name no location.
  var isHarmless: Bool { format == "tmcd" || format == "mebx" && hasKnownKeys }

  static let textHandlers: Set<FourCC> = ["text", "sbtl", "subt", "clcp"]

  private static let metadataFormats: Set<FourCC> = ["mebx", "mett", "metx", "urim", "fdsc"]
  /// Formats of metadata with positions: Google, GoPro, Sony, DJI, Garmin.
  private static let locationFormats: Set<FourCC> = [
    "camm", "gpmd", "rtmd", "djmd", "dbgi", "gps ", "GPS ", "nmea",
  ]
}
