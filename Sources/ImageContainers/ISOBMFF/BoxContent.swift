package import HDRCore

/// The content of one kind of box: what follows size and type.
package protocol BoxContent: Hashable, Sendable {
  /// The type under which it is stored.
  static var boxType: FourCC { get }

  /// Reads the fields in the order of the standard's table.
  ///
  /// - Parameter reader: Covers exactly the content of the box.
  /// - Throws: What is wrong with the bytes, with its offset.
  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader) throws(ImageError)

  /// Writes the fields in the order of the standard's table.
  func write(to writer: inout ByteWriter)
}

extension BoxContent {
  /// The whole box, with its header.
  package var boxBytes: [UInt8] {
    var writer = ByteWriter()
    writer.writeBox(Self.boxType) { write(to: &$0) }
    return writer.bytes
  }

  /// The content alone.
  var contentBytes: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }
}
