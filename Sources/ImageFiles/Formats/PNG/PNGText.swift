// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The text of a `tEXt`, `zTXt` or `iTXt` chunk.
///
/// Source: PNG Third Edition, 11.3.3.
package struct PNGText: Hashable, Sendable {
  package var keyword: String
  /// Decompressed text: UTF-8 in `iTXt`, ISO 8859-1 in the other chunks.
  package var bytes: [UInt8]

  package init(keyword: String, bytes: [UInt8]) {
    self.keyword = keyword
    self.bytes = bytes
  }

  /// Maximum size of an inflated text or profile, in bytes.
  static let inflationLimit = 64 << 20

  /// Parses the data of a text chunk.
  ///
  /// - Throws: `.malformed`, `.truncated` or `.limitExceeded`.
  package init(
    type: PNGChunk.ChunkType, parsing reader: inout ByteReader, limit: Int = inflationLimit
  ) throws(ImageError) {
    keyword = try reader.readKeyword()
    // Inflated bytes are debited as they are inflated.
    try Execution.current.budget.debit(
      memory: reader.remaining, for: "text", at: .init(offset: reader.fileOffset))
    switch type {
    case .text:
      bytes = reader.readRest()
    case .compressedText:
      bytes = try reader.readDeflated(limit: limit)
    default:
      let isCompressed: UInt8 = try reader.readBigEndian()
      let method: UInt8 = try reader.readBigEndian()
      guard isCompressed == 0 || method == 0 else {
        throw reader.error(.unsupportedValue, ["field": "compression method", "value": method])
      }
      _ = try reader.readCString()  // Language.
      _ = try reader.readCString()  // Translated keyword.
      bytes = isCompressed == 0 ? reader.readRest() : try reader.inflateRest(limit: limit)
    }
  }

  /// The text as an uncompressed `iTXt` chunk.
  package var chunk: PNGChunk {
    var writer = ByteWriter()
    writer.write(keyword, isTerminated: true)
    writer.write([0, 0, 0, 0])  // Not compressed, method 0, no language, no translated keyword.
    writer.write(bytes)
    return PNGChunk(.internationalText, writer.bytes)
  }
}

extension ByteReader {
  /// Reads a keyword and its terminator.
  ///
  /// Source: 11.3.3.1: 1...79 bytes of ISO 8859-1, then a zero byte.
  @_lifetime(self: copy self)
  package mutating func readKeyword() throws(ImageError) -> String {
    var characters = String.UnicodeScalarView()
    while true {
      let byte: UInt8 = try readBigEndian()
      if byte == 0 { break }
      characters.append(Unicode.Scalar(byte))
      guard characters.count <= 79 else {
        throw error(.invalidValue, ["field": "keyword", "value": "not terminated"])
      }
    }
    guard !characters.isEmpty else {
      throw error(.invalidValue, ["field": "keyword", "value": "empty"])
    }
    return String(characters)
  }

  /// Reads a compression method, which must be 0, and inflates the remaining bytes.
  @_lifetime(self: copy self)
  mutating func readDeflated(limit: Int = PNGText.inflationLimit) throws(ImageError) -> [UInt8] {
    let method: UInt8 = try readBigEndian()
    guard method == 0 else {
      throw error(.unsupportedValue, ["field": "compression method", "value": method])
    }
    return try inflateRest(limit: limit)
  }

  /// Inflates the remaining bytes, a zlib stream.
  @_lifetime(self: copy self)
  fileprivate mutating func inflateRest(limit: Int) throws(ImageError) -> [UInt8] {
    let start = fileOffset
    do throws(ImageError) {
      return try Zlib.inflate(readRest(), limit: limit)
    } catch {
      throw error.at(.init(offset: start))
    }
  }
}

extension PNGFile {
  /// Returns the first result of `find` for a text whose keyword is one of `keywords`.
  ///
  /// Invalid texts are skipped, and texts after the result are not inflated. All texts inflated
  /// without a result share one size limit.
  ///
  /// - Throws: Errors that end the whole job.
  func firstText<Result>(
    _ keywords: Set<String>, _ find: (PNGText) -> Result?
  ) throws(ImageError) -> Result? {
    var budget = PNGText.inflationLimit
    for chunk in chunks where budget > 0 {
      guard case .bytes(let bytes) = chunk.content, chunk.type.isText else { continue }
      var reader = ByteReader(bytes.span)
      guard let keyword = try? reader.readKeyword(), keywords.contains(keyword) else { continue }
      reader = ByteReader(bytes.span)
      do throws(ImageError) {
        let text = try PNGText(type: chunk.type, parsing: &reader, limit: budget)
        if let result = find(text) { return result }
        budget -= text.bytes.count
      } catch {
        guard !error.endsJob else { throw error }
        // The inflated size is unknown; 1032 times the compressed size is the maximum of deflate.
        budget -= min(1032 * bytes.count, budget)
      }
    }
    return nil
  }

  /// Removes all texts in memory whose keyword is one of `keywords`, regardless of their place.
  package mutating func removeTexts(_ keywords: Set<String>) {
    chunks.removeAll { chunk in
      guard case .bytes(let bytes) = chunk.content, chunk.type.isText else { return false }
      var reader = ByteReader(bytes.span)
      guard let keyword = try? reader.readKeyword() else { return false }
      return keywords.contains(keyword)
    }
  }
}

extension PNGChunk.ChunkType {
  package var isText: Bool {
    self == .text || self == .compressedText || self == .internationalText
  }
}
