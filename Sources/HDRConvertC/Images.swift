// SPDX-License-Identifier: Apache-2.0
public import CHDRConvert
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports

@c @implementation
public func hdr_image_open_file(
  _ path: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
  _ execution: OpaquePointer?, _ image: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let image = try unsafe image.required("image")
    let cPath = try unsafe path.required("path")
    let path = unsafe String(cString: cPath)
    let request = try unsafe ConversionRequest(text: request)
    do throws(ImageError) {
      let opened = try unsafe opened(ByteSource(cPath: cPath), request, name: path)
      unsafe image.pointee = OpaquePointer(retaining: opened)
    } catch {
      throw error.inFile(path)
    }
  }
}

@c @implementation
public func hdr_image_open_memory(
  _ bytes: UnsafeRawPointer?, _ size: Int, _ request: UnsafePointer<CChar>?,
  _ execution: OpaquePointer?, _ image: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let image = try unsafe image.required("image")
    let source = try unsafe ByteSource(copying: bytes, size: size)
    let opened = try opened(source, try unsafe ConversionRequest(text: request), name: "-")
    unsafe image.pointee = OpaquePointer(retaining: opened)
  }
}

@c @implementation
public func hdr_image_open_reader(
  _ read: hdr_read?, _ context: UnsafeMutableRawPointer?, _ size: UInt64,
  _ request: UnsafePointer<CChar>?, _ execution: OpaquePointer?,
  _ image: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let image = try unsafe image.required("image")
    let source = try unsafe ByteSource(read, context, size: size)
    let opened = try opened(source, try unsafe ConversionRequest(text: request), name: "-")
    unsafe image.pointee = OpaquePointer(retaining: opened)
  }
}

private func opened(
  _ source: ByteSource, _ request: ConversionRequest, name: String
) throws(ImageError) -> ImageHandle {
  try request.check()
  return try ImageHandle(
    try ImageFile(parsing: source, options: request.openingOptions()), name: name)
}

@c @implementation
public func hdr_image_destroy(_ image: OpaquePointer?) { unsafe image?.release(ImageHandle.self) }

@c @implementation
public func hdr_image_format(_ image: OpaquePointer?) -> UnsafePointer<CChar> {
  unsafe (image?.object(ImageHandle.self).format ?? noText).start
}

@c @implementation
public func hdr_image_get_info(
  _ image: OpaquePointer?, _ info: UnsafeMutablePointer<hdr_image_info>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error) { () throws(ImageError) in
    let image = try unsafe image.required("image").object(ImageHandle.self)
    try unsafe hdr_image_info(image).write(to: info.required("info"))
  }
}

extension hdr_image_info {
  fileprivate init(_ image: ImageHandle) {
    self.init()
    let source = image.description
    let upright = source.layout.upright(from: source.orientation)
    (width, height) = (UInt32(clamping: upright.width), UInt32(clamping: upright.height))
    switch image.samples {
    case .integer(let bits): bits_per_sample = Int32(clamping: bits)
    case .half: bits_per_sample = 16
    case .float: bits_per_sample = 32
    }
    is_floating_point = image.samples == .half || image.samples == .float
    has_alpha = upright.hasAlpha
    is_gray = upright.components == .gray
    is_high_dynamic_range = image.isHighDynamicRange
    has_gain_map = image.hasGainMap
    color = hdr_color(source.color)
    max_content_light_level = source.light.contentLightLevel?.maximum ?? 0
    max_frame_average_light_level = source.light.contentLightLevel?.maximumAverage ?? 0
  }
}

@c @implementation
public func hdr_image_describe(
  _ image: OpaquePointer?, _ parts: UInt32, _ execution: OpaquePointer?,
  _ json: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let image = try unsafe image.required("image").object(ImageHandle.self)
    let json = try unsafe json.required("json")
    let known = UInt32(HDR_DESCRIBE_STRUCTURE | HDR_DESCRIBE_LIGHT_LEVELS)
    guard parts & ~known == 0 else {
      throw ImageError(.optionInvalid, ["option": "parts", "value": Int(parts)])
    }
    let contents = try image.work { () throws(ImageError) in
      try InspectedFile(
        image.file(), named: image.name,
        showsStructure: parts & UInt32(HDR_DESCRIBE_STRUCTURE) != 0,
        measuresLight: parts & UInt32(HDR_DESCRIBE_LIGHT_LEVELS) != 0)
    }
    let report = JSONReport(
      inputs: [image.name], results: [InspectionReport(contents)], failures: [], verb: "inspect")
    unsafe json.pointee = OpaquePointer(retaining: BytesHandle(try report.json()))
  }
}

