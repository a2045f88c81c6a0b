// SPDX-License-Identifier: Apache-2.0
#if EXR
internal import HDRCore
internal import ImageFiles
internal import PixelKernels

/// An OpenEXR file of scan lines that is written row by row, with ZIP compression.
///
/// The file is serialized here, since OpenEXR 3.1 deflates with zlib, which takes several times
/// as long as `Deflater`.
///
/// Source: OpenEXR File Layout; Technical Introduction to OpenEXR, "Data Compression".
final class EXRWriter {
  private let sink: any ByteSink
  /// Offset in the sink at which the file begins.
  private let start: Int
  private let width: Int
  private let height: Int
  /// The planes in the order of the file: channels are sorted by name.
  private let order: [Int]
  private let isHalf: Bool
  private let speed: Int
  /// Offset of the table of chunk offsets in the sink.
  private let table: Int
  private var offsets: [UInt64] = []
  /// Rows that were not written yet, as stored before compression.
  private var pending: [UInt8] = []
  /// The first row of `pending`.
  private var nextRow = 0

  /// Content of the header except the size.
  struct Header {
    var channels: [String]
    var isHalf: Bool
    var primaries: ColorPrimaries
    /// Luminance of 1.0, in cd/m².
    var referenceWhite: Double
    var exif: [UInt8]?
    var xmp: [UInt8]?
  }

  /// Writes the header; `speed` is that of `Deflater`.
  ///
  /// - Throws: Errors of the sink.
  init(
    width: Int, height: Int, header: Header, speed: Int, to sink: any ByteSink
  ) throws(ImageError) {
    self.sink = sink
    (self.width, self.height, self.speed) = (width, height, speed)
    isHalf = header.isHalf
    order = header.channels.indices.sorted { header.channels[$0] < header.channels[$1] }
    start = sink.count
    try sink.write(header.serialized(width: width, height: height))
    table = sink.count
    try sink.write([UInt8](repeating: 0, count: 8 * Self.chunkCount(height)))
  }

  /// Rows of a chunk with ZIP compression.
  private static let chunkHeight = 16

  private static func chunkCount(_ height: Int) -> Int { (height - 1) / chunkHeight + 1 }

  private var rowSize: Int { width * order.count * (isHalf ? 2 : 4) }

  /// Writes the next rows: one plane per channel, one after the other in `samples`.
  ///
  /// In a half-float file, finite samples out of range become the largest finite ones.
  ///
  /// - Throws: Errors of the sink; `.cancelled`.
  func write(_ samples: [Float], rows: Int) throws(ImageError) {
    precondition(samples.count == rows * width * order.count, "all planes have these rows")
    var halves = [UInt16](repeating: 0, count: isHalf ? width : 0)
    pending.reserveCapacity(pending.count + rows * rowSize)
    for y in 0..<rows {
      for plane in order {
        let first = (plane * rows + y) * width
        // SAFETY: the plane has `width` samples from `first`, as many as `halves`.
        unsafe samples.withUnsafeBufferPointer { samples in
          guard let start = samples.baseAddress else { return }
          let row = unsafe start + first
          if isHalf {
            unsafe pk_float_to_finite_half(row, &halves, width)
          } else {
            let bytes = unsafe UnsafeRawBufferPointer(start: row, count: 4 * width)
            unsafe pending.append(contentsOf: bytes)
          }
        }
        // SAFETY: the buffer lives until the bytes have been copied.
        if isHalf { unsafe halves.withUnsafeBytes { unsafe pending.append(contentsOf: $0) } }
      }
    }
    try writeChunks()
  }

  /// Writes the next rows of half-float samples, one plane per channel.
  ///
  /// - Throws: Errors of the sink; `.cancelled`.
  func write(_ rows: Range<Int>, of planes: [Plane<UInt16>]) throws(ImageError) {
    precondition(isHalf && planes.count == order.count, "the file has these planes")
    pending.reserveCapacity(pending.count + rows.count * rowSize)
    for y in rows {
      for index in order {
        let plane = planes[index]
        // SAFETY: the row lives until its bytes have been copied.
        unsafe plane.row(y).withUnsafeBytes { unsafe pending.append(contentsOf: $0) }
      }
    }
    try writeChunks()
  }

  /// Completes the file after its last row.
  ///
  /// - Throws: Errors of the sink.
  func finish() throws(ImageError) {
    precondition(nextRow == height, "all rows were written")
    var writer = ByteWriter()
    for offset in offsets { writer.writeLittleEndian(offset) }
    try sink.rewrite(writer.bytes, at: table)
  }

