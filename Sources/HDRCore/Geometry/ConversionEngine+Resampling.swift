// SPDX-License-Identifier: Apache-2.0
extension ConversionEngine {
  /// Resizes and converts a part of the image, strip by strip.
  ///
  /// Between decoding and encoding, only the rows for the next bands of the result are in memory,
  /// at the width of the result. The computation of a row does not depend on the strips, and bands
  /// of the result start at fixed rows, so the result does not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - resampling: The part and the size of the result.
  ///   - reader: Yields rows of the source.
  ///   - body: Receives the next rows of the result, and a closure that computes them.
  /// - Throws: Errors of `reader` and `body`; `.cancelled`.
  func resample(
    _ resampling: Resampling, _ reader: any RowReader,
    body: (
      _ rows: Range<Int>, _ make: (Destination?) throws(ImageError) -> Void
    ) throws(ImageError) -> Void
  ) throws(ImageError) {
    let resampler = Resampler(resampling, isStraight: isStraight)
    let part = resampling.part
    var (next, first) = (0, 0)
    var kept: Plane<Float>?
    // The visible rows may end before the part does.
    let strips = strips(of: part.height)
    let reading = rows.strips(
      strips.map { part.y + $0.lowerBound..<part.y + $0.upperBound }, of: reader)
    defer { reading.finish() }
    for decoded in strips where next < resampling.height {
      let (start, end) = (decoded.lowerBound, decoded.upperBound)
      try Execution.step(to: end, of: part.height) { () throws(ImageError) in
        let strip = try reading.next()
        // Rows that later rows of the result do not need are dropped.
        let keptFrom = min(resampler.rows(for: next).lowerBound, start)
        let narrowed = try append(
          decoded, of: strip, to: kept, from: first, keeping: keptFrom, resampler)
        (kept, first) = (narrowed, keptFrom)
        var ready = resampler.readyCount(with: end, from: next, to: resampling.height)
        if ready < resampling.height { ready -= ready % bandHeight }
        guard next < ready else { return }
        let rows = next..<ready
        try body(rows) { (destination) throws(ImageError) in
          try forEachBand(of: rows) { band in
            fill(band, of: destination) {
              finish(band, from: narrowed, startingAt: keptFrom, resampler, into: $0)
            }
          }
        }
        next = ready
      }
    }
  }

  /// Returns rows of the part at the width of the result: those kept, and new ones.
  private func append(
    _ lines: Range<Int>, of strip: LinearRowDecoder.Strip, to kept: Plane<Float>?,
    from first: Int, keeping keptFrom: Int, _ resampler: Resampler
  ) throws(ImageError) -> Plane<Float> {
    let format = ImageLayout(
      width: PixelRow.components * resampler.width, height: lines.upperBound - keptFrom,
      components: .gray, samples: .float)
    let planes = try SharedPlanes<Float>.makePlanes(format) { (shared) throws(ImageError) in
      if let kept {
        try forEachBand(of: keptFrom..<lines.lowerBound) { band in
          for y in band {
            shared.withRow(y - keptFrom, of: 0) { $0.assign(kept.row(y - first)) }
          }
        }
      }
      try forEachBand(of: lines) { band in
        narrow(band, of: strip, resampler) { y, body in
          shared.withRow(y - keptFrom, of: 0, body)
        }
      }
    }
    return planes[0]
  }

  /// Decodes a band of the part, and resamples its rows to the width of the result.
  private func narrow(
    _ band: Range<Int>, of strip: LinearRowDecoder.Strip, _ resampler: Resampler,
    _ write: (_ y: Int, _ body: (inout MutableSpan<Float>) -> Void) -> Void
  ) {
    var decoding = rows.makeBand()
    var narrowing = Resampler.Narrowing(resampler)
    for line in band {
      rows.decode(resampler.part.y + line, of: strip, into: &decoding)
      let ready = narrowing.append(&decoding.row, isLast: line == band.upperBound - 1)
      for index in 0..<ready {
        write(line - ready + 1 + index) { narrowing.write(index, to: &$0) }
      }
    }
    add(decoding)
  }

  /// Computes a band of the result.
  private func finish(
    _ band: Range<Int>, from rows: Plane<Float>, startingAt first: Int, _ resampler: Resampler,
    into destination: Destination?
  ) {
    var row = LinearRow(width: resampler.width, hasAlpha: hasAlpha)
    var gathering = Resampler.Gathering(resampler)
    var finishing = Finishing(self)
    for y in band {
      gathering.read(y, from: rows, startingAt: first, into: &row)
      finishing.apply(to: &row, y: y, into: destination)
    }
    add(finishing)
  }
}
