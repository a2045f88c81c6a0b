// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import Synchronization

extension JPEGXLFile {
  /// Returns the boxes of a type, including compressed ones, but not a truncated one.
  package func boxes(_ type: FourCC) -> [Box] {
    boxes.filter { $0.type == type && $0.missing == 0 }
  }

  /// Returns the content of a box of metadata, decompressed.
  ///
  /// - Throws: `.inputOutput` if the box cannot be read; errors of `Brotli.decompress`.
  private func metadata(_ type: FourCC) throws(ImageError) -> (bytes: [UInt8], box: Box)? {
    let boxes = boxes(type).filter { !$0.isCompressed || Brotli.isAvailable }
    guard let box = boxes.first else { return nil }
    return (try content(of: box).bytes(), box)
  }

  /// Returns the content of a box, decompressed.
  ///
  /// - Throws: `.inputOutput` if the box cannot be read; errors of `Brotli.decompress`.
  package func content(of box: Box) throws(ImageError) -> SourceBytes {
    guard box.isCompressed else { return box.content }
    do throws(ImageError) {
      return try inflatedBoxes.content(of: box)
    } catch {
      throw error.at(.init(path: ["brob"], offset: box.offset))
    }
  }

  /// Parses a gain map box, compressed or not.
  ///
  /// - Throws: Errors of decompression; `.truncated` if a length exceeds the box.
  package func gainMapBox(_ box: Box) throws(ImageError) -> JPEGXLGainMapBox {
    try JPEGXLGainMapBox(parsing: try content(of: box))
  }

  /// Parses the gain map box at an offset in the file.
  ///
  /// - Throws: `.missingElement` if no gain map box begins there; errors of the box.
  package func gainMapBox(at offset: Int) throws(ImageError) -> JPEGXLGainMapBox {
    let boxes = boxes(JPEGXLGainMapBox.boxType)
    guard let box = boxes.first(where: { $0.offset == offset }) else {
      throw ImageError(.missingElement, ["element": "'jhgm'"], at: .init(offset: offset))
    }
    return try gainMapBox(box)
  }

  /// Returns Exif from its TIFF header on; `nil` if it is missing, or compressed in a build without
  /// Brotli.
  ///
  /// - Throws: `.malformed` if the header offset exceeds the box, `.inputOutput` if the box cannot
  ///   be read; errors of decompression.
  ///
  /// Source: ISO/IEC 18181-2, 9.4.
  package func exif() throws(ImageError) -> [UInt8]? {
    guard let (bytes, box) = try metadata("Exif") else { return nil }
    return try ExifBlock.content(ofDataBlock: bytes, at: .init(path: ["Exif"], offset: box.offset))
  }

  /// Returns the XMP packet; `nil` if it is missing, or compressed in a build without Brotli.
  ///
  /// - Throws: `.inputOutput` if the box cannot be read; errors of decompression.
  package func xmp() throws(ImageError) -> [UInt8]? { try metadata("xml ")?.bytes }

  /// Returns the level that the file declares: 5 unless a level box specifies another.
  ///
  /// - Throws: `.truncated` for an empty box, `.inputOutput` if it cannot be read.
  ///
  /// Source: ISO/IEC 18181-2, 9.3: `jxll`.
  package func level() throws(ImageError) -> Int {
    guard let box = boxes("jxll").first else { return 5 }
    let bytes = try box.content.slice(0..<min(box.content.count, 1)).bytes()
    var reader = ByteReader(bytes.span, fileOffset: box.content.offset)
    return Int(try reader.readBigEndian(as: UInt8.self))
  }

  /// Returns the bytes of the codestream, without boxes.
  ///
  /// - Throws: `.inputOutput` if they cannot be read.
  package func wholeCodestream() throws(ImageError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(codestream.reduce(0) { $0 + $1.count })
    for part in codestream { bytes += try part.bytes() }
    return bytes
  }

  /// Parses the image header of the codestream.
  ///
  /// - Throws: `.malformed` or `.truncated` if the codestream does not begin with a valid header.
  package func imageHeader() throws(ImageError) -> JPEGXLImageHeader {
    do throws(ImageError) {
      return try JPEGXLImageHeader(parsing: try Self.head(of: codestream))
    } catch {
      throw error.inside("codestream")
    }
  }

  /// Returns the start of a codestream, at least as long as any supported header.
  static func head(of codestream: [SourceBytes]) throws(ImageError) -> [UInt8] {
    var head: [UInt8] = []
    for part in codestream where head.count < longestHeader {
      head += try part.slice(0..<min(part.count, longestHeader - head.count)).bytes()
    }
    return head
  }

  static let longestHeader = 1 << 14
}

/// Compressed boxes that were decompressed, or cannot be: each is decompressed and debited once.
final class InflatedBoxes: Sendable {
  private let known = Mutex<[SourceBytes.Identity: Result<SourceBytes, ImageError>]>([:])

  func content(of box: JPEGXLFile.Box) throws(ImageError) -> SourceBytes {
    if let known = known.withLock({ $0[box.content.identity] }) { return try known.get() }
    let result = Result { () throws(ImageError) in
      SourceBytes(try Brotli.decompress(try box.content.bytes()))
    }
    // Errors of reading and of the budget depend on the job.
    if case .failure(let error) = result, error.endsJob { throw error }
    known.withLock { $0[box.content.identity] = result }
    return try result.get()
  }
}
