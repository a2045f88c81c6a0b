// SPDX-License-Identifier: Apache-2.0
/// A reader whose errors have the name of a file.
final class NamingReader: SequentialRowReader {
  let layout: ImageLayout
  private let reader: any RowReader
  private let file: String

  init(_ reader: any RowReader, _ file: String) {
    layout = reader.layout
    self.reader = reader
    self.file = file
  }

  var isSequential: Bool { reader.canReadAhead }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    do throws(ImageError) { return try reader.read(rows: rows) } catch { throw error.inFile(file) }
  }
}
