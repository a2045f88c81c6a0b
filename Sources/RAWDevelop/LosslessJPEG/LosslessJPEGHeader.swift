// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// The headers of a lossless JPEG, up to the entropy-coded data.
///
/// Source: ITU-T T.81, annexes B and H.
struct LosslessJPEGHeader {
  private(set) var width = 0
  private(set) var height = 0
  /// Bits per sample, 2...16.
  private(set) var precision = 0
  /// Predictor, 1...7.
  private(set) var predictor = 0
  /// Bits that were shifted out of the samples.
  private(set) var pointTransform = 0
  /// Pixels between restart markers; 0 for none.
  private(set) var restartInterval = 0
  /// Table of each component, in the order of the samples of a pixel.
  private(set) var tables: [LosslessHuffmanTable] = []
  /// Offset of the entropy-coded data.
  private(set) var scanStart = 0

  private var identifiers: [UInt8] = []
  private var definedTables: [LosslessHuffmanTable?] = [nil, nil, nil, nil]

  var componentCount: Int { identifiers.count }

  /// Parses the markers up to the entropy-coded data.
  ///
  /// - Throws: `.unsupported` for a JPEG of another process, `.malformed` and `.truncated`.
  init(parsing bytes: [UInt8], fileOffset: Int) throws(ImageError) {
    var reader = ByteReader(bytes.span, fileOffset: fileOffset)
    guard try reader.readBigEndian(as: UInt16.self) == 0xFFD8 else {
      throw ImageError(.notOfFormat, ["format": "JPEG"], at: .init(offset: fileOffset))
    }
    while scanStart == 0 {
      let marker = try Self.nextMarker(&reader)
      guard marker != 0xD9, marker > 0x01, !(0xD0...0xD8).contains(marker) else {
        throw reader.error(
          .malformed, "marker {marker} before the encoded samples", ["marker": marker])
      }
      let length: UInt16 = try reader.readBigEndian()
      guard length >= 2 else {
        throw reader.error(.invalidValue, ["field": "segment length", "value": length])
      }
      var segment = try reader.readSlice(Int(length) - 2)
      switch marker {
      case 0xC3: try parseFrame(&segment)
      case 0xC4: try parseTables(&segment)
      case 0xDA:
        try parseScan(&segment)
        scanStart = reader.fileOffset - fileOffset
      case 0xDD: restartInterval = Int(try segment.readBigEndian(as: UInt16.self))
      case 0xC0...0xCF where marker != 0xC8:
        throw reader.error(
          .unsupported, "JPEG process {process}; lossless JPEG is 3", ["process": marker - 0xC0])
      default: continue
      }
    }
  }

  private static func nextMarker(_ reader: inout ByteReader) throws(ImageError) -> UInt8 {
    guard try reader.readBigEndian(as: UInt8.self) == 0xFF else {
      throw reader.error(.missingElement, ["element": "a JPEG marker"])
    }
    var marker: UInt8 = 0xFF
    while marker == 0xFF { marker = try reader.readBigEndian() }
    return marker
  }

  /// Source: T.81, B.2.2.
  private mutating func parseFrame(_ segment: inout ByteReader) throws(ImageError) {
    guard identifiers.isEmpty else { throw segment.error(.duplicateElement, ["element": "frame"]) }
    precision = Int(try segment.readBigEndian(as: UInt8.self))
    height = Int(try segment.readBigEndian(as: UInt16.self))
    width = Int(try segment.readBigEndian(as: UInt16.self))
    let count = Int(try segment.readBigEndian(as: UInt8.self))
    guard (2...16).contains(precision), width > 0, height > 0, (1...4).contains(count) else {
      throw segment.error(
        .malformed, "invalid frame: {width}x{height}, {components component} of {bits bit}",
        ["width": width, "height": height, "components": count, "bits": precision])
    }
    for _ in 0..<count {
      let identifier: UInt8 = try segment.readBigEndian()
      let sampling: UInt8 = try segment.readBigEndian()
      try segment.skip(1)
      guard !identifiers.contains(identifier) else {
        throw segment.error(.duplicateElement, ["element": "component \(identifier)"])
      }
      // The factors of a single component have no effect.
      guard sampling == 0x11 || count == 1 else {
        throw segment.error(
          .unsupported, "subsampled components of a lossless JPEG are not supported")
      }
      identifiers.append(identifier)
    }
  }

  /// Source: T.81, B.2.4.2.
  private mutating func parseTables(_ segment: inout ByteReader) throws(ImageError) {
    while !segment.isAtEnd {
      let selector: UInt8 = try segment.readBigEndian()
      let counts = try segment.readBytes(16)
      let symbols = try segment.readBytes(counts.reduce(0) { $0 + Int($1) })
      // Class 1 is for AC coefficients.
      guard selector < 4 else {
        throw segment.error(.invalidValue, ["field": "Huffman table number", "value": selector])
      }
      do throws(ImageError) {
        definedTables[Int(selector)] = try LosslessHuffmanTable(counts: counts, symbols: symbols)
      } catch {
        throw error.at(.init(offset: segment.fileOffset))
      }
    }
  }

  /// Source: T.81, B.2.3 and table B.3.
  private mutating func parseScan(_ segment: inout ByteReader) throws(ImageError) {
    let count = Int(try segment.readBigEndian(as: UInt8.self))
    guard !identifiers.isEmpty, count == identifiers.count else {
      throw segment.error(
        .unsupported, "scan of {scan component} in a frame of {frame}",
        ["scan": count, "frame": identifiers.count])
    }
    for identifier in identifiers {
      let selected: UInt8 = try segment.readBigEndian()
      let table = Int(try segment.readBigEndian(as: UInt8.self) >> 4)
      guard selected == identifier else {
        throw segment.error(
          .malformed, "wrong order in the scan: component {component} instead of {expected}",
          ["component": selected, "expected": identifier])
      }
      guard table < 4, let table = definedTables[table] else {
        throw segment.error(.missingElement, ["element": "Huffman table \(table)"])
      }
      tables.append(table)
    }
    predictor = Int(try segment.readBigEndian(as: UInt8.self))
    try segment.skip(1)
    pointTransform = Int(try segment.readBigEndian(as: UInt8.self) & 15)
    guard (1...7).contains(predictor), pointTransform < precision else {
      throw segment.error(
        .malformed, "invalid predictor {predictor} with a shift of {shift bit}",
        ["predictor": predictor, "shift": pointTransform])
    }
    guard restartInterval % width == 0 else {
      throw segment.error(.malformed, "restart markers within rows")
    }
  }
}
