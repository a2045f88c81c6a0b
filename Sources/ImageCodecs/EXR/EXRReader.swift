#if EXR
internal import HDRCore
internal import ImageContainers

/// Yields the display window of an OpenEXR part.
///
/// Pixels outside the data window are 0, and transparent if there is alpha. Any rows can be read at
/// any time; chunks are decoded in blocks, of which the last one is kept.
final class EXRReader: RowReader {
  let format: StoredFormat
  private let layout: EXRLayout
  private let file: EXRFile
  private let blockHeight: Int
  private var block: Block?

  /// Rows of the data window, decoded: a plane per component.
  private struct Block {
    var rows: ClosedRange<Int>
    var planes: [Plane<Float>]
  }

  init(
    _ source: ByteSource, layout: EXRLayout, format: StoredFormat, threads: Int
  ) throws(ImageError) {
    self.format = format
    self.layout = layout
    file = try EXRFile.open(source, part: layout.partIndex, threads: threads)
    // Enough chunks for all threads, but not so many that the block is most of the picture.
    let chunks = layout.part.isTiled ? 1 : max(min(threads, 512 / layout.chunkHeight), 1)
    blockHeight = layout.chunkHeight * max(chunks, 32 / layout.chunkHeight)
  }

  func read(rows: Range<Int>) throws(ImageError) -> StoredImage {
    var strip = format
    strip.height = rows.count
    var planes = (0..<format.planeCount).map { _ in
      Plane<Float>(width: format.width, height: rows.count, filledWith: 0)
    }
    let (data, display) = (layout.dataWindow, layout.displayWindow)
    let columns = max(data.minX, display.minX)..<(min(data.maxX, display.maxX) + 1)
    for row in rows {
      let y = display.minY + row
      guard data.minY...data.maxY ~= y, !columns.isEmpty else { continue }
      let block = try block(with: y)
      for (index, plane) in block.planes.enumerated() {
        let source = plane.row(y - block.rows.lowerBound)
        var target = planes[index].mutableRow(row - rows.lowerBound)
        for x in columns { target[x - display.minX] = source[x - data.minX] }
      }
    }
    return StoredImage(format: strip, planes: .float(planes))
  }

  private func block(with y: Int) throws(ImageError) -> Block {
    if let block, block.rows ~= y { return block }
    block = nil
    let data = layout.dataWindow
    let first = data.minY + (y - data.minY) / blockHeight * blockHeight
    let rows = first...min(first + blockHeight - 1, data.maxY)
    let decoded = Block(rows: rows, planes: try decode(rows))
    block = decoded
    return decoded
  }

  private func decode(_ rows: ClosedRange<Int>) throws(ImageError) -> [Plane<Float>] {
    let width = layout.dataWindow.width
    let samples: [Float]
    do {
      samples = try file.read(rows: rows, channels: layout.channels, width: width)
    } catch {
      throw error.inside("rows \(rows.lowerBound)...\(rows.upperBound)")
    }
    return layout.channels.indices.map { index in
      Plane(width: width, height: rows.count) { plane in
        let start = index * width * rows.count
        for position in start..<start + width * rows.count { plane.append(samples[position]) }
      }
    }
  }
}
#endif
