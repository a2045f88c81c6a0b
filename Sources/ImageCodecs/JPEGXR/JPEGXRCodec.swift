// SPDX-License-Identifier: Apache-2.0
#if JPEGXR
internal import CShims
internal import HDRCore
internal import ImageFiles

/// Yields the rows of a JPEG XR image.
///
/// A row of macroblocks is decoded at a time. Rows before those that were decoded last restart
/// the decoders.
final class JPEGXRReader: SequentialRowReader {
  let layout: ImageLayout
  private let source: ByteSource
  private let samples: JPEGXRSamples
  private var color: JPEGXRDecoder?
  private var alpha: JPEGXRDecoder?

  init(_ source: ByteSource, _ samples: JPEGXRSamples, layout: ImageLayout) {
    self.source = source
    self.samples = samples
    self.layout = layout
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    let strip = layout.strip(height: rows.count)
    var planes: ImagePlanes.Planes =
      layout.samples == .float
      ? .float(strip.zeroPlanes(of: Float.self)) : .integer(strip.zeroPlanes(of: UInt16.self))
    for y in rows {
      try decode(to: y)
      try convert(y, into: &planes, at: y - rows.lowerBound)
    }
    return ImagePlanes(layout: strip, planes: planes)
  }

  private var format: JPEGXRPixelFormat { samples.image.pixelFormat }
  /// Whether color and alpha are in the same pixels.
  private var isInterleaved: Bool { layout.hasAlpha && samples.alpha == nil }

  /// Decodes until the row is in the memory of the decoders.
  private func decode(to y: Int) throws(ImageError) {
    do throws(ImageError) {
      try advance(&color, samples.header, samples.image.codestream, to: y) {
        format.colorBits + (isInterleaved ? format.alphaBits : 0)
      }
      guard let plane = samples.alpha, let range = samples.image.alpha else { return }
      try advance(&alpha, plane, range, to: y) { format.alphaBits }
    } catch {
      throw error.inside("row \(y)")
    }
  }

  private func advance(
    _ decoder: inout JPEGXRDecoder?, _ header: JPEGXRCodestream, _ range: Range<Int>, to y: Int,
    bits: () -> Int
  ) throws(ImageError) {
    let needed = (y + header.margins.top) / JPEGXRDecoder.height + 1
    if let decoded = decoder?.decoded, decoded > needed { decoder = nil }
    if decoder == nil {
      decoder = try JPEGXRDecoder(source, range, header, bits: bits(), hasAlpha: isInterleaved)
    }
    while let current = decoder, current.decoded < needed { try current.decodeNext() }
  }

  /// Stores row `y` of the decoders in row `target` of the planes.
  private func convert(
    _ y: Int, into planes: inout ImagePlanes.Planes, at target: Int
  ) throws(ImageError) {
    let count = layout.componentCount + (isInterleaved ? 1 : 0)
    guard let color else { return }
    // Of coded luma alone, jxrlib yields the first component only.
    let isGray = samples.header.isLumaOnly
    for component in 0..<layout.componentCount {
      store(
        color.row(y, samples.header), isGray ? 0 : component, of: count, in: &planes, component,
        target)
    }
    guard layout.hasAlpha else { return }
    if let alpha, let plane = samples.alpha {
      store(alpha.row(y, plane), 0, of: 1, in: &planes, layout.componentCount, target)
    } else {
      store(
        color.row(y, samples.header), layout.componentCount, of: count, in: &planes,
        layout.componentCount, target)
    }
  }

  /// Stores sample `index` of each pixel of `count` samples.
  private func store(
    _ pixels: JPEGXRPixels, _ index: Int, of count: Int, in planes: inout ImagePlanes.Planes,
    _ plane: Int, _ target: Int
  ) {
    switch planes {
    case .float(var floats):
      planes = .float([])
      var row = floats[plane].mutableRow(target)
      pixels.convert(format.samples, index, of: count, to: &row)
      planes = .float(floats)
    case .integer(var integers):
      planes = .integer([])
      var row = integers[plane].mutableRow(target)
      pixels.convert(format.samples, index, of: count, to: &row)
      planes = .integer(integers)
    case .half: preconditionFailure("samples of 16 bits are widened")
    }
  }
}

