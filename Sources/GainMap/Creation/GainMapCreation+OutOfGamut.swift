// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import Synchronization

extension GainMapCreation {
  /// Counts the pixels of the alternate image with colors that a gain in the primaries of the baseline
  /// image cannot produce.
  ///
  /// No component gets further below zero than the offset, which is subtracted after the gain.
  /// Components that are negative by less than a 10-bit step count as rounding errors.
  ///
  /// - Parameter reader: Rows of the alternate image.
  /// - Returns: The number of pixels.
  /// - Throws: Errors of the reader; `.cancelled`.
  package func countOutOfGamut(alternate reader: any RowReader) throws(ImageError) -> Int {
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
          let row = band.row
          for x in 0..<row.red.count
          where row.red[x] < lowest || row.green[x] < lowest || row.blue[x] < lowest {
            count += 1
          }
        }
        total.withLock { $0 += count }
      }
    }
    return total.withLock { $0 }
  }
}
