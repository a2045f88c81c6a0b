// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageFiles

extension SourceImage {
  /// Opens a file of any format; raw files are developed.
  ///
  /// A developed image is floating-point BT.2020 with 1.0 at reference white, or at the saturation
  /// of the sensor if `isSceneLinear` is set: linear, or sRGB signal if
  /// `extendedDynamicRangeAmount` is 0.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - options: Limits and assumptions about unspecified metadata.
  ///   - development: Controls of the development.
  ///   - filter: Changes scene-linear values of a raw file before its look.
  /// - Returns: The document; samples are decoded and developed when rows are read.
  /// - Throws: `.missingCodec` if no codec of this build reads the file, `.limitExceeded` for an
  ///   image beyond the limits, `.unsupported` for raw samples that cannot be developed,
  ///   `.invalidArgument` for a control out of range, an unknown profile and a selected image that
  ///   does not exist; errors of the structure of the file.
  public static func open(
    _ source: ByteSource, options: OpeningOptions = OpeningOptions(),
    developing development: RawDevelopment = RawDevelopment(),
    linearSpaceFilter filter: LinearSpaceFilter? = nil
  ) throws(ImageError) -> SourceImage {
    try open(
      try ImageFile(parsing: source, options: options), developing: development,
      linearSpaceFilter: filter)
  }

  /// Opens a parsed file of any format; raw files are developed.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - development: Controls of the development.
  ///   - filter: Changes scene-linear values of a raw file before its look.
  /// - Returns: The document; samples are decoded and developed when rows are read.
  /// - Throws: Errors of `open(_:options:developing:linearSpaceFilter:)`.
  public static func open(
    _ file: ImageFile, developing development: RawDevelopment = RawDevelopment(),
    linearSpaceFilter filter: LinearSpaceFilter? = nil
  ) throws(ImageError) -> SourceImage {
    let options = file.options
    let dng: DNGFile
    var document: SourceImage
    do throws(ImageError) {
      guard let raw = try DNGFile.raw(file) else { return try SourceImage(decoding: file) }
      dng = raw
      document = try raw.document(options, development, filter: filter)
    } catch {
      throw try DNGFile.withPreview(error, file)
    }
    document.isDeveloped = true
    if options.assumed != nil || options.declared != nil {
      document.notices.append(
        Notice(.rawAssumedColorNotUsed))
    }
    let auxiliaries = try dng.auxiliaries(
      limits: options.limits, appliesUserCrop: development.isUserCropEnabled)
    document.auxiliaries = auxiliaries.found
    document.notices += auxiliaries.notices
    document.format = file.format
    document.file = file
    return document
  }
}

extension ImageFile {
  /// Whether the file is DNG or camera raw, which must be developed.
  ///
  /// - Throws: Errors of reading.
  public var isRaw: Bool {
    get throws(ImageError) {
      if case .tiff(let structure) = container, DNGFile.isDNG(structure) { return true }
      return try CameraRaw.isRaw(self)
    }
  }
}

extension DNGFile {
  /// Adds to an error whether the file has a preview.
  ///
  /// - Throws: Errors that end the whole job.
  static func withPreview(
    _ error: ImageError, _ file: ImageFile
  ) throws(ImageError) -> ImageError {
    guard undecodable.contains(error.code),
      try ifReadable(try EmbeddedRawImages(file)?.preview()) != nil
    else { return error }
    var error = error
    error.parameters.values["hasPreview"] = .integer(1)
    return error
  }

  /// Opens a raw file of any format; files other than DNG are decoded immediately if `decodes` is
  /// set.
  ///
  /// - Returns: `nil` for a file that is not raw.
  static func raw(_ file: ImageFile, decodes: Bool = true) throws(ImageError) -> DNGFile? {
    if case .tiff(let structure) = file.container, isDNG(structure) {
      let limits = file.options.limits
      var dng = try DNGFile(structure, limits: limits)
      dng.decodingNotices = file.decodingNotices
      if dng.main.entries[.colorMatrix[0]] == nil {
        dng.libraryMatrix = try CameraRaw.colorMatrix(file.source, limits: limits)
      }
      return try CameraRaw.interpolated(dng, file.source, limits: limits, decodes: decodes) ?? dng
    }
    guard try CameraRaw.isRaw(file) else { return nil }
    // LibRaw selects the image of these files.
    if let image = file.options.image, image != .number(1) {
      throw ImageError(.rawSelectionNotRaw)
    }
    return try CameraRaw.open(file, decodes: decodes)
  }
}