extension JPEGXRDecoder {
  /// The pixels of row `y` of the image, which was decoded last.
  fileprivate func row(_ y: Int, _ header: JPEGXRCodestream) -> JPEGXRPixels {
    // Rows of the image above the first whole macroblock are stored at the top.
    let first = max((decoded - 1) * Self.height - header.margins.top, 0)
    return JPEGXRPixels(bytes: rows, start: (y - first) * rowSize)
  }
}

/// Interleaved pixels of a row, in native byte order.
private struct JPEGXRPixels {
  let bytes: [UInt8]
  let start: Int

  /// Converts sample `index` of pixels of `count` samples to linear values.
  ///
  /// Source: T.832, A.7.18, for the scale of fixed-point samples; table A.6 for RGBE, whose exponent
  /// has a bias of 128 and whose mantissas are fractions of 256.
  func convert(
    _ samples: JPEGXRPixelFormat.Samples, _ index: Int, of count: Int,
    to row: inout MutableSpan<Float>
  ) {
    for x in 0..<row.count {
      let sample = x * count + index
      switch samples {
      case .half: row[x] = Float(binary16: word(sample))
      case .fixed16: row[x] = Float(Int16(bitPattern: word(sample))) / 8192
      case .fixed32: row[x] = Float(Int32(bitPattern: longWord(sample))) / 16_777_216
      case .rgbe:
        let exponent = Int(bytes[start + 4 * x + 3])
        let mantissa = Float(bytes[start + 4 * x + index])
        let step = Float(sign: .plus, exponent: exponent - 136, significand: 1)
        row[x] = exponent == 0 ? 0 : mantissa * step
      default: row[x] = Float(bitPattern: longWord(sample))
      }
    }
  }

  /// Extracts sample `index` of pixels of `count` samples: red, green, blue, alpha.
  ///
  /// Packed formats have blue in the low bits, whatever RED_BLUE_NOT_SWAPPED_FLAG is: with another
  /// value, the library swaps both.
  func convert(
    _ samples: JPEGXRPixelFormat.Samples, _ index: Int, of count: Int,
    to row: inout MutableSpan<UInt16>
  ) {
    let position = 2 - index
    for x in 0..<row.count {
      switch samples {
      case .bit: row[x] = UInt16(bytes[start + x / 8] >> UInt8(7 - x % 8) & 1)
      case .byte: row[x] = UInt16(bytes[start + x * count + index])
      case .packed101010:
        row[x] = UInt16(truncatingIfNeeded: longWord(x) >> UInt32(10 * position) & 1023)
      case .packed555: row[x] = word(x) >> UInt16(5 * position) & 31
      case .packed565:
        row[x] =
          position == 1
          ? (word(x) >> 5 & 63).widened(from: 6, to: 8)
          : (word(x) >> UInt16(position == 0 ? 0 : 11) & 31).widened(from: 5, to: 8)
      default: row[x] = word(x * count + index)
      }
    }
  }

  private func word(_ index: Int) -> UInt16 {
    let (first, second) = (bytes[start + 2 * index], bytes[start + 2 * index + 1])
    #if _endian(little)
    return UInt16(second) << 8 | UInt16(first)
    #else
    return UInt16(first) << 8 | UInt16(second)
    #endif
  }

  private func longWord(_ index: Int) -> UInt32 {
    let (first, second) = (word(2 * index), word(2 * index + 1))
    #if _endian(little)
    return UInt32(second) << 16 | UInt32(first)
    #else
    return UInt32(first) << 16 | UInt32(second)
    #endif
  }
}

extension Float {
  /// The value of a half-float with these bits.
  ///
  /// Source: IEEE 754, binary16: 1 bit sign, 5 bits exponent with a bias of 15, 10 bits fraction.
  fileprivate init(binary16 bits: UInt16) {
    let (sign, exponent, fraction) = (UInt32(bits >> 15), bits >> 10 & 31, bits & 0x3FF)
    switch exponent {
    case 0:
      let magnitude = Float(fraction) / 16_777_216
      self = sign == 0 ? magnitude : -magnitude
    case 31: self.init(bitPattern: sign << 31 | 0xFF << 23 | UInt32(fraction) << 13)
    default:
      self.init(bitPattern: sign << 31 | UInt32(exponent + 112) << 23 | UInt32(fraction) << 13)
    }
  }
}

