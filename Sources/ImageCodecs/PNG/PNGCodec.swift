// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import CShims
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// PNG images: chunks by `PNGFile`, samples by `PNGRowInflater` or libpng and, for encoding,
/// `Deflater`.
enum PNGCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.png

  /// The libraries that decode and encode samples, with their versions.
  static var libraries: [String] {
    // SAFETY: the string is a constant of the library.
    [unsafe String(cString: png_library())] + Deflater.libraries
  }
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .png(let png) = file.container, case .png(let layout) = image.samples else {
      throw file.format.missingCodec
    }
    if png.header.isInterlaced { try checkMemory(layout, limit: file.options.limits.memory) }
    let warnings = file.decodingNotices
    return Image(coded: layout.format) { () throws(ImageError) in
      try PNGReader(png, as: layout, notices: warnings)
    }
  }

  static func decodeGainMap(
    _ place: FoundGainMap.Location, in file: ImageFile
  ) throws(ImageError) -> Image {
    guard case .png(let png) = file.container else { throw file.format.missingCodec }
    let warnings = file.decodingNotices
    var (file, image) = (file, png)
    switch place {
    case .file: break
    case .chunk:
      guard let map = try png.gainMapImage(limits: file.options.limits) else {
        throw ImageError(.gainMapNotInFile, ["place": place.name])
      }
      (file, image) = (ImageFile(.png(map), options: file.options), map)
    case .image, .item, .box: throw ImageError(.gainMapNotInFile, ["place": place.name])
    }
    var notices: [Notice] = []
    let declared = try file.primaryImage()
    try file.options.limits.checkMemory(of: declared.layout)
    var planes = try decode(declared, in: file, notices: &notices).planes()
    for warning in file.decodingNotices.all { warnings.add(warning) }
    // Android ignores the alpha of a gain map, unless it is all that the bitmap has.
    if image.chunk(.gainMapMetadata) != nil || place == .chunk {
      let (main, alpha) = planes.separatingAlpha()
      planes = try image.isJustAlpha ? alpha ?? main : main
    }
    return Image(data: planes, isFullRange: declared.color.cicp?.isFullRange ?? true)
  }

  /// Throws if an image that is decoded into one buffer exceeds the memory limit.
  private static func checkMemory(_ layout: PNGLayout, limit: Int) throws(ImageError) {
    let (size, overflow) = layout.rowSize.multipliedReportingOverflow(by: layout.format.height)
    guard !overflow, size <= limit else {
      throw ImageError(
        .pngInterlacedLimitExceeded, ["size": size],
        at: .init(path: ["IHDR"], offset: PNGFile.signature.count))
    }
  }
}

/// Yields the rows of a PNG image as planes.
///
/// Decodes row by row; a request for an earlier row restarts decoding. Interlaced files are decoded
/// as a whole and cached.
final class PNGReader: SequentialRowReader {
  private let coded: PNGLayout
  private let file: PNGFile
  private var samples: PNGSampleReader
  /// Receives warnings of libpng.
  private let notices: DecodingNotices
  private var row: [UInt8]
  private var nextRow = 0
  /// All rows of an interlaced file, as returned by libpng.
  private var whole: [UInt8]?
  /// The memory of `whole`.
  private var memory: Execution.Reservation?

  var layout: ImageLayout { coded.format }

  init(_ file: PNGFile, as coded: PNGLayout, notices: DecodingNotices) throws(ImageError) {
    self.file = file
    self.coded = coded
    self.notices = notices
    try coded.requireData(of: file)
    samples = try PNGSampleReader(file.serializedSamples())
    row = [UInt8](repeating: 0, count: samples.rowSize)
    guard row.count == coded.rowSize else {
      throw ImageError(.libraryResultUnexpected, ["library": "libpng"])
    }
    if file.header.isInterlaced {
      memory = try Execution.current.budget.reserve(
        memory: row.count * layout.height, for: "interlaced image")
      whole = try samples.readImage(height: layout.height)
      try samples.finish()
    }
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    if rows.lowerBound < nextRow, whole == nil {
      samples = try PNGSampleReader(file.serializedSamples())
      nextRow = 0
    }
    let strip = layout.strip(height: rows.count)
    var planes = strip.zeroPlanes(of: UInt16.self)
    if let whole {
      for y in rows { unpack(whole, from: y * row.count, into: &planes, at: y - rows.lowerBound) }
    } else {
      while nextRow < rows.upperBound {
        try samples.readRow(into: &row)
        if nextRow >= rows.lowerBound {
          unpack(row, from: 0, into: &planes, at: nextRow - rows.lowerBound)
        }
        nextRow += 1
        if nextRow == layout.height { try samples.finish() }
      }
    }
    if let warning = samples.warning {
      notices.add(
        Notice(
          .libraryWarned, ["library": "libpng", "detail": warning], at: .init(path: ["IDAT"])))
    }
    return ImagePlanes(layout: strip, planes: .integer(planes))
  }