extension DNGFile {
  /// The file as a document with the developed image.
  func document(
    _ options: OpeningOptions, _ development: RawDevelopment, filter: LinearSpaceFilter? = nil
  ) throws(ImageError) -> SourceImage {
    try development.check()
    let parameters = try DevelopmentParameters(
      self, limits: options.limits, salvages: development.isSalvaging,
      appliesUserCrop: development.isUserCropEnabled)
    let development = try parameters.withHeadroom(development)
    let maskNames = development.isSceneLinear ? [] : try parameters.looks(development).masks
    let white = options.assumed?.referenceWhite ?? ColorEncoding.defaultReferenceWhite
    let limits = options.limits
    // Damage must be known before rows are read.
    let salvaged =
      development.isSalvaging ? try salvageRaw(limits: limits) : nil
    var damage: [ImageError] = []
    let salvagedMasks =
      development.isSalvaging
      ? try lookMasks(maskNames, limits: limits, damage: &damage) : nil
    let droppedMasks = damage.map { error in
      Notice(
        .dropped, "dropped: mask with its color table: {cause}", ["cause": error],
        at: error.location)
    }
    let color = ColorEncoding(
      primaries: .bt2020, transfer: development.isStandard ? .srgb : .linear, referenceWhite: white)
    let grid = parameters.grid(development)
    @Sendable func description(_ factor: Int) -> ImageDescription {
      let layout = ImageLayout(
        width: grid.width / factor, height: grid.height / factor,
        components: parameters.asShot == nil ? .gray : .rgb, samples: .float)
      return ImageDescription(layout: layout, color: color, orientation: parameters.orientation)
    }
    let shared = SharedWhileUsed<DevelopmentSource>()
    @Sendable func reader(reducedBy factor: Int) throws(ImageError) -> any RowReader {
      var stages = Stages(1, 1)
      let source = try stages.next { () throws(ImageError) in
        try shared.value { () throws(ImageError) in
          let samples =
            if let salvaged { salvaged.samples } else { try decodeRaw(limits: limits) }
          var damage: [ImageError] = []
          let masks =
            if let salvagedMasks { salvagedMasks } else {
              try lookMasks(maskNames, limits: limits, damage: &damage)
            }
          if let error = damage.first { throw error }
          return DevelopmentSource(samples, masks: masks)
        }
      }
      var development = development
      if let location = development.neutralLocation {
        development.neutralChromaticity = try parameters.neutral(
          at: location, source.samples, development)
      }
      development.scaleFactor /= Double(factor)
      let reader = try stages.next { () throws(ImageError) in
        try DevelopedReader(
          source, parameters, development, format: description(factor).layout, filter: filter)
      }
      // Memory of the samples, if their noise was reduced, and of that step.
      freeIdleMemory()
      guard !development.localExposures.isEmpty else { return reader }
      return try LocalExposureReader(
        reader, development, of: self, parameters, limits: limits)
    }
    // Filters see the pixels of the whole image.
    let image = Image(
      description(1),
      reduced: { factor in
        guard filter == nil, grid.width % factor == 0, grid.height % factor == 0 else { return nil }
        return Image(description(factor)) { () throws(ImageError) in
          try reader(reducedBy: factor)
        }
      }, leastRest: 1
    ) { () throws(ImageError) in try reader(reducedBy: 1) }
    let exif = if let decoded { decoded.exif } else { try structure.exif() }
    let metadata = try FileMetadata(
      exif: exif, xmp: try structure.wholeValue(of: .xmp))
    let missing = try missing(maskNames, limits)
    var document = SourceImage(
      format: .tiff, image: image, exif: metadata.exif?.bytes, xmp: metadata.xmp?.bytes,
      notices: parameters.notices + parameters.unsupported(development) + missing
        + (salvaged?.notices ?? []) + droppedMasks + metadata.notices)
    let full = parameters.grid(RawDevelopment())
    if full != grid {
      document.fullSize =
        parameters.orientation.swapsSides ? (full.height, full.width) : (full.width, full.height)
    }
    return document
  }
}