  // MARK: Chunks

  /// Number of chunks that one compressor compresses in turn.
  private static let run = 2

  /// Rows of the chunks that one compressor compresses in turn.
  static let runHeight = run * chunkHeight

  /// Writes the chunks whose rows are complete.
  private func writeChunks() throws(ImageError) {
    let pendingRows = pending.count / rowSize
    let isLast = nextRow + pendingRows == height
    let count = isLast ? Self.chunkCount(pendingRows) : pendingRows / Self.chunkHeight
    let (bytes, size, speed) = (pending, Self.chunkHeight * rowSize, speed)
    let runs = (count + Self.run - 1) / Self.run
    let chunks = try concurrentMap(runs) { (index) throws(ImageError) in
      let deflater = try Deflater(speed: speed)
      var chunks: [[UInt8]] = []
      for chunk in index * Self.run..<min((index + 1) * Self.run, count) {
        let range = chunk * size..<min((chunk + 1) * size, bytes.count)
        chunks.append(try Self.compressed(Array(bytes[range]), deflater))
      }
      return chunks
    }
    for data in chunks.joined() {
      offsets.append(UInt64(sink.count - start))
      var head = ByteWriter()
      head.writeLittleEndian(Int32(clamping: nextRow))
      head.writeLittleEndian(Int32(clamping: data.count))
      try sink.write(head.bytes)
      try sink.write(data)
      nextRow = min(nextRow + Self.chunkHeight, height)
    }
    pending = Array(bytes.dropFirst(count * size))
  }

  /// The data of a chunk: unchanged if compression does not make them smaller.
  private static func compressed(
    _ bytes: [UInt8], _ deflater: borrowing Deflater
  ) throws(ImageError) -> [UInt8] {
    var (separated, predicted) = (bytes, bytes)
    // SAFETY: the three arrays have `bytes.count` bytes, and do not overlap.
    unsafe pk_separate_bytes(bytes, &separated, bytes.count)
    unsafe pk_predict_bytes(separated, &predicted, bytes.count)
    let stream = try deflater.zlibStream(predicted)
    return stream.count < bytes.count ? stream : bytes
  }
}

extension EXRWriter.Header {
  /// Source: OpenEXR File Layout, "Header Attributes (All Files)" and "Predefined Attribute Types".
  fileprivate func serialized(width: Int, height: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeLittleEndian(20_000_630 as Int32)
    writer.writeLittleEndian(2 as Int32)

    var list = ByteWriter()
    for channel in channels.sorted() {
      list.write(channel, isTerminated: true)
      list.writeLittleEndian(isHalf ? 1 : 2 as Int32)
      // Perceptually linear, reserved; sampling in x and y.
      list.write([0, 0, 0, 0])
      for _ in 0..<2 { list.writeLittleEndian(1 as Int32) }
    }
    list.write([0])
    let window = Self.bytes([0, 0, Int32(clamping: width - 1), Int32(clamping: height - 1)])
    let p = primaries
    let xy = [p.red, p.green, p.blue, p.white].flatMap { [$0.x, $0.y] }
    var attributes: [(name: String, type: String, value: [UInt8])] = [
      ("channels", "chlist", list.bytes), ("chromaticities", "chromaticities", Self.bytes(xy)),
      ("compression", "compression", [3]), ("dataWindow", "box2i", window),
      ("displayWindow", "box2i", window),
    ]
    if let exif {
      attributes.append(("exif", "blob", Self.bytes([Int32(clamping: exif.count)]) + exif))
    }
    attributes += [
      ("lineOrder", "lineOrder", [0]), ("pixelAspectRatio", "float", Self.bytes([1.0])),
      ("screenWindowCenter", "v2f", Self.bytes([0.0, 0.0])),
      ("screenWindowWidth", "float", Self.bytes([1.0])),
      ("whiteLuminance", "float", Self.bytes([referenceWhite])),
    ]
    if let xmp { attributes.append(("xmp", "string", xmp)) }
    for attribute in attributes {
      writer.write(attribute.name, isTerminated: true)
      writer.write(attribute.type, isTerminated: true)
      writer.writeLittleEndian(Int32(clamping: attribute.value.count))
      writer.write(attribute.value)
    }
    writer.write([0])
    return writer.bytes
  }

  private static func bytes(_ values: [Int32]) -> [UInt8] {
    var writer = ByteWriter()
    for value in values { writer.writeLittleEndian(value) }
    return writer.bytes
  }