@c @implementation
public func hdr_image_get_metadata(
  _ image: OpaquePointer?, _ metadata: hdr_metadata, _ execution: OpaquePointer?,
  _ bytes: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let image = try unsafe image.required("image").object(ImageHandle.self)
    let (file, bytes) = try unsafe (image.file(), bytes.required("bytes"))
    guard !file.format.traits.isCameraRaw else {
      throw ImageError(
        .unsuitable, "metadata cannot be copied from {format} files", ["format": file.format.title])
    }
    let found = try image.naming { () throws(ImageError) -> [UInt8]? in
      switch Int(metadata) {
      case HDR_METADATA_EXIF: return try file.metadataSummary().exif
      case HDR_METADATA_XMP: return try file.metadataSummary().xmp
      case HDR_METADATA_ICC:
        if let profile = try file.metadataSummary().profile { return profile }
        return try file.decodedProfile()
      default: throw ImageError(.optionInvalid, ["option": "metadata", "value": Int(metadata)])
      }
    }
    unsafe bytes.pointee = found.map { unsafe OpaquePointer(retaining: BytesHandle($0)) }
  }
}

@c @implementation
public func hdr_image_get_gain_map(
  _ image: OpaquePointer?, _ execution: OpaquePointer?,
  _ gainMap: UnsafeMutablePointer<OpaquePointer?>?,
  _ metadata: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let image = try unsafe image.required("image").object(ImageHandle.self)
    let gainMap = try unsafe gainMap.required("gain_map")
    let metadata = try unsafe metadata.required("metadata")
    let found = try image.work { () throws(ImageError) in try image.gainMap() }
    unsafe gainMap.pointee = OpaquePointer(retaining: found.image)
    unsafe metadata.pointee = OpaquePointer(retaining: BytesHandle(found.metadata))
  }
}

@c @implementation
public func hdr_image_convert(
  _ image: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ sdr: OpaquePointer?,
  _ execution: OpaquePointer?, _ file: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let (image, file) = try unsafe (image.required("image"), file.required("file"))
    let request = try unsafe ConversionRequest(text: request)
    let sink = MemorySink()
    let source = unsafe image.object(ImageHandle.self)
    let result = try source.naming { () throws(ImageError) in
      try unsafe source.write(request, standard: sdr?.object(ImageHandle.self), to: sink)
    }
    unsafe file.pointee = OpaquePointer(retaining: try BytesHandle(sink.bytes, result))
  }
}

@c @implementation
public func hdr_image_write(
  _ image: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ sdr: OpaquePointer?,
  _ execution: OpaquePointer?, _ write: hdr_write?, _ context: UnsafeMutableRawPointer?,
  _ report: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let (image, report) = try unsafe (image.required("image"), report.required("report"))
    let sink = try unsafe CallbackWriter(write.required("write"), context)
    let request = try unsafe ConversionRequest(text: request)
    let source = unsafe image.object(ImageHandle.self)
    let result = try source.naming { () throws(ImageError) in
      try unsafe source.write(request, standard: sdr?.object(ImageHandle.self), to: sink)
    } unless: {
      sink.hasFailed
    }
    unsafe report.pointee = OpaquePointer(retaining: try BytesHandle(reportOf: result))
  }
}

@c @implementation
public func hdr_image_render(
  _ image: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ execution: OpaquePointer?,
  _ rendered: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> hdr_status {
  unsafe status(error, execution) { () throws(ImageError) in
    let (image, rendered) = try unsafe (image.required("image"), rendered.required("rendered"))
    let request = try unsafe ConversionRequest(text: request)
    let source = unsafe image.object(ImageHandle.self)
    let made = try source.naming { () throws(ImageError) in try source.rendered(for: request) }
    unsafe rendered.pointee = OpaquePointer(retaining: made)
  }
}

extension ConversionRequest {
  /// Reads JSON of a caller; a new request for NULL.
  ///
  /// - Throws: `.invalidArgument` with the name of the field.
  init(text: UnsafePointer<CChar>?) throws(ImageError) {
    guard let text = unsafe text else {
      self.init()
      return
    }
    try self.init(json: Array(unsafe String(cString: text).utf8))
  }
}
