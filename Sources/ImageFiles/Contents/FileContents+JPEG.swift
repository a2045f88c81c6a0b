internal import GainMap
package import HDRCore
internal import ImageContainers

/// Interprets the segments of JPEG files.
struct JPEGInterpreter {
  private let file: JPEGFile
  private let options: OpeningOptions
  private let gainMaps: GainMapInventory

  init(_ container: ImageFile, _ file: JPEGFile) throws(ImageError) {
    self.file = file
    options = container.options
    gainMaps = try container.gainMaps()
  }

  func contents() throws(ImageError) -> FileContents {
    let image = file.primary
    try options.limits.check(
      width: image.frame.width, height: max(image.frame.height, 1), in: "frame", at: nil)
    var notices = file.notices
    var pictures: [FileImage] = []
    for (index, image) in file.images.enumerated() {
      var found: [Notice] = []
      pictures.append(picture(image, index: index, notices: &found))
      if index == 0 { notices += found }
    }
    var contents = FileContents(
      format: .jpeg, source: file.source, images: pictures, notices: notices)
    contents.take(gainMaps)
    contents.take(exif: image.exif, xmp: image.readableXMP(&contents.notices))
    return contents
  }

  private func picture(
    _ image: JPEGImage, index: Int, notices: inout [Notice]
  ) -> FileImage {
    let exif = image.exif.flatMap { try? ExifBlock(parsing: $0) }
    let packet = image.readableXMP(&notices).flatMap { try? XMPPacket(parsing: $0) }
    let auxiliaryType = packet?[Self.auxiliaryType]?.text
    let role = index == 0 ? .primary : role(of: image, index: index, auxiliaryType)
    let format = image.imageLayout
    let icc = image.profile(notices: &notices)
    let hdr = LightMetadata(diffuseWhite: packet?.diffuseWhite(notices: &notices))
    var color: ColorInspection?
    if role != .gainMap || icc != nil {
      color = ColorInspection(
        ColorDescription(icc: icc, isMarkedSRGB: exif?.isMarkedSRGB ?? false), in: .jpeg,
        format: format,
        carriers: [
          .profile("ICC profile", icc),
          exif?.isMarkedSRGB == true ? .init("Exif ColorSpace", "sRGB") : nil,
        ], diffuseWhite: hdr.diffuseWhite, assumed: options.assumed
      ) { source, _ in source == .mark ? "Exif ColorSpace" : nil }
    }
    if index == 0, image.frame.components.count != 4 { notices += color?.notices ?? [] }
    return FileImage(
      name: JPEGFile.nameOfPicture(index), role: role, auxiliaryType: auxiliaryType, format: format,
      orientation: exif?.orientation ?? .upright, coding: image.coding,
      interpretation: image.frame.components.count == 4 ? FileImage.inks : nil,
      color: color, hdr: hdr)
  }

  private static let auxiliaryType = XMPName(
    "http://ns.apple.com/pixeldatainfo/1.0/", "AuxiliaryImageType")

  /// What a further picture is there for.
  private func role(
    of image: JPEGImage, index: Int, _ auxiliaryType: String?
  ) -> FileImage.Role {
    if gainMaps.maps.contains(where: { $0.place == .image(index) }) { return .gainMap }
    if let auxiliaryType { return .init(auxiliaryType: auxiliaryType) }
    return image.frame.width < file.primary.frame.width ? .preview : .other
  }
}

extension JPEGImage {
  /// The XMP packet; one that cannot be read is left out, with a notice.
  package func readableXMP(_ notices: inout [Notice]) -> [UInt8]? {
    do throws(ImageError) {
      return try xmp(notices: &notices)
    } catch {
      notices.append(
        Notice(.xmpUnreadableDropped, ["cause": error], at: .init(path: ["APP1", "XMP"])))
      return nil
    }
  }

  /// Source: ITU-T T.872, 6.5.3; JFIF 1.02: three components are Y'CbCr unless Adobe's segment says
  /// otherwise.
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
  /// The subsampling of three components, if it is one of the usual.
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
