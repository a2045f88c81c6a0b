// SPDX-License-Identifier: Apache-2.0
public import CHDRConvert
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

@c @implementation
public func hdr_image_encode(
  _ image: OpaquePointer, _ options: UnsafePointer<hdr_encode_options>,
  _ execution: OpaquePointer?, _ file: UnsafeMutablePointer<OpaquePointer?>,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let image = unsafe image.object(ImageHandle.self)
    let options = try unsafe EncodedImage(hdr_encode_options(reading: options))
    unsafe file.pointee = OpaquePointer(retaining: try options.encoded(image))
  }
}

/// The options of `hdr_image_encode`.
private struct EncodedImage {
  let format: FileFormat
  let encoder: EncoderOptions
  let gainMap: hdr_gain_map_policy
  let depth: Int?
  let chroma: ChromaSubsampling?
  let transfer: TransferFunction?
  let primaries: ColorPrimaries?
  let exposure: Double

  init(_ options: hdr_encode_options) throws(ImageError) {
    format = try unsafe FileFormat(named: options.format)
    encoder = try unsafe EncoderOptions(
      quality: options.quality, speed: options.speed, isLossless: options.is_lossless, for: format)
    let (policy, bits) = unsafe (options.gain_map, Int(options.bits_per_sample))
    guard (HDR_GAIN_MAP_AUTOMATIC...HDR_GAIN_MAP_DROP).contains(Int(policy)) else {
      throw ImageError(.optionInvalid, ["option": "gain_map", "value": policy])
    }
    gainMap = policy
    depth = bits == 0 ? nil : bits
    chroma = try ChromaSubsampling(option: unsafe options.chroma)
    let (transferCode, primariesCode) = unsafe (options.transfer, options.primaries)
    transfer = transferCode == 0 ? nil : try TransferFunction(codePoint: transferCode)
    primaries = primariesCode == 0 ? nil : try ColorPrimaries(codePoint: primariesCode)
    exposure = unsafe options.exposure
    guard abs(exposure) <= 32 else {
      throw ImageError(.optionInvalid, ["option": "exposure", "value": exposure])
    }
  }

  func encoded(_ image: ImageHandle) throws(ImageError) -> BytesHandle {
    switch Int(gainMap) {
    case HDR_GAIN_MAP_APPLY: return try converted(image, gainMap: .full)
    case HDR_GAIN_MAP_DROP: return try converted(image, gainMap: .none)
    case HDR_GAIN_MAP_KEEP: return try keepingGainMap(of: image)
    case HDR_GAIN_MAP_CREATE: return try creatingGainMap(for: image)
    default:
      guard format.traits.isLimitedTo8Bits, transfer == nil, image.isHighDynamicRange else {
        return try converted(image, gainMap: .full)
      }
      return try image.hasGainMap ? keepingGainMap(of: image) : creatingGainMap(for: image)
    }
  }

  private func converted(
    _ image: ImageHandle, gainMap: ConversionOptions.GainMapUse
  ) throws(ImageError) -> BytesHandle {
    var options = ConversionOptions(format: format, encoder: encoder)
    options.gainMap = gainMap
    (options.depth, options.chroma, options.exposure) = (depth, chroma, exposure)
    options.limits = Execution.current.limits
    let transfer = transfer ?? (format.traits.isLimitedTo8Bits ? .srgb : options.transfer)
    if transfer == .srgb, !format.traits.storesLinearValues {
      options.rendering = RenderingOptions(display: DisplayTarget(headroom: .standard))
      options.masteringDisplay = .none
      options.primaries = .bt709
    }
    options.transfer = transfer
    options.primaries = primaries ?? options.primaries
    let (document, sink) = (try image.document, MemorySink())
    let written: ImageConverter.Written
    do throws(ImageConverter.Failure) {
      written = try ImageConverter(options).write(
        document, to: sink, progress: ProgressReport.current)
    } catch {
      throw error.cause
    }
    return try BytesHandle(sink.bytes, notices: written.notices + document.notCopied)
  }

  private func keepingGainMap(of image: ImageHandle) throws(ImageError) -> BytesHandle {
    guard let file = image.file else { throw ImageError(.imageWithoutFile) }
    var map = encoder
    map.quality = EncoderOptions.usualGainMapQuality
    var options = GainMapTranscoder.Options(format: format, base: encoder, map: map)
    options.flavors = format.traits.usualGainMapFlavors
    options.limits = Execution.current.limits
    let result = try GainMapTranscoder(file, options).transcoded()
    return try BytesHandle(try ByteSource(result.bytes).allBytes(), notices: result.notices)
  }

  private func creatingGainMap(for image: ImageHandle) throws(ImageError) -> BytesHandle {
    var options = GainMapEncoder.Options(format: format, encoder: encoder)
    (options.chroma, options.depth) = (chroma, depth)
    options.limits = Execution.current.limits
    options.primaries = primaries ?? options.primaries
    let result = try GainMapEncoder(options).run(
      hdr: try image.document, progress: ProgressReport.current)
    return try BytesHandle(try ByteSource(result.bytes).allBytes(), notices: result.notices)
  }
}
