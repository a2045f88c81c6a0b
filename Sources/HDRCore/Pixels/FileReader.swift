// SPDX-License-Identifier: Apache-2.0
/// A decoder of the rows of a file: requests are checked, and errors have the name of the file.
final class FileReader: SequentialRowReader {
  let layout: ImageLayout
  private let reader: any RowReader
  private let file: String?

  init(_ reader: any RowReader, _ file: String?) {
    layout = reader.layout
    self.reader = reader
    self.file = file
  }

  var isSequential: Bool { reader.canReadAhead }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    do throws(ImageError) {
      try layout.require(rows)
      return try reader.read(rows: rows)
    } catch {
      throw file.map { error.inFile($0) } ?? error
    }
  }
}
