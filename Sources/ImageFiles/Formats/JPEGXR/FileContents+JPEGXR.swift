// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The codestreams of a JPEG XR image, for decoders.
package struct JPEGXRSamples: Sendable {
  package let image: JPEGXRImage
  package let header: JPEGXRCodestream
  /// The header of the alpha plane; `nil` without one of its own.
  package let alpha: JPEGXRCodestream?

  /// Parses the headers of the codestreams, which must be complete and agree with the container.
  fileprivate init(_ image: JPEGXRImage, in source: ByteSource) throws(ImageError) {
    if let model = image.pixelFormat.unsupportedModel {
      throw ImageError(
        .unsupported, "JPEG XR images of pixel format {format} ({model}) are not supported",
        ["format": image.pixelFormat.name, "model": model],
        at: .init(path: ["PIXEL_FORMAT"], offset: image.offset))
    }
    self.image = image
    let hasAlpha = image.pixelFormat.alpha != .none
    for range in [image.codestream, hasAlpha ? image.alpha : nil] {
      guard let range, range.upperBound > source.count else { continue }
      throw ImageError(
        .jpegXRDataTruncated, ["end": range.upperBound, "size": source.count],
        at: .init(path: ["codestream"], offset: range.lowerBound))
    }
    header = try JPEGXRCodestream(of: source, in: image.codestream)
    try header.requireData(in: image.codestream)
    let (colorFormat, depths) = image.pixelFormat.coded
    guard header.colorFormat == colorFormat, depths.contains(header.bitDepth) else {
      throw ImageError(
        .malformed,
        "the container specifies {format}, the codestream color format {color} and bit depth "
          + "{depth}",
        [
          "format": image.pixelFormat.name, "color": header.colorFormat,
          "depth": header.bitDepth,
        ], at: .init(path: ["codestream"], offset: image.codestream.lowerBound))
    }
    if !hasAlpha {
      alpha = nil
    } else if let range = image.alpha {
      let plane = try JPEGXRCodestream(of: source, in: range)
      try plane.requireData(in: range)
      let place = ImageError.Location(path: ["alpha"], offset: range.lowerBound)
      guard (plane.width, plane.height) == (header.width, header.height) else {
        throw ImageError(
          .malformed, "the alpha plane is {alpha}, the image {size pixel}",
          [
            "alpha": .size(plane.width, plane.height), "size": .size(header.width, header.height),
          ], at: place)
      }
      guard plane.isLumaOnly, depths.contains(plane.bitDepth) else {
        throw ImageError(
          .malformed,
          "the alpha plane has {count component} of bit depth {depth}, not the one of {format}",
          [
            "count": plane.componentCount, "depth": plane.bitDepth,
            "format": image.pixelFormat.name,
          ], at: place)
      }
      alpha = plane
    } else if header.hasAlphaPlane {
      alpha = nil
    } else {
      throw ImageError(
        .missingElement, ["element": "ALPHA_OFFSET"],
        at: .init(path: [image.name], offset: image.offset))
    }
  }

  /// Notices about declarations that contradict others, which are used.
  fileprivate var notices: [Notice] {
    let format = image.pixelFormat
    let place = ImageError.Location(path: [image.name], offset: image.offset)
    var notices: [Notice] = []
    if (image.width, image.height) != (header.width, header.height) {
      notices.append(
        Notice(
          .conflict, "ignored: size of {size pixel} in the container; the codestream is {coded}",
          [
            "size": .size(image.width, image.height),
            "coded": .size(header.width, header.height),
          ], at: .init(path: ["IMAGE_WIDTH"], offset: image.offset)))
    }
    let planes = (image.alpha == nil ? 0 : 1) + (header.hasAlphaPlane ? 1 : 0)
    let excess = planes - (format.alpha == .none ? 0 : 1)
    if excess > 0 {
      notices.append(
        Notice(
          .conflict, "ignored: {count alpha plane} more than {format} has",
          ["count": excess, "format": format.name], at: place))
    }
    if header.isPremultiplied, format.alpha == .straight {
      notices.append(
        Notice(
          .conflict,
          "ignored: premultiplied alpha in the codestream; alpha of {format} is straight",
          ["format": format.name], at: place))
    }
    if image.orientation == nil {
      notices.append(
        Notice(.jpegXRTransformationUnknown, ["value": image.transformation], at: place))
    }
    return notices
  }
}

