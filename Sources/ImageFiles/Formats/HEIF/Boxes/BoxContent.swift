// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Content of a box type: the bytes after size and type.
package protocol BoxContent: Hashable, Sendable {
  /// Type of the box.
  static var boxType: FourCC { get }

  /// Parses the fields in the order of the standard's syntax.
  ///
  /// - Parameter reader: Reader of exactly the content of the box.
  /// - Throws: An error with the offset of the invalid field.
  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader) throws(ImageError)

  /// Writes the fields in the order of the standard's syntax.
  func write(to writer: inout ByteWriter)
}

extension BoxContent {
  /// The complete box, including its header.
  package var boxBytes: [UInt8] {
    var writer = ByteWriter()
    writer.writeBox(Self.boxType) { write(to: &$0) }
    return writer.bytes
  }

  /// The content without the box header.
  var contentBytes: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }
}

/// Content of a box whose number of entries is limited.
package protocol LimitedBoxContent: BoxContent {
  /// Parses the fields in the order of the standard's syntax.
  ///
  /// - Parameters:
  ///   - reader: Reader of exactly the content of the box.
  ///   - limits: Limits of the number of entries.
  /// - Throws: An error with the offset of the invalid field; `.limitExceeded`.
  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError)
}

extension LimitedBoxContent {
  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    try self.init(parsing: &reader, limits: ImageLimits())
  }
}

/// A box that is kept verbatim.
package struct OpaqueBox: Sendable {
  package let header: BoxHeader
  package let content: SourceBytes

  init(header: BoxHeader, content: SourceBytes) {
    self.header = header
    self.content = content
  }

  package var type: FourCC { header.type }
}

extension OpaqueBox: Equatable {
  /// Compares type and content; the encoding of the size is not significant.
  package static func == (a: OpaqueBox, b: OpaqueBox) -> Bool {
    a.type == b.type && a.header.userType == b.header.userType && a.content == b.content
  }
}
