// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Rules of JPEG XR files: directories, and their agreement with the codestreams.
enum JPEGXRRules {
  private static let annex = "ITU-T T.832 (06/2019), annex A"

  static let all: [Rule] = [
    jpegXR(
      "version", .must, "\(annex), A.5", "The file has version 1",
      effect: "readers other than jxrlib reject the file"
    ) { (file) throws(ImageError) in
      let version = try file.directories.source.prefix(4).last
      return version == 1 ? [] : [Finding("FILE_VERSION_ID", declared: "\(version ?? 0)")]
    },
    jpegXR(
      "entries", .must, "\(annex), A.6", "Entries are in ascending order of their tags, each once"
    ) { (file) throws(ImageError) in
      try findings(in: file) { directory, place in
        zip(directory.entries, directory.entries.dropFirst()).compactMap { first, second in
          guard first.tag.rawValue >= second.tag.rawValue else { return nil }
          return Finding("\(name(second.tag)) after \(name(first.tag))", at: place)
        }
      }
    },
    jpegXR(
      "required", .must, "\(annex), table A.4",
      "Each directory has PIXEL_FORMAT, IMAGE_WIDTH, IMAGE_HEIGHT, IMAGE_OFFSET and IMAGE_BYTE_COUNT",
      effect: "readers reject the file"
    ) { (file) throws(ImageError) in
      try findings(in: file) { directory, place in
        required.compactMap { directory[$0] == nil ? Finding("no \(name($0))", at: place) : nil }
      }
    },
    jpegXR(
      "known-format", .must, "\(annex), table A.6",
      "PIXEL_FORMAT is one of the pixel formats of the standard",
      effect: "readers reject the file"
    ) { (file) throws(ImageError) in
      try findings(in: file) { (directory, place) throws(ImageError) in
        guard let entry = directory[.pixelFormat],
          let guid = try ifReadable(try file.directories.bytes(of: entry)),
          JPEGXRPixelFormat(guid: guid) == nil
        else { return [] }
        return [
          Finding("unknown pixel format", at: place, declared: JPEGXRPixelFormat.digits(of: guid))
        ]
      }
    },
    jpegXR(
      "codestream", .must, "ITU-T T.832 (06/2019), 8.3 and 8.4",
      "Codestreams have the signature WMPHOTO, version 1, and a valid header",
      effect: "readers reject the file"
    ) { (file) throws(ImageError) in
      try codestreams(in: file).compactMap { stream -> Finding? in
        guard case .failure(let error) = stream.header else { return nil }
        return Finding(error.message, at: error.location)
      }
    },
    jpegXR(
      "pixel-format", .must, "\(annex), A.7.18",
      "Color format and bit depth of the codestream are those of PIXEL_FORMAT",
      effect: "readers reject the file, or show other colors", pixelFormat),
    jpegXR(
      "size", .must, "\(annex), A.7.22 and A.7.23",
      "IMAGE_WIDTH and IMAGE_HEIGHT are the size of the codestream",
      effect: "readers show a part of the image, or none", size),
    jpegXR(
      "data", .must, "\(annex), A.7.26 to A.7.29", "The codestreams are within the file",
      effect: "readers show a part of the image, or none", except: "byte counts of alpha", data),
    jpegXR(
      "alpha", .must, "\(annex), A.7.28",
      "A pixel format with alpha has one alpha plane, and no other format has one",
      effect: "readers reject the file, or show it without alpha", alpha),
    jpegXR(
      "premultiplied", .must, "ITU-T T.832 (06/2019), 8.3.17 and A.7.18",
      "PREMULTIPLIED_ALPHA_FLAG of an image with alpha is that of PIXEL_FORMAT"
    ) { (file) throws(ImageError) in
      try findings(ofImagesIn: file) { image, header, place in
        let alpha = image.pixelFormat.alpha
        guard alpha != .none, header.isPremultiplied != (alpha == .premultiplied) else { return [] }
        return [
          Finding(
            "the other kind of alpha", at: place, declared: image.pixelFormat.name,
            measured: "PREMULTIPLIED_ALPHA_FLAG \(header.isPremultiplied ? 1 : 0)")
        ]
      }
    },
    jpegXR(
      "color-info", .must, "\(annex), table A.4", "PTM_COLOR_INFO has 4 bytes",
      effect: "readers ignore the color"
    ) { (file) throws(ImageError) in
      try findings(in: file) { directory, place in
        guard let entry = directory[.ptmColorInfo], entry.count != 4 else { return [] }
        return [Finding("another number of bytes", at: place, declared: "\(entry.count)")]
      }
    },
    jpegXR(
      "transform", .must, "\(annex), A.7.19", "SPATIAL_XFRM_PRIMARY is one of the values 0 to 7",
      effect: "readers differ in the orientation"
    ) { (file) throws(ImageError) in
      try findings(in: file) { (directory, place) throws(ImageError) in
        guard let value = try integer(.transformation, directory, file), value > 7 else {
          return []
        }
        return [Finding("unknown value", at: place, declared: "\(value)")]
      }
    },
  ]

  private static let required: [TIFFTag] = [
    .pixelFormat, .jpegXRWidth, .jpegXRHeight, .imageOffset, .imageByteCount,
  ]

  private static func jpegXR(
    _ id: String, _ level: Rule.Level, _ source: String, _ title: String, effect: String? = nil,
    except exception: String? = nil,
    _ check: @escaping @Sendable (JPEGXRFile) throws(ImageError) -> [Finding]?
  ) -> Rule {
    Rule("jpegxr/\(id)", .jpegXR, level, source, title, effect: effect, except: exception) {
      (checked) throws(ImageError) -> [Finding]? in
      guard let file = checked.jpegXR else { return nil }
      return try check(file)
    }
  }

