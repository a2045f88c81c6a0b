// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles
internal import Synchronization

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
