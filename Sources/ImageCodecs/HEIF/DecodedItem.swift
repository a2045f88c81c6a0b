// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

/// The rows of a decoded item, in coding order, in the memory of its decoder.
///
/// Rows are copied when they are needed, so that a second copy of the image does not exist. The
/// planes are not written after decoding, so any thread may read them.
@safe final class DecodedItem: RowReader, @unchecked Sendable {
  /// Samples in C memory: one byte each up to 8 bits, two above.
  @safe struct LibraryPlane {
    let start: UnsafeRawPointer
    let bytesPerRow: Int

    @unsafe init(start: UnsafeRawPointer, bytesPerRow: Int) {
      // SAFETY: the caller of the initializer guarantees the size and lifetime of the samples.
      unsafe self.start = start
      self.bytesPerRow = bytesPerRow
    }
  }

  let layout: ImageLayout
  let bits: Int
  /// Warnings of the library.
  let warnings: [String]
  private let samples: Samples
  /// The budget's record of that memory.
  private var memory: Execution.Reservation?

  /// Refers to planes that are unchanged as long as `owner` lives.
  @unsafe init(
    _ layout: ImageLayout, bits: Int, planes: [LibraryPlane], owner: AnyObject,
    warnings: [String] = []
  ) {
    self.layout = layout
    self.bits = bits
    self.warnings = warnings
    samples = .library(planes, owner: owner)
  }

  private init(scaled planes: ImagePlanes, _ original: DecodedItem) {
    (layout, bits, warnings) = (planes.layout, original.bits, original.warnings)
    samples = .scaled(planes)
  }

  /// The samples, and what owns the memory of a library.
  private enum Samples {
    case library([LibraryPlane], owner: AnyObject)
    case scaled(ImagePlanes)
  }

  /// The image in another size.
  ///
  /// - Throws: Errors of the budget; `.cancelled`.
  func scaled(width: Int, height: Int) throws(ImageError) -> DecodedItem {
    var target = layout
    (target.width, target.height) = (width, height)
    var planes: [Plane<UInt16>] = []
    for (index, plane) in read(rows: 0..<layout.height).codedPlanes.enumerated() {
      let size = target.planeSize(index)
      planes.append(try plane.interpolated(width: size.width, height: size.height))
    }
    return DecodedItem(scaled: ImagePlanes(layout: target, planes: .integer(planes)), self)
  }

  func read(rows: Range<Int>) -> ImagePlanes {
    part(x: 0, y: rows.lowerBound, width: layout.width, height: rows.count)
  }

  /// Keeps the reservation of the decoder's memory; called before the value is shared.
  func keep(_ memory: Execution.Reservation) { self.memory = memory }

  /// A copy of a part.
  ///
  /// - Precondition: The part is inside the image; `x` and `y` are at chroma samples.
  func part(x: Int, y: Int, width: Int, height: Int) -> ImagePlanes {
    precondition(x >= 0 && y >= 0 && x + width <= layout.width && y + height <= layout.height)
    precondition(
      x.isMultiple(of: layout.chroma.horizontal) && y.isMultiple(of: layout.chroma.vertical))
    let planes: [LibraryPlane]
    switch samples {
    case .scaled(let planes): return planes.part(x: x, y: y, width: width, height: height)
    case .library(let all, _): planes = all
    }
    var part = layout
    (part.width, part.height) = (width, height)
    let copies = planes.enumerated().map { index, plane in
      let (horizontal, vertical) = layout.subsampling(ofPlane: index)
      let size = part.planeSize(index)
      let offset =
        y / vertical * plane.bytesPerRow + x / horizontal * (bits > 8 ? 2 : 1)
      // SAFETY: the library declares that each plane has the size that matches the image's, which
      // contains the part; the owner keeps it alive.
      return unsafe Plane(
        copying: plane.start + offset, width: size.width, height: size.height,
        bytesPerRow: plane.bytesPerRow, bits: bits)
    }
    return ImagePlanes(layout: part, planes: .integer(copies))
  }
}

extension Plane<UInt16> {
  /// Copies a plane from C memory: one byte per sample up to 8 bits, two above.
  fileprivate init(
    copying start: UnsafeRawPointer, width: Int, height: Int, bytesPerRow: Int, bits: Int
  ) {
    // SAFETY: the codec declares that each of `height` rows contains `width` samples of this size;
    // the plane has room for all of them.
    self.init(width: width, height: height) { samples in
      unsafe samples.withUnsafeMutableBufferPointer { target, count in
        for y in 0..<height {
          let source = unsafe start + y * bytesPerRow
          let row = unsafe UnsafeMutableBufferPointer(rebasing: target[count..<count + width])
          if bits > 8 {
            let values = unsafe source.assumingMemoryBound(to: UInt16.self)
            for x in 0..<width { unsafe row[x] = values[x] }
          } else {
            let values = unsafe source.assumingMemoryBound(to: UInt8.self)
            for x in 0..<width { unsafe row[x] = UInt16(values[x]) }
          }
          count += width
        }
      }
    }
  }
}

/// Yields the visible part of a decoded image, with separately coded alpha if present.
final class DecodedItemReader: RowReader {
  let layout: ImageLayout
  private let item: DecodedItem
  private let left: Int
  private let top: Int
  private let alpha: Plane<UInt16>?

  /// Prepares to read the part of `item` that begins at `left` and `top` and has the size of
  /// `layout`; `alpha` has that size.
  init(
    _ item: DecodedItem, left: Int, top: Int, as layout: ImageLayout, alpha: Plane<UInt16>?
  ) {
    self.item = item
    (self.left, self.top) = (left, top)
    self.layout = layout
    self.alpha = alpha
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    item.part(x: left, y: top + rows.lowerBound, width: layout.width, height: rows.count)
      .decoded(as: layout, rows: rows, alpha: alpha)
  }
}
#endif