  private static func name(_ tag: TIFFTag) -> String { tag.jpegXRName ?? tag.title }

  private static func findings(
    in file: JPEGXRFile,
    _ find: (TIFFDirectory, ImageError.Location) throws(ImageError) -> [Finding]
  ) throws(ImageError) -> [Finding] {
    var findings: [Finding] = []
    for (index, directory) in file.directories.directories.enumerated() {
      findings += try find(directory, .init(path: ["IFD \(index)"], offset: directory.offset))
    }
    return findings
  }

  /// The findings about the images that can be parsed; other rules report the rest.
  private static func findings(
    ofImagesIn file: JPEGXRFile,
    _ find: (JPEGXRImage, JPEGXRCodestream, ImageError.Location) -> [Finding]
  ) throws(ImageError) -> [Finding] {
    var findings: [Finding] = []
    for index in file.directories.directories.indices {
      guard let image = try ifReadable(try file.image(index)),
        let header = try ifReadable(
          try JPEGXRCodestream(of: file.directories.source, in: image.codestream))
      else { continue }
      findings += find(image, header, .init(path: [image.name], offset: image.offset))
    }
    return findings
  }

  private static func pixelFormat(_ file: JPEGXRFile) throws(ImageError) -> [Finding]? {
    try findings(ofImagesIn: file) { image, header, place in
      let (color, depths) = image.pixelFormat.coded
      guard image.pixelFormat.unsupportedModel == nil,
        header.colorFormat != color || !depths.contains(header.bitDepth)
      else { return [] }
      return [
        Finding(
          "another format", at: place, declared: image.pixelFormat.name,
          measured: "OUTPUT_CLR_FMT \(header.colorFormat), OUTPUT_BITDEPTH \(header.bitDepth)")
      ]
    }
  }

  /// Sizes of 0 violate the rule, whatever the codestream is.
  private static func size(_ file: JPEGXRFile) throws(ImageError) -> [Finding]? {
    try codestreams(in: file).map { (stream) throws(ImageError) -> Finding? in
      guard !stream.isAlpha, let width = try integer(.jpegXRWidth, stream.directory, file),
        let height = try integer(.jpegXRHeight, stream.directory, file)
      else { return nil }
      let header = try? stream.header.get()
      let isCoded = header.map { ($0.width, $0.height) == (width, height) } ?? true
      guard !isCoded || width == 0 || height == 0 else { return nil }
      return Finding(
        width == 0 || height == 0 ? "no pixels" : "another size",
        at: .init(path: [stream.name], offset: stream.directory.offset),
        declared: "\(width)x\(height)", measured: header.map { "\($0.width)x\($0.height)" })
    }.compactMap(\.self)
  }

  /// A codestream within the file, and its header or the reason why it is invalid.
  private struct Codestream {
    let name: String
    let directory: TIFFDirectory
    let isAlpha: Bool
    let header: Result<JPEGXRCodestream, ImageError>
  }

  /// The codestreams that begin within the file; another rule reports the rest.
  private static func codestreams(in file: JPEGXRFile) throws(ImageError) -> [Codestream] {
    var streams: [Codestream] = []
    let source = file.directories.source
    for (index, directory) in file.directories.directories.enumerated() {
      for (tag, isAlpha) in [(TIFFTag.imageOffset, false), (.alphaOffset, true)] {
        guard let start = try integer(tag, directory, file), start > 0, start < source.count else {
          continue
        }
        let header: Result<JPEGXRCodestream, ImageError>
        do throws(ImageError) {
          header = .success(try JPEGXRCodestream(of: source, in: start..<source.count))
        } catch {
          guard !error.endsValidation else { throw error }
          header = .failure(error)
        }
        streams.append(
          Codestream(name: "IFD \(index)", directory: directory, isAlpha: isAlpha, header: header))
      }
    }
    return streams
  }

  private static func integer(
    _ tag: TIFFTag, _ directory: TIFFDirectory, _ file: JPEGXRFile
  ) throws(ImageError) -> Int? {
    try ifReadable(try file.directories.integers(tag, in: directory).first)
  }

  /// jxrlib writes the end of the alpha plane in place of its size, which readers do not use.
  private static func data(_ file: JPEGXRFile) throws(ImageError) -> [Finding]? {
    let size = file.directories.source.count
    return try findings(in: file) { (directory, place) throws(ImageError) in
      try [(TIFFTag.imageOffset, TIFFTag.imageByteCount), (.alphaOffset, .alphaByteCount)]
        .map { (start, count) throws(ImageError) -> Finding? in
          guard let offset = try integer(start, directory, file),
            let bytes = try integer(count, directory, file),
            offset > size || bytes > size - offset
          else { return nil }
          return Finding(
            "\(name(count)) beyond the end of the file", at: place,
            declared: "\(bytes) bytes at \(offset)", measured: "\(size) bytes",
            isHarmless: start == .alphaOffset && offset <= size && bytes == size)
        }.compactMap(\.self)
    }
  }

  private static func alpha(_ file: JPEGXRFile) throws(ImageError) -> [Finding]? {
    try findings(ofImagesIn: file) { image, header, place in
      guard image.pixelFormat.unsupportedModel == nil else { return [] }
      let planes = (image.alpha == nil ? 0 : 1) + (header.hasAlphaPlane ? 1 : 0)
      let expected = image.pixelFormat.alpha == .none ? 0 : 1
      guard planes != expected else { return [] }
      return [
        Finding(
          "another number of alpha planes", at: place, declared: image.pixelFormat.name,
          measured: "\(planes)")
      ]
    }
  }
}
