// SPDX-License-Identifier: Apache-2.0
/// A decoder of the rows of a file: requests are checked, and errors have the name of the file.
package final class FileReader: SequentialRowReader, PartReader {
  package let layout: ImageLayout
  package let decoder: any RowReader
  private let file: String?

  init(_ reader: any RowReader, _ file: String?) {
    layout = reader.layout
    decoder = reader
    self.file = file
  }

  package var isSequential: Bool { decoder.canReadAhead }

  package func limit(to part: PixelRectangle?) { decoder.limitIfPossible(to: part) }

  package func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    do throws(ImageError) {
      try layout.require(rows)
      return try decoder.read(rows: rows)
    } catch {
      throw file.map { error.inFile($0) } ?? error
    }
  }
}