  private func unpack(
    _ row: [UInt8], from start: Int, into planes: inout [Plane<UInt16>], at y: Int
  ) {
    if let notice = coded.unpack(row, from: start, into: &planes, at: y) { notices.add(notice) }
  }
}

/// The samples of a PNG file, decoded row by row: by `PNGRowInflater`, or by libpng if the file
/// does not suit that or is irregular.
///
/// libpng receives only the chunks that code the samples.
@safe final class PNGSampleReader {
  private let handle: OpaquePointer
  private let input: PieceReader
  /// Reads the rows; `nil` if libpng does.
  private var inflater: PNGRowInflater?
  /// Number of rows that `inflater` has read.
  private var inflatedRows = 0
  /// Size of a decoded row, in bytes.
  let rowSize: Int

  /// Reads the headers of a file that contains only the chunks that code the samples.
  init(_ file: SplicedBytes) throws(ImageError) {
    input = PieceReader(file)
    // SAFETY: libpng uses `input` until `deinit` frees its reader; this object retains `input` that
    // long; `size` lives for the call.
    let context = unsafe Unmanaged.passUnretained(input).toOpaque()
    guard let handle = unsafe png_reader_create(context, readBytes) else {
      throw ImageError(.outOfMemory, ["library": "libpng"])
    }
    unsafe self.handle = handle
    var size = 0
    let status = unsafe png_reader_begin(handle, &size)
    rowSize = size
    try check(status)
    // SAFETY: this reader owns the handle.
    let step = unsafe png_reader_pixel_size(handle)
    if step > 0 { inflater = PNGRowInflater(file, rowSize: size, step: step) }
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe png_reader_free(handle)
  }

  /// Decodes the next row into `row`, which has `rowSize` bytes.
  func readRow(into row: inout [UInt8]) throws(ImageError) {
    precondition(row.count == rowSize, "a row has \(rowSize) bytes")
    if let inflater, inflater.readRow(into: &row) {
      inflatedRows += 1
    } else {
      try decodeInflatedRows()
      try decodeRow(into: &row)
    }
  }

  /// Lets libpng read the rows that were inflated, so that it continues after them.
  private func decodeInflatedRows() throws(ImageError) {
    guard let failed = inflater else { return }
    inflater = nil
    if let failure = failed.failure, failure.endsJob { throw failure.inside("IDAT") }
    var row = [UInt8](repeating: 0, count: rowSize)
    for _ in 0..<inflatedRows { try decodeRow(into: &row) }
  }

  private func decodeRow(into row: inout [UInt8]) throws(ImageError) {
    // SAFETY: libpng writes `rowSize` bytes, for which `row` has room.
    let status = unsafe row.withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return Int32(1) }
      return unsafe png_reader_row(handle, start)
    }
    try check(status)
  }

  /// Decodes all rows of an interlaced file.
  func readImage(height: Int) throws(ImageError) -> [UInt8] {
    var rows = [UInt8](repeating: 0, count: rowSize * height)
    // SAFETY: libpng writes `rowSize` bytes for each of the `height` rows of its header.
    let status = unsafe rows.withUnsafeMutableBufferPointer { rows in
      guard let start = rows.baseAddress else { return Int32(1) }
      return unsafe png_reader_image(handle, start, rowSize)
    }
    try check(status)
    return rows
  }

  /// Validates the data after the last row.
  func finish() throws(ImageError) {
    if let inflater, inflater.finish() { return }
    try decodeInflatedRows()
    // SAFETY: this reader owns the handle.
    try check(unsafe png_reader_finish(handle))
  }

  var warning: String? {
    // SAFETY: the message lives as long as the reader, and is copied.
    let text = unsafe String(cString: png_reader_warning(handle))
    return text.isEmpty ? nil : text
  }

  private func check(_ status: Int32) throws(ImageError) {
    guard status != 0 else { return }
    if let failure = input.failure { throw failure.inside("IDAT") }
    // SAFETY: the message lives as long as the reader.
    let message = unsafe String(cString: png_reader_message(handle))
    throw ImageError(
      .libraryRejectedData, ["library": "libpng", "detail": message],
      at: .init(path: ["IDAT"], offset: input.offset))
  }
}

private func readBytes(
  context: UnsafeMutableRawPointer, target: UnsafeMutablePointer<UInt8>, count: Int
) -> Int32 {
  // SAFETY: `context` is the `PieceReader`, which outlives libpng's reader; `target` has `count`
  // bytes, and exactly that many are read.
  let input = unsafe Unmanaged<PieceReader>.fromOpaque(context).takeUnretainedValue()
  guard let bytes = input.read(count) else { return 1 }
  unsafe bytes.withUnsafeBufferPointer { source in
    guard let start = source.baseAddress else { return }
    unsafe target.update(from: start, count: source.count)
  }
  return 0
}

