#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

/// A decoded image in the memory of its decoder.
///
/// Rows are copied when they are needed, so that a second copy of the image does not exist. The
/// planes are not written after decoding, so any thread may read them.
@safe final class DecodedItem: @unchecked Sendable {
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

  let width: Int
  let height: Int
  let chroma: ChromaSubsampling
  let bits: Int
  private let planes: [LibraryPlane]
  /// The owner of the planes' memory.
  private let owner: AnyObject

  /// Refers to planes that are unchanged as long as `owner` lives.
  @unsafe init(format: ImageLayout, bits: Int, planes: [LibraryPlane], owner: AnyObject) {
    (width, height) = (format.width, format.height)
    (chroma, self.bits) = (format.chroma, bits)
    self.planes = planes
    self.owner = owner
  }

  /// A copy of the whole image.
  func allPlanes() -> CodedPlanes { part(x: 0, y: 0, width: width, height: height) }

  /// A copy of a part.
  ///
  /// - Precondition: The part is inside the image; `x` and `y` are at chroma samples.
  func part(x: Int, y: Int, width: Int, height: Int) -> CodedPlanes {
    precondition(x >= 0 && y >= 0 && x + width <= self.width && y + height <= self.height)
    precondition(x.isMultiple(of: chroma.horizontal) && y.isMultiple(of: chroma.vertical))
    let format = ImageLayout(
      width: width, height: height, components: chroma == .yuv400 ? .gray : .ycbcr(chroma),
      samples: .integer(bits: bits))
    let copies = planes.enumerated().map { index, plane in
      let (horizontal, vertical) = index > 0 ? (chroma.horizontal, chroma.vertical) : (1, 1)
      let size = format.planeSize(index)
      let offset =
        y / vertical * plane.bytesPerRow + x / horizontal * (bits > 8 ? 2 : 1)
      // SAFETY: the library declares that each plane has the size that matches the image's, which
      // contains the part; `owner` keeps it alive.
      return unsafe Plane(
        copying: plane.start + offset, width: size.width, height: size.height,
        bytesPerRow: plane.bytesPerRow, bits: bits)
    }
    return CodedPlanes(width: width, height: height, chroma: chroma, bits: bits, planes: copies)
  }
}

/// Yields the visible part of a decoded image, with separately coded alpha if present.
final class DecodedItemReader: RowReader {
  let layout: ImageLayout
  private let picture: DecodedItem
  private let left: Int
  private let top: Int
  private let alpha: Plane<UInt16>?

  /// Prepares to read the part of `picture` that begins at `left` and `top` and has the size of
  /// `format`; `alpha` has that size.
  init(
    _ picture: DecodedItem, left: Int, top: Int, as format: ImageLayout,
    alpha: Plane<UInt16>?
  ) {
    self.picture = picture
    (self.left, self.top) = (left, top)
    self.layout = format
    self.alpha = alpha
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    var strip = layout
    strip.height = rows.count
    let colors = picture.part(
      x: left, y: top + rows.lowerBound, width: layout.width, height: rows.count)
    guard let alpha else { return colors.image(as: strip) }
    return ImagePlanes(
      layout: strip,
      planes: .integer(colors.planes(in: strip.components) + [alpha.strip(rows: rows)]))
  }
}
#endif
