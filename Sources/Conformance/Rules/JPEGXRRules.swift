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
    ) { file in
      findings(in: file) { directory, place in
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
    ) { file in
      findings(in: file) { directory, place in
        required.compactMap { directory[$0] == nil ? Finding("no \(name($0))", at: place) : nil }
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
      "transform", .must, "\(annex), A.7.19", "SPATIAL_XFRM_PRIMARY is one of the values 0 to 7",
      effect: "readers differ in the orientation"
    ) { file in
      findings(in: file) { directory, place in
        let value = (try? file.directories.integers(.transformation, in: directory))?.first
        guard let value, value > 7 else { return [] }
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
    _ find: (TIFFDirectory, ImageError.Location) -> [Finding]
  ) -> [Finding] {
    file.directories.directories.enumerated().flatMap { index, directory in
      find(directory, .init(path: ["IFD \(index)"], offset: directory.offset))
    }
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

  private static func size(_ file: JPEGXRFile) throws(ImageError) -> [Finding]? {
    try findings(ofImagesIn: file) { image, header, place in
      guard (image.width, image.height) != (header.width, header.height) else { return [] }
      return [
        Finding(
          "another size", at: place, declared: "\(image.width)x\(image.height)",
          measured: "\(header.width)x\(header.height)")
      ]
    }
  }

  /// jxrlib writes the end of the alpha plane in place of its size, which readers do not use.
  private static func data(_ file: JPEGXRFile) -> [Finding]? {
    let size = file.directories.source.count
    return findings(in: file) { directory, place in
      func integer(_ tag: TIFFTag) -> Int? {
        (try? file.directories.integers(tag, in: directory))?.first
      }
      return [(TIFFTag.imageOffset, TIFFTag.imageByteCount), (.alphaOffset, .alphaByteCount)]
        .compactMap { start, count in
          guard let offset = integer(start), let bytes = integer(count),
            offset > size || bytes > size - offset
          else { return nil }
          return Finding(
            "\(name(count)) beyond the end of the file", at: place,
            declared: "\(bytes) bytes at \(offset)", measured: "\(size) bytes",
            isHarmless: start == .alphaOffset && offset <= size && bytes == size)
        }
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
