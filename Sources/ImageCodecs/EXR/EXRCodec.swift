// SPDX-License-Identifier: Apache-2.0
#if EXR
internal import CShims
internal import HDRCore
internal import ImageFiles

/// Yields the display window of an OpenEXR part.
///
/// XYZ is converted to linear BT.2020. Pixels outside the data window are 0, and transparent if the
/// part has alpha. Rows can be read in any order; chunks are decoded in blocks, of which the last
/// one is cached.
final class EXRReader: RowReader {
  let layout: ImageLayout
  private let source: ByteSource
  private let coded: EXRLayout
  private let file: EXRFile
  private let blockHeight: Int
  private var block: Block?
  /// The memory of a block, and of the chunks that OpenEXR decodes.
  private let memory: Execution.Reservation

  /// Decoded rows of the data window, one plane per component.
  private struct Block {
    var rows: ClosedRange<Int>
    var planes: [Plane<Float>]
  }

  init(_ source: ByteSource, as coded: EXRLayout, layout: ImageLayout) throws(ImageError) {
    self.layout = layout
    self.source = source
    self.coded = coded
    file = try EXRFile(source, part: coded.partIndex)
    // Enough chunks for all threads, while a block remains a small part of the image.
    let chunks =
      coded.part.isTiled ? 1 : max(min(Execution.current.threads, 512 / coded.chunkHeight), 1)
    blockHeight = coded.chunkHeight * max(chunks, 32 / coded.chunkHeight)
    memory = try Execution.current.budget.reserve(
      memory: coded.dataWindow.width * blockHeight
        * (8 * coded.channels.count + 2 * coded.part.channels.reduce(0) { $0 + $1.bytesPerSample }),
      for: "chunks")
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    let strip = layout.strip(height: rows.count)
    var planes = strip.zeroPlanes(of: Float.self)
    let (data, display) = (coded.dataWindow, coded.displayWindow)
    let left = max(data.minX, display.minX)
    // Empty if the data and display windows do not intersect.
    let columns = left..<max(min(data.maxX, display.maxX) + 1, left)
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
    return ImagePlanes(layout: strip, planes: .float(planes))
  }

  private func block(with y: Int) throws(ImageError) -> Block {
    if let block, block.rows ~= y { return block }
    block = nil
    let data = coded.dataWindow
    let first = data.minY + (y - data.minY) / blockHeight * blockHeight
    let rows = first...min(first + blockHeight - 1, data.maxY)
    var decoded = Block(rows: rows, planes: try decode(rows))
    if coded.isXYZ { Self.convertXYZ(&decoded.planes) }
    block = decoded
    return decoded
  }

  private func decode(_ rows: ClosedRange<Int>) throws(ImageError) -> [Plane<Float>] {
    guard case .luminanceChroma(isSubsampled: true) = coded.colorModel else {
      let samples = try read(rows, coded.channels)
      let planes = coded.channels.indices.map { samples.plane($0, height: rows.count) }
      guard case .luminanceChroma = coded.colorModel else { return planes }
      return luminanceChroma.rgb(planes) + planes.dropFirst(3)
    }
    let data = coded.dataWindow
    let margin = LuminanceChroma.reach + 1
    // Chroma is stored for even rows; the first row of the data window is even.
    let first = max(data.minY, (rows.lowerBound - margin) & ~1)
    let available = first...min(rows.upperBound + margin, data.maxY)
    let samples = try read(available, coded.channels)
    let chroma = [1, 2].map { component in
      (0..<(available.count + 1) / 2).map {
        samples.row($0, of: component, count: (data.width + 1) / 2)
      }
    }
    let planes = luminanceChroma.rgb(
      rows: rows, luminance: (0..<available.count).map { samples.row($0, of: 0) }, chroma: chroma,
      available: available, width: data.width)
    guard coded.hasAlpha else { return planes }
    let alpha = samples.plane(3, height: rows.count, from: rows.lowerBound - first)
    return planes + [alpha]
  }

  /// Converts XYZ to linear BT.2020 without chromatic adaptation.
  private static func convertXYZ(_ planes: inout [Plane<Float>]) {
    let matrix = ColorPrimaries.bt2020.xyzToRGB
    var (red, green, blue) = (planes[0], planes[1], planes[2])
    for y in 0..<red.height {
      var redRow = red.mutableRow(y)
      var greenRow = green.mutableRow(y)
      var blueRow = blue.mutableRow(y)
      for x in 0..<redRow.count {
        let xyz = SIMD3(Double(redRow[x]), Double(greenRow[x]), Double(blueRow[x]))
        let rgb = matrix * xyz
        redRow[x] = Float(rgb.x)
        greenRow[x] = Float(rgb.y)
        blueRow[x] = Float(rgb.z)
      }
    }
    planes.replaceSubrange(0..<3, with: [red, green, blue])
  }

  private func read(
    _ rows: ClosedRange<Int>, _ channels: [String]
  ) throws(ImageError) -> EXRSamples {
    do throws(ImageError) {
      return try file.read(rows: rows, channels: channels, width: coded.dataWindow.width)
    } catch {
      if error.code == .libraryRejectedData { try checkChunks(rows, channels) }
      throw error
    }
  }

