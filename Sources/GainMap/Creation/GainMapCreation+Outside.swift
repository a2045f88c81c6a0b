package import HDRCore
internal import Synchronization

extension GainMapCreation {
  /// Pixels of the alternate rendition with colors that gain in the base's primaries cannot make.
  ///
  /// Gain multiplies light plus an offset that is subtracted again afterwards, so that no component
  /// gets further below zero than the offset reaches. What is below zero by less than a step of ten
  /// bits is rounding.
  ///
  /// - Parameter reader: Yields the alternate's samples.
  /// - Returns: How many of them there are.
  /// - Throws: What the reader finds wrong.
  package func countOutside(
    alternate reader: any RowReader
  ) throws(ImageError) -> Int {
    let rows = LinearRows(alternate, primaries: base.color.primaries)
    let hasThree = options.componentCount == 3
    let lowest = -Float(max(hasThree ? options.offset.value : 0, 1.0 / 1024))
    let total = Mutex(0)
    let height = alternate.layout.height
    for strip in strips(of: height) {
      let samples = try rows.read(strip, from: reader)
      try forEachBand(of: strip) { lines in
        var (band, count) = (rows.makeBand(), 0)
        for y in lines {
          band.decode(y, of: samples)
          let light = band.light
          for x in 0..<light.red.count
          where light.red[x] < lowest || light.green[x] < lowest || light.blue[x] < lowest {
            count += 1
          }
        }
        total.withLock { $0 += count }
      }
    }
    return total.withLock { $0 }
  }
}
