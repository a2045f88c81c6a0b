// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension DeclaredImage {
  /// Creates the declarations of one of the images of a JPEG file.
  ///
  /// - Throws: Errors that end the whole job.
  init(_ image: JPEGImage) throws(ImageError) {
    var notices: [Notice] = []
    var metadata = try FileMetadata { () throws(ImageError) in
      image.exif
    } xmp: { () throws(ImageError) in
      try image.xmp(notices: &notices)
    }
    let light = LightMetadata(diffuseWhite: metadata.diffuseWhite())
    let color = ColorDescription(
      icc: image.profile(notices: &notices), isMarkedSRGB: metadata.exif?.isMarkedSRGB ?? false)
    self.init(.jpeg(image), layout: image.imageLayout, color: color, notices: notices)
    chromaLocation = .center
    self.light = light
    self.metadata = metadata
    orientation = metadata.orientation
    pixelsPerInch = image.pixelsPerInch
    auxiliaryMetadata = try image.auxiliaryMetadata()
  }
}

/// Interprets the segments of JPEG files.
struct JPEGInterpreter {
  private let container: ImageFile
  private let file: JPEGFile
  private let gainMaps: GainMapInventory

  init(_ container: ImageFile, _ file: JPEGFile) throws(ImageError) {
    self.container = container
    self.file = file
    gainMaps = try container.gainMaps()
  }

  func contents() throws(ImageError) -> FileContents {
    let frame = file.primary.frame
    try container.options.limits.check(
      width: frame.width, height: max(frame.height, 1), in: "frame", at: nil)
    let primary = try container.primaryImage()
    var images = [image(primary, file.primary, index: 0)]
    for (index, image) in file.images.enumerated().dropFirst() {
      images.append(self.image(try DeclaredImage(image), image, index: index))
    }
    var contents = FileContents(
      format: .jpeg, source: file.source, images: images,
      notices: primary.notices + (images[0].color?.notices ?? []))
    contents.take(gainMaps)
    try contents.take(primary.metadata)
    return contents
  }

  private func image(_ declared: DeclaredImage, _ image: JPEGImage, index: Int) -> FileImage {
    let auxiliaryType = declared.metadata.xmp?[Self.auxiliaryType]?.text
    let role = index == 0 ? .primary : role(of: image, index: index, auxiliaryType)
    let isCMYK = image.frame.components.count == 4
    var color: ColorInspection?
    if !isCMYK, role != .gainMap || declared.color.icc != nil {
      color = ColorInspection(
        declared, in: .jpeg,
        carriers: [
          .profile("ICC profile", declared.color.icc),
          declared.color.isMarkedSRGB ? .init("Exif ColorSpace", "sRGB") : nil,
        ], options: container.options
      ) { source, _ in source == .mark ? "Exif ColorSpace" : nil }
    }
    return FileImage(
      name: JPEGFile.nameOfImage(index), role: role, auxiliaryType: auxiliaryType,
      layout: declared.layout, orientation: declared.orientation, coding: image.coding,
      interpretation: isCMYK ? FileImage.inks : nil, color: color, light: declared.light)
  }

  private static let auxiliaryType = XMPName(
    "http://ns.apple.com/pixeldatainfo/1.0/", "AuxiliaryImageType")

  /// The role of an image that is not the first.
  private func role(
    of image: JPEGImage, index: Int, _ auxiliaryType: String?
  ) -> FileImage.Role {
    if gainMaps.maps.contains(where: { $0.location == .image(index) }) { return .gainMap }
    if let auxiliaryType { return .init(auxiliaryType: auxiliaryType) }
    return image.frame.width < file.primary.frame.width ? .preview : .other
  }
}

extension JPEGImage {
  /// Layout of the decoded samples.
  ///
  /// Source: ITU-T T.872, 6.5.3; JFIF 1.02: three components are Y'CbCr unless the Adobe segment
  /// specifies RGB.
  fileprivate var imageLayout: ImageLayout {
    let components: ImageLayout.Components =
      switch frame.components.count {
      case 1, 2: .gray
      case 3 where adobeTransform != 0: .ycbcr(frame.chroma ?? .yuv444)
      default: .rgb
      }
    return ImageLayout(
      width: frame.width, height: frame.height, components: components,
      samples: .integer(bits: frame.precision))
  }

  /// Coding process by frame marker.
  ///
  /// Source: ITU-T T.81, table B.1.
  fileprivate var coding: CodecConfiguration {
    let process = frame.marker.rawValue
    let profile: String =
      switch process {
      case 0xC0: "baseline"
      case 0xC1, 0xC9: "extended"
      case 0xC2, 0xCA: "progressive"
      case 0xC3, 0xCB: "lossless"
      default: "hierarchical"
      }
    return CodecConfiguration(
      "JPEG", profile: process > 0xC8 ? profile + ", arithmetic" : profile,
      chroma: frame.components.count == 1 ? .yuv400 : frame.chroma, lumaDepth: frame.precision,
      chromaDepth: frame.components.count > 1 ? frame.precision : nil)
  }
}

extension JPEGFrame {
  /// The chroma subsampling of three components; `nil` unless 4:4:4, 4:2:2 or 4:2:0.
  fileprivate var chroma: ChromaSubsampling? {
    guard components.count == 3, let luma = components.first,
      components[1].horizontalSampling == components[2].horizontalSampling,
      components[1].verticalSampling == components[2].verticalSampling
    else { return nil }
    let ratio = (
      luma.horizontalSampling / components[1].horizontalSampling,
      luma.verticalSampling / components[1].verticalSampling
    )
    switch ratio {
    case (1, 1): return .yuv444
    case (2, 1): return .yuv422
    case (2, 2): return .yuv420
    default: return nil
    }
  }
}

extension JPEGFile: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.jpeg, source) }
  var asContainer: FileContainer { .jpeg(self) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    var image = try DeclaredImage(primary)
    image.notices = notices + image.notices
    return image
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try JPEGInterpreter(file, self).contents()
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] { structure }
}