  /// Reads chunks one by one: the threads of OpenEXR fail in any order.
  ///
  /// - Throws: The error of the first chunk that fails, with its rows.
  private func checkChunks(_ rows: ClosedRange<Int>, _ channels: [String]) throws(ImageError) {
    // A reader that has failed does not read the chunk again.
    let file = try EXRFile(source, part: coded.partIndex)
    var y = rows.lowerBound
    while y <= rows.upperBound {
      let chunk = chunk(with: y)
      do throws(ImageError) {
        let part = y...min(chunk.upperBound, rows.upperBound)
        _ = try file.read(rows: part, channels: channels, width: coded.dataWindow.width)
      } catch {
        throw error.inside("rows \(chunk.lowerBound)...\(chunk.upperBound)")
      }
      y = chunk.upperBound + 1
    }
  }

  /// The rows of the chunk that contains row `y`.
  private func chunk(with y: Int) -> ClosedRange<Int> {
    let data = coded.dataWindow
    let first = data.minY + (y - data.minY) / coded.chunkHeight * coded.chunkHeight
    return first...min(first + coded.chunkHeight - 1, data.maxY)
  }

  private var luminanceChroma: LuminanceChroma {
    let declared = coded.part.chromaticities
    return LuminanceChroma(primaries: declared.flatMap { $0.isUsable ? $0 : nil } ?? .bt709)
  }
}

/// One part of an OpenEXR file that the library has opened.
@safe final class EXRFile {
  private let handle: OpaquePointer
  private let input: SourceReader

  init(_ source: ByteSource, part: Int) throws(ImageError) {
    input = SourceReader(source)
    // SAFETY: OpenEXR uses `input` until `deinit` frees its reader; this object retains `input`
    // that long.
    let context = unsafe Unmanaged.passUnretained(input).toOpaque()
    guard let handle = unsafe exr_reader_create(context, readSource) else {
      throw ImageError(.outOfMemory, ["library": "OpenEXR"])
    }
    unsafe self.handle = handle
    try check(
      unsafe exr_reader_open(
        handle, Int32(clamping: part), Int32(clamping: Execution.current.threads)))
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe exr_reader_free(handle)
  }

  /// Reads rows of the data window as one float plane per channel.
  ///
  /// - Parameters:
  ///   - rows: Rows, in coordinates of the data window.
  ///   - channels: Names of channels that the part contains.
  ///   - width: Width of the data window, and of the rows of each plane.
  /// - Returns: `channels.count` planes of `rows.count` rows; subsampled channels fill only the
  ///   upper left part of their planes.
  /// - Throws: Errors of the library.
  func read(
    rows: ClosedRange<Int>, channels: [String], width: Int
  ) throws(ImageError) -> EXRSamples {
    var names: [CChar] = []
    for channel in channels { names += channel.utf8CString }
    let plane = width * rows.count
    var samples = [Float](repeating: 0, count: plane * channels.count)
    // SAFETY: both arrays live for the call, and the planes have room for the rows.
    let status = unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe names.withUnsafeBufferPointer { names in
        guard let samples = samples.baseAddress, let names = names.baseAddress else {
          return EXR_OK
        }
        return unsafe exr_reader_read(
          handle, Int32(clamping: rows.lowerBound), Int32(clamping: rows.upperBound), names,
          Int32(clamping: channels.count), samples, width, plane)
      }
    }
    try check(status)
    return EXRSamples(samples: samples, width: width, height: rows.count)
  }

  private func check(_ status: exr_status) throws(ImageError) {
    guard status != EXR_OK else { return }
    if let failure = input.failure { throw failure }
    guard status != EXR_OUT_OF_MEMORY else {
      throw ImageError(.outOfMemory, ["library": "OpenEXR"])
    }
    // SAFETY: the message lives as long as the reader.
    let message = unsafe String(cString: exr_reader_message(handle))
    throw ImageError(
      .libraryRejectedData, ["library": "OpenEXR", "detail": message],
      at: .init(offset: input.lastOffset))
  }
}

/// Rows of several channels, one plane after the other.
struct EXRSamples {
  let samples: [Float]
  let width: Int
  let height: Int

  /// The first `count` samples of a row; by default all.
  func row(_ row: Int, of channel: Int, count: Int? = nil) -> [Float] {
    let start = (channel * height + row) * width
    return Array(samples[start..<start + (count ?? width)])
  }

  /// `height` rows of a channel, starting at row `first`.
  func plane(_ channel: Int, height: Int, from first: Int = 0) -> Plane<Float> {
    let start = (channel * self.height + first) * width
    return Plane(width: width, height: height) { plane in
      for index in start..<start + width * height { plane.append(samples[index]) }
    }
  }
}

/// OpenEXR images.
enum EXRCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.exr

  /// The libraries that decode and encode samples, with their versions.
  static var libraries: [String] {
    // SAFETY: the string is a constant of the library.
    [unsafe String(cString: exr_library())] + Deflater.libraries
  }
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .exr(let header) = file.container, case .exr(let coded) = image.samples else {
      throw file.format.missingCodec
    }
    let (source, layout) = (file.source, image.layout)
    try coded.check(
      limits: file.options.limits, chunksAtOnce: 2 * Execution.current.threads,
      headerEnd: header.end, fileSize: source.count)
    return Image(coded: layout) { () throws(ImageError) in
      try EXRReader(source, as: coded, layout: layout)
    }
  }
}
#endif