extension PNGCodec {
  /// Writes RGB or gray of up to 16 bits, with alpha or without.
  ///
  /// Samples are widened to 8 or 16 bits by repeating their upper bits; `sBIT` specifies the
  /// original bit depth.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    let (header, bits) = try header(for: output.image.description)
    guard case .integer(let planes) = try output.image.planes().planes else {
      preconditionFailure("PNG stores integers")
    }
    try sink.write(metadata(of: StreamedImage(output)).serializedStart())
    var writer = PNGSampleWriter(bits: bits, header: header, options: options)
    try writer.append(planes) { chunk throws(ImageError) in
      try PNGSampleWriter.append(chunk, to: sink)
    }
    try sink.write(PNGFile.serializedEnd)
  }

  static func makeStream(
    _ header: StreamedImage, to sink: any ByteSink, options: EncoderOptions, isRotated: Bool
  ) throws(ImageError) -> (any ImageStream)? {
    try PNGFileStream(header.image, to: sink, options: options)
  }

  /// Returns the header of a file for an image, and the bits per sample of the image.
  ///
  /// - Throws: `.invalidArgument` for an image that PNG cannot store.
  static func header(for image: ImageDescription) throws(ImageError) -> (PNGHeader, bits: Int) {
    let (format, cicp) = (image.layout, image.color.cicp)
    guard case .integer(let bits) = format.samples,
      !format.isAlphaPremultiplied, cicp.matrix == .identity,
      format.components == .rgb || format.components == .gray
    else {
      throw ImageError(
        .invalidArgument, "PNG stores RGB or gray integers with straight alpha, not {cicp}",
        ["cicp": "\(cicp)"])
    }
    let isGray = format.components == .gray
    let header = PNGHeader(
      width: format.width, height: format.height, bitDepth: bits <= 8 ? 8 : 16,
      colorType: isGray
        ? (format.hasAlpha ? .grayAlpha : .gray) : (format.hasAlpha ? .rgbAlpha : .rgb))
    return (header, bits)
  }

  /// Returns a file with the chunks that precede the samples.
  ///
  /// - Throws: Errors of the Exif data and of `header(for:)`.
  static func metadata(of output: StreamedImage) throws(ImageError) -> PNGFile {
    let (header, bits) = try header(for: output.image)
    var file = PNGFile(header: header)
    if bits != header.bitDepth {
      let count = header.colorType.channels
      file.set(PNGSignificantBits(bits: [UInt8](repeating: UInt8(bits), count: count)))
    }
    if output.signalsCICP {
      file.set(PNGCodePoints(output.image.color.cicp))
      // A profile and this chunk exclude each other.
      if output.icc == nil, output.image.color.isSRGB {
        file.set(PNGStandardRGB(renderingIntent: 1))
      }
    }
    try file.setProfile(output.icc)
    file.setExif(
      try ExifBlock.consistent(
        output.exif, with: output.image.orientation, isSRGB: output.image.color.isSRGB))
    if let resolution = try ExifBlock.pixelsPerInch(of: output.exif),
      let size = PNGPixelSize(pixelsPerInch: resolution)
    {
      file.set(size)
    }
    file.setXMP(output.xmp)
    try file.add(output.auxiliaryMetadata)
    // The caller reports metadata that PNG cannot store.
    try file.setLightMetadata(output.image.light)
    return file
  }
}

/// A PNG file whose rows are encoded as they are produced.
///
/// The coded data are in memory until the end, since the chunks with measured light levels precede them.
final class PNGFileStream: ImageStream {
  private let sink: any ByteSink
  private var writer: PNGSampleWriter
  private var chunks: [[UInt8]] = []
  /// The memory of `chunks`.
  private var reservations: [Execution.Reservation] = []

  /// Begins a file for an image.
  ///
  /// - Throws: `.invalidArgument` for an image that PNG cannot store.
  init(
    _ image: ImageDescription, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    let (header, bits) = try PNGCodec.header(for: image)
    self.sink = sink
    writer = PNGSampleWriter(bits: bits, header: header, options: options)
  }

  func append(_ rows: ImagePlanes) throws(ImageError) {
    guard case .integer(let planes) = rows.planes else {
      preconditionFailure("PNG stores integers")
    }
    try writer.append(planes) { chunk throws(ImageError) in
      reservations.append(
        try Execution.current.budget.reserve(memory: chunk.count, for: "encoded blocks"))
      chunks.append(chunk)
    }
  }

  func finish(_ header: StreamedImage) throws(ImageError) {
    try sink.write(PNGCodec.metadata(of: header).serializedStart())
    for chunk in chunks { try PNGSampleWriter.append(chunk, to: sink) }
    try sink.write(PNGFile.serializedEnd)
  }
}
#endif