/// JPEG XR images: container by `JPEGXRFile`, codestreams by jxrlib.
enum JPEGXRCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.jpegXR
  /// The library does not tell its version.
  static let libraries = ["jxrlib"]
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .jpegXR(let samples) = image.samples else { throw file.format.missingCodec }
    let (source, layout) = (file.source, image.layout)
    return Image(coded: layout) { () throws(ImageError) in
      JPEGXRReader(source, samples, layout: layout)
    }
  }
}

/// One codestream that jxrlib decodes, a row of macroblocks at a time.
@safe final class JPEGXRDecoder {
  private let handle: OpaquePointer
  private let offset: Int
  /// Size of a row, in bytes.
  let rowSize: Int
  /// The memory of the library, and of its copy of the codestream.
  private let memory: Execution.Reservation
  /// Rows that were decoded last, `rowSize` bytes each.
  private(set) var rows: [UInt8]
  /// Number of rows of macroblocks that were decoded.
  private(set) var decoded = 0

  /// Starts to decode a codestream.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - range: The codestream in the file.
  ///   - header: Its header.
  ///   - bits: Bits of a decoded pixel, with alpha if `hasAlpha`.
  ///   - hasAlpha: Whether interleaved alpha is decoded.
  /// - Throws: Errors of the library; `.limitExceeded` if the budget does not suffice.
  init(
    _ source: ByteSource, _ range: Range<Int>, _ header: JPEGXRCodestream, bits: Int,
    hasAlpha: Bool
  ) throws(ImageError) {
    offset = range.lowerBound
    rowSize = (header.width * bits + 7) / 8
    memory = try Execution.current.budget.reserve(
      memory: 2 * range.count + header.decoderMemory + Self.height * rowSize,
      for: "JPEG XR decoder")
    rows = [UInt8](repeating: 0, count: Self.height * rowSize)
    let bytes = try source.bytes(in: range)
    // SAFETY: the library copies the bytes before it returns.
    let handle = unsafe bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      guard let start = bytes.baseAddress else { return nil }
      return unsafe jpegxr_reader_create(start, bytes.count)
    }
    guard let handle = unsafe handle else { throw ImageError(.outOfMemory, ["library": "jxrlib"]) }
    unsafe self.handle = handle
    var layout = jpegxr_layout()
    // SAFETY: `layout` lives for the call.
    try check(
      unsafe jpegxr_reader_open(
        handle, UInt32(clamping: bits), hasAlpha ? 1 : 0, UInt32(clamping: header.margins.top),
        &layout))
    guard layout.width == header.width, layout.height == header.height,
      layout.color_format == header.colorFormat, layout.bit_depth == header.bitDepth
    else {
      throw ImageError(.libraryResultUnexpected, ["library": "jxrlib"], at: .init(offset: offset))
    }
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe jpegxr_reader_free(handle)
  }

  /// Number of rows of a macroblock.
  static let height = 16

  /// Decodes the next row of macroblocks.
  func decodeNext() throws(ImageError) {
    try Execution.current.budget.debit(steps: 1 + rowSize >> 6, for: "JPEG XR macroblocks")
    for index in rows.indices { rows[index] = 0 }
    // SAFETY: the library writes at most 16 rows of `rowSize` bytes, for which `rows` has room.
    let status = unsafe rows.withUnsafeMutableBufferPointer { rows in
      guard let start = rows.baseAddress else { return JPEGXR_REJECTED }
      return unsafe jpegxr_reader_next(handle, start, rowSize)
    }
    try check(status)
    decoded += 1
  }

  private func check(_ status: jpegxr_status) throws(ImageError) {
    switch status {
    case JPEGXR_OK: return
    case JPEGXR_OUT_OF_MEMORY: throw ImageError(.outOfMemory, ["library": "jxrlib"])
    case JPEGXR_TRUNCATED: throw ImageError(.samplesTruncated, at: .init(offset: offset))
    default:
      throw ImageError(
        .libraryRejectedData, ["library": "jxrlib", "detail": "no reason given"],
        at: .init(offset: offset))
    }
  }
}
#endif