extension DeclaredImage {
  /// Creates the declarations of the selected image of a JPEG XR file.
  ///
  /// The size is that of the codestream, as other decoders read it.
  init(_ file: JPEGXRFile, limits: ImageLimits) throws(ImageError) {
    let image = try file.image(file.selected)
    let source = file.directories.source
    let samples = try JPEGXRSamples(image, in: source)
    let header = samples.header
    try limits.check(
      width: header.width, height: header.height, in: "codestream",
      at: image.codestream.lowerBound)
    let codePoints = try JPEGXRCodePoints(of: file, image.pixelFormat)
    let directory = file.directories.mainDirectory
    let isMarkedSRGB =
      try ifReadable(try file.directories.integers(.colorSpace, in: directory).first) == 1
    self.init(
      .jpegXR(samples),
      layout: image.pixelFormat.layout(width: header.width, height: header.height),
      color: try ColorDescription(
        of: file, image.pixelFormat, codePoints.cicp, isMarkedSRGB: isMarkedSRGB),
      notices: file.directories.notices + samples.notices + codePoints.notices)
    metadata = try FileMetadata { () throws(ImageError) in
      try file.exif(image)
    } xmp: { () throws(ImageError) in
      try file.directories.wholeValue(of: .xmp)
    }
    orientation = image.orientation ?? .upright
    auxiliaryMetadata = try AuxiliaryMetadata(
      photoshop: try ifReadable(try file.directories.wholeValue(of: .photoshop)),
      iptc: try ifReadable(try file.directories.wholeValue(of: .iptc)))
  }
}

/// The code points in PTM_COLOR_INFO.
///
/// Source: T.832, annex A: color primaries, transfer characteristics and matrix coefficients of ITU-T
/// H.273 as bytes, and a byte whose lowest bit is the full range flag.
private struct JPEGXRCodePoints {
  private(set) var cicp: CICP?
  private(set) var notices: [Notice] = []

  init(of file: JPEGXRFile, _ format: JPEGXRPixelFormat) throws(ImageError) {
    guard let entry = file.directories.mainDirectory[.ptmColorInfo] else { return }
    let place = ImageError.Location(path: ["PTM_COLOR_INFO"], offset: entry.offset)
    let codes = try file.directories.bytes(of: entry)
    guard codes.count == 4 else {
      notices = [
        Notice(
          .irregular, "ignored: PTM_COLOR_INFO of {size byte}; it has 4", ["size": codes.count],
          at: place)
      ]
      return
    }
    let matrix = CICP.Matrix(rawValue: UInt16(codes[2]))
    if matrix != .identity, matrix != .unspecified {
      notices.append(
        Notice(
          .jpegXRMatrixIgnored, ["matrix": matrix.numberedName, "format": format.name], at: place))
    }
    let isFullRange = codes[3] & 1 == 1
    if !isFullRange, !format.hasRange {
      notices.append(Notice(.jpegXRRangeIgnored, ["format": format.name], at: place))
    }
    cicp = CICP(
      primaries: CICP.Primaries(rawValue: UInt16(codes[0])),
      transfer: CICP.Transfer(rawValue: UInt16(codes[1])), matrix: .identity,
      isFullRange: isFullRange || !format.hasRange)
  }
}

