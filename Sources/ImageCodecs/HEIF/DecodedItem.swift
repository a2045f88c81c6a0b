// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles
internal import Synchronization

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

/// Decodes any image item of a file, coded or derived.
struct ItemDecoder: Sendable {
  let file: HEIFFile
  let limits: ImageLimits
  /// Receives warnings of the libraries.
  private let notices: DecodingNotices

  init(file: HEIFFile, limits: ImageLimits, notices: DecodingNotices) {
    self.file = file
    self.limits = limits
    self.notices = notices
  }

  /// Decodes an image that is coded in one item, before its own transformations, in decoder memory.
  ///
  /// - Parameter image: The item.
  /// - Returns: `nil` for a derived image.
  /// - Throws: Errors of the item, with its ID.
  func decodeCoded(_ image: ItemImage) throws(ImageError) -> DecodedItem? {
    switch image.source {
    case .coded(let codec):
      do throws(ImageError) {
        return try decode(image, codec)
      } catch {
        throw error.inside("item \(image.id)")
      }
    case .identity(let input): return try decodeCoded(input)
    case .grid, .overlay: return nil
    }
  }

  /// Decodes the planes of an item before its own transformations.
  ///
  /// Tiles are decoded on several threads, a single image on as many threads as its coding allows.
  ///
  /// - Throws: Errors of the item, with its ID.
  func decode(_ image: ItemImage) throws(ImageError) -> ImagePlanes {
    do throws(ImageError) {
      switch image.source {
      case .coded(let codec):
        return try decode(image, codec).read(rows: 0..<image.height)
      case .identity(let input): return try decode(input)
      case .grid(let grid, let tiles):
        let places = tiles.indices.map { index in
          (x: index % grid.columns * tiles[0].width, y: index / grid.columns * tiles[0].height)
        }
        return try assemble(tiles, at: places, on: image)
      case .overlay(let overlay, let layers):
        return try assemble(
          layers, at: overlay.positions.map { (x: Int($0.x), y: Int($0.y)) }, on: image)
      }
    } catch {
      throw error.inside("item \(image.id)")
    }
  }

  /// Decodes a coded item and validates it against the declared properties.
  private func decode(
    _ image: ItemImage, _ codec: ItemCodec
  ) throws(ImageError) -> DecodedItem {
    // Twice the samples: libraries have state for each block, and copies of rows.
    let budget = Execution.current.budget
    try budget.debit(steps: 64 + (image.width * image.height) >> 7, for: "coded images")
    let memory = try budget.reserve(
      memory: 2 * image.codedLayout.byteCount, for: "samples")
    var decoded = try decodeItem(image, codec)
    // As libavif does; `ItemDescriber` adds a notice.
    if codec == .av1, (decoded.layout.width, decoded.layout.height) != (image.width, image.height) {
      decoded = try decoded.scaled(width: image.width, height: image.height)
    }
    decoded.keep(memory)
    for warning in decoded.warnings {
      notices.add(
        Notice(
          .libraryWarned, ["library": codec.library, "detail": warning],
          at: .init(path: ["item \(image.id)"])))
    }
    let layout = decoded.layout
    guard (layout.width, layout.height) == (image.width, image.height) else {
      throw ImageError(
        .malformed, "coded image of {coded pixel}, but 'ispe' specifies {declared}",
        [
          "coded": .size(layout.width, layout.height),
          "declared": .size(image.width, image.height),
        ])
    }
    guard layout == image.codedLayout else {
      throw ImageError(
        .malformed,
        "coded image of {bits bit} {chroma}, but its configuration specifies {declaredBits} "
          + "{declaredChroma}",
        [
          "bits": decoded.bits, "chroma": layout.chroma.rawValue, "declaredBits": image.bits,
          "declaredChroma": image.chroma.rawValue,
        ])
    }
    return decoded
  }

  private func decodeItem(
    _ image: ItemImage, _ codec: ItemCodec
  ) throws(ImageError) -> DecodedItem {
    let id = image.id
    switch codec {
    case .hevc:
      #if HEIF
      guard let configuration = file.item(id)?.property(HEVCConfigurationBox.self) else {
        throw ImageError(.missingElement, ["element": "'hvcC' of the HEVC image"])
      }
      // libde265 has a copy of the data.
      return try file.withData(of: id, copies: 2) { bytes throws(ImageError) in
        let units = try HEVCDecoder.units(configuration, bytes: bytes, limits: limits)
        return try Execution.current.callLibrary(seconds: 0.03 * image.codedLayout.megapixels) {
          () throws(ImageError) in
          try HEVCDecoder(limits: limits).decode(units)
        }
      }
      #else
      throw FileFormat.heif.missingCodec
      #endif
    case .av1:
      #if AVIF
      guard let item = file.item(id), item.property(AV1ConfigurationBox.self) != nil else {
        throw ImageError(.missingElement, ["element": "'av1C' of the AV1 image"])
      }
      let point = item.property(AV1OperatingPointBox.self)?.index ?? 0
      let layer = item.property(LayerSelectorBox.self)?.layer
      return try file.withData(of: id) { bytes throws(ImageError) in
        try Execution.current.callLibrary(seconds: 0.03 * image.codedLayout.megapixels) {
          () throws(ImageError) in
          try AV1Decoder(operatingPoint: point, layer: layer, limits: limits).decode(bytes)
        }
      }
      #else
      throw FileFormat.avif.missingCodec
      #endif
    }
  }

  // MARK: Derived images

  /// Shared state of the worker threads.
  private struct Assembly {
    var canvas: [Plane<UInt16>]
    var failure: (index: Int, error: ImageError)?

    mutating func note(_ error: ImageError, at index: Int) {
      if index < failure?.index ?? .max { failure = (index, error) }
    }
  }

  /// Decodes parts in parallel and copies each to its position.
  ///
  /// The error that is thrown does not depend on the number of threads: parts are started in order,
  /// and the first that fails is reported.
  private func assemble(
    _ parts: [ItemImage], at places: [(x: Int, y: Int)], on image: ItemImage
  ) throws(ImageError) -> ImagePlanes {
    // Overlapping layers must be composed in order.
    let isOverlay = if case .overlay = image.source { true } else { false }
    let layout = image.codedLayout
    try layout.requireMemory()
    let shared = Mutex(Assembly(canvas: layout.zeroPlanes(of: UInt16.self)))
    @Sendable func decodePart(_ index: Int) {
      guard shared.withLock({ $0.failure == nil }) else { return }
      do throws(ImageError) {
        try Execution.current.checkCancellation()
        let part = try decode(parts[index])
        shared.withLock { $0.canvas.place(part, x: places[index].x, y: places[index].y) }
      } catch {
        shared.withLock { $0.note(error, at: index) }
      }
    }
    if isOverlay {
      for index in parts.indices { decodePart(index) }
    } else {
      try concurrentForEach(parts.count, decodePart)
    }
    let result = shared.withLock { ($0.failure?.error, $0.canvas) }
    if let error = result.0 { throw error }
    return ImagePlanes(layout: layout, planes: .integer(result.1))
  }
}
#endif