  /// Values in single precision.
  private static func bytes(_ values: [Double]) -> [UInt8] {
    bytes(values.map { Int32(bitPattern: Float($0).bitPattern) })
  }
}

extension EXRCodec {
  /// Writes linear values: half-float samples unchanged, 32-bit float samples as half unless code
  /// values must be preserved.
  ///
  /// Alpha is premultiplied in the file. The luminance of 1.0 is the reference white of the image.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    guard output.image.orientation == .upright else { throw ImageError(.exrOrientationNotStorable) }
    let header = StreamedImage(output)
    let writer = try begin(header, to: sink, options: options)
    try append(try output.image.planes(), to: writer)
    try writer.finish()
  }

  static func makeStream(
    _ header: StreamedImage, to sink: any ByteSink, options: EncoderOptions, isRotated: Bool
  ) throws(ImageError) -> (any ImageStream)? {
    EXRStream(try begin(header, to: sink, options: options))
  }

  /// Writes the header of a file for an upright image.
  private static func begin(
    _ content: StreamedImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) -> EXRWriter {
    let (format, color) = (content.image.layout, content.image.color)
    let cicp = color.cicp
    guard format.isFloatingPoint, color.transfer == .linear,
      let primaries = ColorPrimaries(cicp.primaries)
    else {
      throw ImageError(
        .invalidArgument, "OpenEXR stores linear values of known primaries, not CICP {cicp}",
        ["cicp": "\(cicp)"])
    }
    let channels = format.components == .gray ? ["Y"] : ["R", "G", "B"]
    let prefix = Array("Exif\0\0".utf8)
    return try EXRWriter(
      width: format.width, height: format.height,
      header: .init(
        channels: channels + (format.hasAlpha ? ["A"] : []),
        isHalf: format.samples == .half || !options.isLossless, primaries: primaries,
        referenceWhite: color.referenceWhite,
        exif: try ExifBlock.consistent(content.exif, with: .upright, isSRGB: false).map {
          prefix + $0
        },
        xmp: content.xmp),
      speed: options.speed, to: sink)
  }

  /// Writes the next rows of an image.
  static func append(_ image: ImagePlanes, to writer: EXRWriter) throws(ImageError) {
    let stripHeight = EXRWriter.runHeight * max(Execution.current.threads, 4)
    let height = image.layout.height
    for first in stride(from: 0, to: height, by: stripHeight) {
      try Execution.current.report(Double(first) / Double(height))
      try write(first..<min(first + stripHeight, height), of: image, to: writer)
    }
  }

  private static func write(
    _ rows: Range<Int>, of image: ImagePlanes, to writer: EXRWriter
  ) throws(ImageError) {
    let isMultiplied = !image.layout.hasAlpha || image.layout.isAlphaPremultiplied
    switch image.planes {
    case .integer: preconditionFailure("OpenEXR holds light")
    case .half(let planes):
      guard isMultiplied else {
        throw ImageError(
          .invalidArgument, "OpenEXR requires premultiplied alpha for half-float samples")
      }
      try writer.write(rows, of: planes)
    case .float(let planes):
      let samples = associated(rows, of: planes, isMultiplied: isMultiplied)
      try writer.write(samples, rows: rows.count)
    }
  }

  /// Rows of all planes, plane after plane, premultiplied by alpha, which is the last plane.
  private static func associated(
    _ rows: Range<Int>, of planes: [Plane<Float>], isMultiplied: Bool
  ) -> [Float] {
    let coverage = planes[planes.count - 1]
    var samples: [Float] = []
    samples.reserveCapacity(rows.count * coverage.width * planes.count)
    for (index, plane) in planes.enumerated() {
      for y in rows {
        let row = plane.row(y)
        guard !isMultiplied, index < planes.count - 1 else {
          for x in row.indices { samples.append(row[x]) }
          continue
        }
        let alpha = coverage.row(y)
        for x in row.indices { samples.append(row[x] * alpha[x]) }
      }
    }
    return samples
  }
}

/// An OpenEXR file that is written row by row, with the metadata that was known at its beginning.
private final class EXRStream: ImageStream {
  private let writer: EXRWriter

  init(_ writer: EXRWriter) { self.writer = writer }

  func append(_ rows: ImagePlanes) throws(ImageError) { try EXRCodec.append(rows, to: writer) }

  func finish(_ header: StreamedImage) throws(ImageError) { try writer.finish() }
}
#endif