extension ColorDescription {
  /// The color of the selected image.
  ///
  /// Without other declarations, integers are sRGB, other samples scRGB.
  ///
  /// Source: Windows Imaging Component, "Native Pixel Formats Overview", "Color Space": the color is
  /// inferred from the pixel format only in the absence of a color context (an ICC profile).
  fileprivate init(
    of file: JPEGXRFile, _ format: JPEGXRPixelFormat, _ codePoints: CICP?, isMarkedSRGB: Bool
  ) throws(ImageError) {
    self.init(cicp: codePoints, icc: try file.directories.wholeValue(of: .iccProfile))
    if format.isLinear {
      referenceWhite = JPEGXRPixelFormat.referenceWhite
      if icc == nil, cicp == nil {
        primaries = .bt709
        gamma = 1
      }
    } else {
      self.isMarkedSRGB = isMarkedSRGB || icc == nil && cicp == nil
    }
  }
}

extension JPEGXRFile {
  /// The Exif metadata of an image as one block, with the resolution in the container.
  func exif(_ image: JPEGXRImage) throws(ImageError) -> [UInt8]? {
    let description = try NewTIFFDirectory.description(of: directories)
    return try ExifBlock.adding(
      image.resolution,
      to: description.isEmpty ? nil : description.serialized(order: .littleEndian))
  }
}

extension JPEGXRFile: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.jpegXR, directories.source) }
  var asContainer: FileContainer { .jpegXR(self) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try DeclaredImage(self, limits: file.options.limits)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    let declared: DeclaredImage?
    var notices: [Notice] = []
    do throws(ImageError) {
      declared = try file.primaryImage()
    } catch {
      guard error.category == .unsupported else { throw error }
      declared = nil
      notices.append(Notice(.inspectNotDecodable, ["cause": error], at: error.location))
    }
    var images: [FileImage] = []
    for index in [selected] + directories.directories.indices.filter({ $0 != selected }) {
      do throws(ImageError) {
        let role: FileImage.Role = index == selected ? .primary : .other
        images.append(fileImage(try image(index), index, role: role))
      } catch {
        guard !error.endsJob, index != selected else { throw error }
        notices.append(Notice(.tiffDirectoryUnreadable, ["cause": error], at: error.location))
      }
    }
    if let declared {
      let format = try image(selected).pixelFormat
      let color = ColorInspection(
        declared, in: .jpegXR,
        carriers: [
          .codePoints("PTM_COLOR_INFO", declared.color.cicp),
          .profile("ICC_PROFILE", declared.color.icc),
          .init("PIXEL_FORMAT", format.isLinear ? "scRGB, 1.0 is 80 cd/m²" : "sRGB"),
        ], options: file.options
      ) { source, _ in
        switch source {
        case .codePoints: "PTM_COLOR_INFO"
        case .profile: "ICC_PROFILE"
        case .mark, .chromaticities, .gamma: "PIXEL_FORMAT"
        default: nil
        }
      }
      images[0].color = color
      images[0].layout = declared.layout
      images[0].isFullRange = color.encoding.isFullRange
      notices = declared.notices + color.notices + notices
    }
    var contents = FileContents(
      format: .jpegXR, source: file.source, images: images, notices: notices)
    if let declared { try contents.take(declared.metadata) }
    return contents
  }

  private func fileImage(
    _ image: JPEGXRImage, _ index: Int, role: FileImage.Role
  ) -> FileImage {
    let format = image.pixelFormat
    var entry = FileImage(
      name: image.name, role: image.isPreview && role == .other ? .preview : role,
      layout: format.layout(width: image.width, height: image.height),
      floatBits: format.floatBits, orientation: image.orientation ?? .upright,
      coding: CodecConfiguration("JPEG XR", profile: format.name),
      interpretation: format.unsupportedModel)
    entry.number = index + 1
    return entry
  }

  /// The directories, with the names of the standard.
  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] {
    try directories.structure().map { directory in
      var directory = directory
      for index in directory.children.indices {
        let number = directory.children[index].name.split(separator: " ").last
          .flatMap { UInt16($0) }
        if let name = number.flatMap({ TIFFTag(rawValue: $0).jpegXRName }) {
          directory.children[index].name = name
        }
      }
      return directory
    }
  }
}
