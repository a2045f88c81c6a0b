// SPDX-License-Identifier: Apache-2.0
extension ImageTransform {
  /// Measurements of a transform.
  package struct Findings: Sendable {
    package var lightLevels: LightLevels
    package var clipping: Clipping
    package var changes: Changes
  }

  /// Converts the image that `reader` yields, piece by piece, for a writer that takes rows.
  ///
  /// An upright image is never in memory as a whole. A rotated image is made in pieces of at most 8
  /// bytes per pixel of the image; the reader restarts for each piece after the first.
  ///
  /// - Parameters:
  ///   - reader: Yields the source's samples.
  ///   - body: Takes consecutive rows of the target. Their number is a multiple of 32, except in
  ///     the last piece and for a rotated image.
  /// - Returns: The light levels of the target, and counts of clipped pixels.
  /// - Throws: Errors of the reader and of `body`.
  /// - Precondition: The target's chroma is not subsampled if the image is rotated.
  package func run(
    _ reader: any RowReader, eachPiece body: (ImagePlanes) throws(ImageError) -> Void
  ) throws(ImageError) -> Findings {
    precondition(target.layout.chroma.horizontal == 1 || orientation == .upright)
    let engine = ConversionEngine(self)
    if orientation != .upright {
      try runRotated(engine, reader, body)
    } else if let resampling {
      try engine.resample(resampling, reader) { (rows, make) throws(ImageError) in
        try body(image(of: rows) { (destination) throws(ImageError) in try make(destination) })
      }
    } else {
      try engine.forEachStrip(of: reader) { (rows, strip) throws(ImageError) in
        try body(
          image(of: rows) { (destination) throws(ImageError) in
            try engine.convert(strip, rows, into: destination)
          })
      }
    }
    return Findings(lightLevels: engine.levels, clipping: engine.clipping, changes: engine.changes)
  }

  private func runRotated(
    _ engine: ConversionEngine, _ reader: any RowReader,
    _ body: (ImagePlanes) throws(ImageError) -> Void
  ) throws(ImageError) {
    let height = target.layout.height
    let count = min((target.layout.bytesPerPixel + 7) / 8, height)
    for index in 0..<count {
      let rows = height * index / count..<height * (index + 1) / count
      // Every pass reads the whole image; its measurements count once.
      let pass = index == 0 ? engine : ConversionEngine(self)
      var part = target.layout
      part.height = rows.count
      try part.requireMemory()
      try Execution.step(to: index + 1, of: count) { () throws(ImageError) in
        try body(
          image(of: rows) { (destination) throws(ImageError) in
            try pass.run(reader, into: destination)
          })
      }
    }
  }

  private func image<Failure: Error>(
    of rows: Range<Int>, _ fill: (Destination) throws(Failure) -> Void
  ) throws(Failure) -> ImagePlanes {
    ImagePlanes(
      layout: target.layout.strip(height: rows.count),
      planes: try Destination.make(rows, of: target.layout, fill))
  }
}

extension ImageLayout {
  /// Bytes per pixel in planes with full chroma.
  fileprivate var bytesPerPixel: Int { planeCount * (samples == .float ? 4 : 2) }
}
