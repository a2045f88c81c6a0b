// SPDX-License-Identifier: Apache-2.0
public import CHDRConvert
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

@c @implementation
public func hdr_gain_map_create(
  _ sdr: OpaquePointer?, _ hdr: OpaquePointer, _ options: UnsafePointer<hdr_gain_map_options>,
  _ execution: OpaquePointer?, _ file: UnsafeMutablePointer<OpaquePointer?>,
  _ result: UnsafeMutablePointer<hdr_gain_map_result>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let options = try unsafe GainMapEncoder.Options(hdr_gain_map_options(reading: options))
    let made = try unsafe GainMapEncoder(options).run(
      hdr: try hdr.object(ImageHandle.self).document,
      sdr: try sdr?.object(ImageHandle.self).document,
      progress: ProgressReport.current)
    let bytes = try BytesHandle(
      try ByteSource(made.bytes).allBytes(), notices: made.notices)
    unsafe file.pointee = OpaquePointer(retaining: bytes)
    guard let result = unsafe result else { return }
    unsafe hdr_gain_map_result(made).write(to: result)
  }
}

@c @implementation
public func hdr_gain_map_transcode(
  _ image: OpaquePointer, _ options: UnsafePointer<hdr_transcode_options>,
  _ execution: OpaquePointer?, _ file: UnsafeMutablePointer<OpaquePointer?>,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let options = try unsafe GainMapTranscoder.Options(hdr_transcode_options(reading: options))
    guard let source = unsafe image.object(ImageHandle.self).file else {
      throw ImageError(.imageWithoutFile)
    }
    let made = try GainMapTranscoder(source, options).transcoded()
    let bytes = try BytesHandle(
      try ByteSource(made.bytes).allBytes(), notices: made.notices)
    unsafe file.pointee = OpaquePointer(retaining: bytes)
  }
}

extension GainMapEncoder.Options {
  fileprivate init(_ options: hdr_gain_map_options) throws(ImageError) {
    let format = try unsafe FileFormat(named: options.format)
    self.init(
      format: format,
      encoder: try unsafe EncoderOptions(
        quality: options.quality, speed: options.speed, for: format))
    flavors = try unsafe Set(named: options.flavors) ?? flavors
    baseIsHDR = unsafe options.is_base_hdr
    primaries = try unsafe ColorPrimaries(codePoint: options.primaries)
    chroma = try ChromaSubsampling(option: unsafe options.chroma)
    limits = Execution.current.limits
    let (quality, scale, count, error) = unsafe (
      options.map_quality, Int(options.map_scale), Int(options.map_component_count),
      options.target_error
    )
    guard (-1...100).contains(quality) else {
      throw ImageError(.optionInvalid, ["option": "map_quality", "value": quality])
    }
    guard [0, 1, 2, 4].contains(scale) else {
      throw ImageError(.optionInvalid, ["option": "map_scale", "value": scale])
    }
    guard [0, 1, 3].contains(count) else {
      throw ImageError(.optionInvalid, ["option": "map_component_count", "value": count])
    }
    guard error >= 0, error.isFinite else {
      throw ImageError(.optionInvalid, ["option": "target_error", "value": error])
    }
    if quality >= 0 { map.quality = Int(quality) }
    if scale > 0 { map.scale = scale }
    if count > 0 { map.componentCount = count }
    if error > 0 { targetError = error }
  }
}

extension hdr_gain_map_result {
  fileprivate init(_ made: GainMapEncoder.Result) {
    self = .defaults
    (mean_error, percentile_error) = (made.quality.meanDeltaE, made.quality.deltaE99)
    base_byte_count = UInt64(clamping: made.baseByteCount)
    map_byte_count = UInt64(clamping: made.mapByteCount)
  }
}

extension GainMapTranscoder.Options {
  fileprivate init(_ options: hdr_transcode_options) throws(ImageError) {
    let format = try unsafe FileFormat(named: options.format)
    let base = try unsafe EncoderOptions(
      quality: options.quality, speed: options.speed, for: format)
    var map = base
    let quality = unsafe options.map_quality
    guard (0...100).contains(quality) else {
      throw ImageError(.optionInvalid, ["option": "map_quality", "value": quality])
    }
    map.quality = Int(quality)
    self.init(format: format, base: base, map: map)
    flavors = try unsafe Set(named: options.flavors)
    isExact = unsafe options.is_exact
    limits = Execution.current.limits
  }
}
