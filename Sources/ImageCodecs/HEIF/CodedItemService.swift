// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// A library that decodes coded items, in a decoder process.
protocol CodedItemService: DecoderService
where Call == CodedItemShape, Result == CodedItemResult {}

/// Size and format of a coded item.
struct CodedItemShape: Codable, Hashable {
  var width: Int
  var height: Int
  var chroma: String
  var bits: Int

  init(_ layout: ImageLayout, bits: Int) {
    (width, height) = (layout.width, layout.height)
    chroma = layout.chroma.rawValue
    self.bits = bits
  }

  /// The layout of the item; `nil` if no image has this shape.
  var layout: ImageLayout? {
    guard let chroma = ChromaSubsampling(rawValue: chroma), (1...1 << 30).contains(width),
      (1...1 << 30).contains(height), (1...16).contains(bits)
    else { return nil }
    return ImageLayout(codedWidth: width, height: height, chroma: chroma, bits: bits)
  }
}

/// A decoded item whose planes are in shared memory if it has the expected shape.
struct CodedItemResult: Codable {
  var shape: CodedItemShape
  /// Warnings of the library.
  var warnings: [String]
}

extension CodedItemService {
  /// Stores the planes of an item, if it has the expected shape.
  static func store(
    _ item: DecodedItem, _ expected: CodedItemShape, in memory: SharedMemory?
  ) throws(ImageError) -> CodedItemResult {
    let shape = CodedItemShape(item.layout, bits: item.bits)
    let result = CodedItemResult(shape: shape, warnings: item.warnings)
    guard shape == expected else { return result }
    guard let memory, memory.count >= item.layout.sharedByteCount(bits: item.bits) else {
      throw .unexpectedCall(library)
    }
    item.store(in: memory)
    return result
  }
}

extension ImageLayout {
  /// Size of coded planes without padding, in bytes.
  fileprivate func sharedByteCount(bits: Int) -> Int {
    (0..<componentCount).reduce(0) {
      $0 + planeSize($1).width * planeSize($1).height * (bits > 8 ? 2 : 1)
    }
  }
}

extension DecoderPool {
  /// Decodes a coded item.
  ///
  /// - Parameters:
  ///   - service: The library.
  ///   - input: The bytes of the item.
  ///   - layout: The declared layout.
  ///   - bits: The declared bit depth.
  /// - Returns: The item; without samples if its layout differs from the declared one.
  /// - Throws: Errors of the library and of the process.
  func decode<Service: CodedItemService>(
    _ service: Service.Type, _ input: DecoderInput, _ layout: ImageLayout, bits: Int
  ) throws(ImageError) -> DecodedItem {
    let memory = try SharedMemory(count: layout.sharedByteCount(bits: bits))
    let shape = CodedItemShape(layout, bits: bits)
    let found = try withProcess { process throws(ImageError) in
      try process.call(service, shape, beginning: input, memory: memory)
    }
    guard let foundLayout = found.shape.layout else {
      throw ImageError(.codecReplyInvalid, ["library": service.library])
    }
    guard found.shape == shape else {
      return unsafe DecodedItem(foundLayout, bits: found.shape.bits, planes: [], owner: memory)
    }
    return DecodedItem(layout, bits: bits, in: memory, warnings: found.warnings)
  }
}

#if HEIF
/// libde265 in a decoder process; the input are NAL units with lengths of four bytes.
final class HEVCService: CodedItemService {
  static let library = "libde265"
  static var codecLibrary: CodecLibrary? { .libde265 }
  static let errorCodes: [ErrorCode] = [
    .libraryRejectedData, .outOfMemory, .libraryResultUnexpected, .hevcDepthsDiffer,
    .hevcWindowEmpty, .bitstreamNoImage, .libde265LimitExceeded,
    .libde265Unsupported,
  ]
  private static let lengthSize = 4
  private let input: ByteSource

  init(_ input: ByteSource) { self.input = input }

  /// The input for NAL units.
  static func input(_ units: [HEVCNALUnit]) -> DecoderInput {
    var writer = ByteWriter()
    for unit in units {
      writer.writeUnsigned(UInt64(unit.bytes.count), bytes: lengthSize)
      writer.write(Array(unit.bytes))
    }
    return DecoderInput(writer.bytes)
  }

  func perform(
    _ call: CodedItemShape, _ memory: SharedMemory?
  ) throws(ImageError) -> CodedItemResult {
    let units = try HEVCNALUnit.split(input.allBytes(), lengthSize: Self.lengthSize)
    let item = try HEVCDecoder(limits: Execution.current.limits).decode(units)
    return try Self.store(item, call, in: memory)
  }
}
#endif

#if AVIF
/// libavif in a decoder process; the input is a file with one image.
final class AV1Service: CodedItemService {
  static let library = "libavif"
  static var codecLibrary: CodecLibrary? { .libavif }
  static let errorCodes: [ErrorCode] = [
    .libraryRejectedData, .outOfMemory, .libraryResultUnexpected, .libraryDataTruncated,
    .avifDecoderMissing, .avifLimitExceeded,
  ]
  private let input: ByteSource

  init(_ input: ByteSource) { self.input = input }

  func perform(
    _ call: CodedItemShape, _ memory: SharedMemory?
  ) throws(ImageError) -> CodedItemResult {
    let item = try AV1Decoder(limits: Execution.current.limits).decode(file: input.allBytes())
    return try Self.store(item, call, in: memory)
  }
}
#endif
#endif
