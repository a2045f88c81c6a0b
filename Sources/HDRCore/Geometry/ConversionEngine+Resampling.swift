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
    // The visible rows may end before the part does.
    let strips = strips(of: part.height)
    let steps = steps(strips, resampler, height: resampling.height)
    let whole = reader.layout
    reader.limitIfPossible(
      to: part.expanded(by: Self.chromaMargin, inWidth: whole.width, height: whole.height))
    defer { reader.limitIfPossible(to: nil) }
    let reading = rows.strips(
      steps.map { part.y + $0.decoded.lowerBound..<part.y + $0.decoded.upperBound }, of: reader)
    defer { reading.finish() }
    // Rows of the part at the width of the result.
    var narrowed = [
      Plane<Float>(
        width: PixelRow.components * resampler.width,
        height: steps.map { $0.decoded.upperBound - $0.keptFrom }.max() ?? 1, filledWith: 0)
    ]
    var first = 0
    for step in steps {
      try Execution.step(to: step.decoded.upperBound, of: part.height) { () throws(ImageError) in
        let strip = try reading.next()
        narrowed[0].moveToStart(step.keptFrom - first..<step.decoded.lowerBound - first)
        first = step.keptFrom
        try SharedPlanes.change(&narrowed) { (shared) throws(ImageError) in
          try forEachBand(of: step.decoded) { band in
            narrow(band, of: strip, resampler) { y, body in
              shared.withRow(y - step.keptFrom, of: 0, body)
            }
          }
        }
        guard !step.finished.isEmpty else { return }
        let rows = narrowed[0]
        try body(step.finished) { (destination) throws(ImageError) in
          try forEachBand(of: step.finished) { band in
            fill(band, of: destination) {
              finish(band, from: rows, startingAt: step.keptFrom, resampler, into: $0)
            }
          }
        }
      }
    }
  }

  /// Pixels next to a part that contribute to its chroma, rounded up.
  private static let chromaMargin = 8

  /// A strip of the part, the first row that it and later strips need, and the rows of the result that
  /// are computed then.
  private typealias Step = (decoded: Range<Int>, keptFrom: Int, finished: Range<Int>)

  private func steps(_ strips: [Range<Int>], _ resampler: Resampler, height: Int) -> [Step] {
    var steps: [Step] = []
    var next = 0
    for decoded in strips where next < height {
      let keptFrom = min(resampler.rows(for: next).lowerBound, decoded.lowerBound)
      var ready = resampler.readyCount(with: decoded.upperBound, from: next, to: height)
      if ready < height { ready = max(next, ready - ready % bandHeight) }
      steps.append((decoded, keptFrom, next..<ready))
      next = ready
    }
    return steps
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
      for index in 0..<ready { write(line - ready + 1 + index) { narrowing.write(index, to: &$0) } }
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
