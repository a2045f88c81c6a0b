// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The body of a `grid` item: tiles of equal size in rows and columns, cropped to the output size.
///
/// The tiles are the items that the grid refers to by `dimg`, row by row.
///
/// Source: ISO/IEC 23008-12, 6.6.2.3.
package struct ImageGrid: Hashable, Sendable {
  /// Number of rows, 1...256.
  package var rows: Int
  /// Number of columns, 1...256.
  package var columns: Int
  /// Width of the reconstructed image, in pixels; not checked against the tiles.
  package var width: UInt32
  /// Height of the reconstructed image, in pixels; not checked against the tiles.
  package var height: UInt32

  /// Creates a grid.
  ///
  /// - Precondition: `rows` and `columns` are in 1...256.
  package init(rows: Int, columns: Int, width: UInt32, height: UInt32) {
    precondition((1...256).contains(rows) && (1...256).contains(columns), "1...256 rows, columns")
    self.rows = rows
    self.columns = columns
    self.width = width
    self.height = height
  }

  /// Parses the body of an item; further bytes are ignored.
  ///
  /// - Parameter bytes: Data of the item; see `HEIFFile.data(of:)`.
  /// - Throws: `.truncated`, or `.unsupported` for a version other than 0.
  package init(parsing bytes: [UInt8]) throws(ImageError) {
    var reader = ByteReader(bytes.span)
    do throws(ImageError) {
      let version: UInt8 = try reader.readBigEndian()
      guard version == 0 else {
        throw reader.error(.unsupportedValue, ["field": "version of the grid", "value": version])
      }
      let flags: UInt8 = try reader.readBigEndian()
      rows = Int(try reader.readBigEndian(as: UInt8.self)) + 1
      columns = Int(try reader.readBigEndian(as: UInt8.self)) + 1
      let size = flags & 1 == 1 ? 4 : 2
      width = UInt32(truncatingIfNeeded: try reader.readUnsigned(bytes: size))
      height = UInt32(truncatingIfNeeded: try reader.readUnsigned(bytes: size))
    } catch {
      throw error.inside("grid")
    }
  }

  /// Serialized body of the item.
  package var bytes: [UInt8] {
    let isWide = max(width, height) > UInt16.max
    var writer = ByteWriter()
    writer.write([0, isWide ? 1 : 0, UInt8(rows - 1), UInt8(columns - 1)])
    writer.writeUnsigned(UInt64(width), bytes: isWide ? 4 : 2)
    writer.writeUnsigned(UInt64(height), bytes: isWide ? 4 : 2)
    return writer.bytes
  }
}

/// The body of an `iovl` item: images composed on a canvas, the last one on top.
///
/// Source: ISO/IEC 23008-12, 6.6.2.2.
package struct ImageOverlay: Hashable, Sendable {
  /// Position of the top left corner of an input image on the canvas.
  package struct Position: Hashable, Sendable {
    /// Column of the input's left edge; negative to the left of the canvas.
    package var x: Int32
    /// Row of the input's upper edge; negative above the canvas.
    package var y: Int32

    package init(x: Int32, y: Int32) {
      self.x = x
      self.y = y
    }
  }

  /// Red, green, blue and alpha of the canvas, each 0...65535.
  package var fill: [UInt16]
  /// Width of the canvas, in pixels.
  package var width: UInt32
  /// Height of the canvas, in pixels.
  package var height: UInt32
  /// Positions of the images that the item refers to by `dimg`, in the same order.
  package var positions: [Position]

  /// Creates an overlay.
  ///
  /// - Precondition: `fill` has four components.
  package init(fill: [UInt16], width: UInt32, height: UInt32, positions: [Position]) {
    precondition(fill.count == 4, "red, green, blue, alpha")
    self.fill = fill
    self.width = width
    self.height = height
    self.positions = positions
  }

  /// Parses the body of an item; further bytes are ignored.
  ///
  /// - Parameters:
  ///   - bytes: Data of the item; see `HEIFFile.data(of:)`.
  ///   - count: Number of images that the item refers to by `dimg`, at least 0.
  /// - Throws: `.truncated`, or `.unsupported` for a version other than 0.
  package init(parsing bytes: [UInt8], count: Int) throws(ImageError) {
    var reader = ByteReader(bytes.span)
    do throws(ImageError) {
      let version: UInt8 = try reader.readBigEndian()
      guard version == 0 else {
        throw reader.error(
          .unsupportedValue, ["field": "version of the overlay", "value": version])
      }
      let size = try reader.readBigEndian(as: UInt8.self) & 1 == 1 ? 4 : 2
      fill = []
      for _ in 0..<4 { fill.append(try reader.readBigEndian()) }
      width = UInt32(truncatingIfNeeded: try reader.readUnsigned(bytes: size))
      height = UInt32(truncatingIfNeeded: try reader.readUnsigned(bytes: size))
      positions = []
      for _ in 0..<count {
        positions.append(
          Position(
            x: try Self.readSigned(&reader, bytes: size),
            y: try Self.readSigned(&reader, bytes: size)))
      }
    } catch {
      throw error.inside("iovl")
    }
  }

  private static func readSigned(
    _ reader: inout ByteReader, bytes size: Int
  ) throws(ImageError) -> Int32 {
    size == 4
      ? try reader.readBigEndian(as: Int32.self)
      : Int32(try reader.readBigEndian(as: Int16.self))
  }

  /// Serialized body of the item.
  package var bytes: [UInt8] {
    let fitsSixteenBits =
      max(width, height) <= UInt16.max
      && positions.allSatisfy { Int16(exactly: $0.x) != nil && Int16(exactly: $0.y) != nil }
    let size = fitsSixteenBits ? 2 : 4
    var writer = ByteWriter()
    writer.write([0, fitsSixteenBits ? 0 : 1])
    for component in fill { writer.writeBigEndian(component) }
    writer.writeUnsigned(UInt64(width), bytes: size)
    writer.writeUnsigned(UInt64(height), bytes: size)
    for position in positions {
      writer.writeUnsigned(UInt64(truncatingIfNeeded: position.x), bytes: size)
      writer.writeUnsigned(UInt64(truncatingIfNeeded: position.y), bytes: size)
    }
    return writer.bytes
  }
}

extension ImageOverlay {
  /// Throws an error unless one layer covers the canvas and all layers are aligned to chroma
  /// samples.
  ///
  /// A visible canvas is not supported: its fill color is RGB, which the coded planes cannot store.
  package func requireCovered(by layers: [ItemImage]) throws(ImageError) {
    let isCovered = zip(positions, layers).contains { position, layer in
      position.x <= 0 && position.y <= 0 && layer.width + Int(position.x) >= Int(width)
        && layer.height + Int(position.y) >= Int(height)
    }
    let isAligned = zip(positions, layers).allSatisfy { position, layer in
      Int(position.x).isMultiple(of: layer.chroma.horizontal)
        && Int(position.y).isMultiple(of: layer.chroma.vertical)
    }
    guard isCovered, isAligned else {
      throw ImageError(
        .unsupported, "an overlay with visible canvas or between chroma samples is not supported")
    }
  }
}
