// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// JPEG XL images: boxes and headers by `JPEGXLFile`, samples by libjxl.
enum JPEGXLCodec: ImageDecoder {
  static let format = FileFormat.jxl

  /// The library that encodes and decodes samples, with its version.
  static var libraries: [String] { [JPEGXLDecoder.library] }
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .jpegXL(let jpegXL) = file.container, case .jpegXL(let header) = image.samples
    else { throw file.format.missingCodec }
    guard !header.isCMYK else { throw .cmyk }
    let converted = try ifReadable(try JPEGXLProfile(of: jpegXL, header))
    return Image(coded: image.layout) { () throws(ImageError) in
      try JPEGXLReader(
        try jpegXL.wholeCodestream(), as: header, layout: image.layout,
        color: converted?.requestedColor, acceptsTruncation: !jpegXL.damage.isEmpty)
    }
  }

  static func decodeGainMap(
    _ place: FoundGainMap.Location, in file: ImageFile
  ) throws(ImageError) -> Image {
    guard case .jpegXL(let jpegXL) = file.container else { throw file.format.missingCodec }
    let codestream: [UInt8]
    switch place {
    case .box(let offset):
      if let map = try originalGainMap(place, of: file) { return map }
      codestream = try jpegXL.gainMapBox(at: offset).codestream.bytes()
    case .file: codestream = try jpegXL.wholeCodestream()
    case .image, .item, .chunk: throw ImageError(.gainMapNotInFile, ["place": place.name])
    }
    let header = try JPEGXLImageHeader(parsing: codestream)
    let layout = header.imageLayout
    try file.options.limits.checkMemory(of: layout)
    guard case .integer = layout.samples, !header.isCMYK else {
      throw ImageError(
        .unsupported, "gain maps with floating-point or CMYK samples are not supported")
    }
    let reader = try JPEGXLReader(codestream, as: header, layout: layout, color: nil)
    return Image(data: try reader.read(rows: 0..<layout.height))
  }

  /// The JPEG file that the box `jbrd` reconstructs.
  ///
  /// JPEG decoders clip Y'CbCr before they convert it to RGB, JPEG XL does not, which is visible near
  /// black. A gain map was computed for the former.
  static func original(of file: ImageFile) throws(ImageError) -> ImageFile? {
    guard case .jpegXL(let jpegXL) = file.container,
      !jpegXL.boxes(JPEGXLFile.reconstruction).isEmpty
    else { return nil }
    do throws(ImageError) {
      let bytes = try JPEGXLParts.reconstructed(
        try file.source.allBytes(), limit: file.options.limits.memory)
      return try ImageFile(parsing: ByteSource(bytes), options: file.options)
    } catch {
      guard !error.endsJob else { throw error }
      // The samples of the codestream are used.
      return nil
    }
  }

  /// The gain map of the JPEG file that the file was transcoded from, if it is that of a gain map box.
  private static func originalGainMap(
    _ place: FoundGainMap.Location, of file: ImageFile
  ) throws(ImageError) -> Image? {
    do throws(ImageError) {
      guard let original = try original(of: file), let source = try original.gainMaps().applicable,
        let copy = try file.gainMaps().maps.first(where: { $0.location == place }),
        let old = source.metadata, let new = copy.metadata,
        old.disagreements(with: new).isEmpty, source.layout == copy.layout
      else { return nil }
      return try original.format.decoder().decodeGainMap(source.location, in: original)
    } catch {
      guard !error.endsJob else { throw error }
      // The samples of the codestream are used.
      return nil
    }
  }

  static func alternate(
    of map: FoundGainMap, notices: inout [Notice]
  ) throws(ImageError) -> FoundGainMap.AlternateImage {
    var alternate = map.alternate
    guard let compressed = alternate.compressedICC else { return alternate }
    do throws(ImageError) {
      alternate.icc = try JPEGXLProfile.decompressed(compressed)
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(Notice(.jpegxlProfileUnreadable, ["cause": error], at: .init(path: ["jhgm"])))
    }
    return alternate
  }

  static func auxiliaries(
    of image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) -> [AuxiliaryImage] {
    guard case .jpegXL(let jpegXL) = file.container, case .jpegXL(let header) = image.samples
    else { return [] }
    return header.extraChannels.enumerated().compactMap { index, channel in
      guard let type = channel.auxiliaryType else { return nil }
      let layout = header.channelLayout(channel)
      let description = ImageDescription(
        layout: layout, color: .data, orientation: image.orientation)
      let samples = Image(description) { () throws(ImageError) in
        try JPEGXLReader(
          try jpegXL.wholeCodestream(), as: header, .extraChannel(index), layout: layout,
          color: nil, acceptsTruncation: !jpegXL.damage.isEmpty)
      }
      return AuxiliaryImage(type: type, image: samples)
    }
  }

  static func color(
    of image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> ColorDescription {
    guard case .jpegXL(let jpegXL) = file.container, case .jpegXL(let header) = image.samples,
      header.color.hasProfile
    else { return image.color }
    do throws(ImageError) {
      guard let profile = try JPEGXLProfile(of: jpegXL, header) else { return image.color }
      var color = profile.color
      color.referenceWhite = image.color.referenceWhite
      return color
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(
        Notice(.jpegxlProfileUnreadable, ["cause": error], at: .init(path: ["codestream"])))
      return image.color
    }
  }
}

#endif
