// SPDX-License-Identifier: Apache-2.0
public import CHDRConvert
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs

@c @implementation
public func hdr_image_render(
  _ image: OpaquePointer, _ options: UnsafePointer<hdr_render_options>?,
  _ execution: OpaquePointer?, _ rendered: UnsafeMutablePointer<OpaquePointer?>,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let image = unsafe image.object(ImageHandle.self)
    let options = unsafe hdr_render_options(reading: options)
    let result = try unsafe image.rendered(
      headroom: options.headroom, primaries: ColorPrimaries(codePoint: options.primaries),
      method: try ToneMapOperator(named: options.tone_map))
    unsafe rendered.pointee = OpaquePointer(retaining: result)
  }
}

extension ImageHandle {
  fileprivate func rendered(
    headroom: Double, primaries: ColorPrimaries, method: ToneMapOperator?
  ) throws(ImageError) -> ImageHandle {
    guard headroom >= 1 else {
      throw ImageError(.optionInvalid, ["option": "headroom", "value": headroom])
    }
    if headroom == .infinity, method == nil {
      return ImageHandle(
        try document.expandedToHDR(primaries: primaries),
        isHighDynamicRange: isHighDynamicRange)
    }
    let stops = min(Headroom(ratio: headroom).stops, GainMapMetadata.largestStops)
    let image = try document.rendition(
      for: .high, display: Headroom(stops: stops), using: method, primaries: primaries)
    return ImageHandle(image, isHighDynamicRange: isHighDynamicRange && stops > 0)
  }
}

extension ToneMapOperator {
  /// Makes the operator of a name of a caller; `nil` for NULL.
  fileprivate init?(named name: UnsafePointer<CChar>?) throws(ImageError) {
    guard let name = unsafe name else { return nil }
    let text = unsafe String(cString: name)
    guard let found = ToneMapOperator(rawValue: text) else {
      throw ImageError(.optionInvalid, ["option": "tone_map", "value": text])
    }
    self = found
  }
}
