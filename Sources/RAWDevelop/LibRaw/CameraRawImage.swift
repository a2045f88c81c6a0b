// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Samples and parameters of a camera raw file, as LibRaw decodes it.
///
/// Colors are calibrated for D65 only, by LibRaw's matrix of the camera; or by the tags of a DNG
/// file.
struct CameraRawImage {
  var exif: [UInt8]?
  var notices: [Notice] = []
  /// `nil` if samples were not decoded.
  private let samples: RawSamples?
  private let size: (width: Int, height: Int)
  private let planes: Int
  private let rawType: DNGFile.RawType
  private let selectionReason: String
  private let file: CameraRawDescription
  private let activeArea: RawArea
  /// The part of the active area that the camera's own images show.
  private let crop: RawArea?
  private let black: [Int]
  private let blackPattern: (rows: Int, columns: Int)
  private let white: [Double]
  /// Camera components of white, with a maximum of 1; `nil` for gray images.
  private let neutral: SIMD3<Double>?
  private let matrix: [Double]
  /// Filter pattern; `nil` unless samples are a mosaic.
  private let filters: (rows: Int, columns: Int, colors: [UInt8])?
  /// DNG file whose color tags apply.
  private let tags: DNGFile?

  /// - Parameters:
  ///   - reader: A file, with decoded samples if `decodes` is set.
  ///   - decodes: Whether to copy samples.
  ///   - tags: The file as DNG.
  /// - Throws: `.unsupported` for a camera with other than three colors or an unsupported mosaic.
  init(_ reader: borrowing LibRawReader, decodes: Bool, tags: DNGFile? = nil) throws(ImageError) {
    self.tags = tags
    if let warning = reader.warning {
      notices.append(Notice(.libraryWarned, ["library": "LibRaw", "detail": warning]))
    }
    let file = reader.description
    self.file = file
    let (rows, columns) = (file.patternRows, file.patternColumns)
    let isMosaic = file.isMosaic
    // The number of planes is unknown before samples are decoded.
    let stored = decodes ? file.planes : isMosaic || file.colors == 1 ? 1 : 3
    let isBayer = stored == 1 && (rows, columns) == (2, 2) && file.colors == 3
    var matrix = file.xyzToCamera
    selectionReason = Self.selectionReason(file)
    if file.colors == 1, stored == 1, !isMosaic {
      (neutral, rawType) = (nil, .linear)
    } else {
      guard file.colors == 3 else {
        throw ImageError(
          .unsupported, "{library} does not have a color matrix for the camera {camera}",
          ["library": LibRawReader.library, "camera": Self.camera(file)])
      }
      // The tags of a DNG file specify white.
      var assumptions: [Notice] = []
      neutral = Self.neutral(file, &assumptions)
      if tags == nil, !matrix.contains(where: { $0 != 0 }) {
        matrix = FallbackMatrix.assumed(neutral: neutral ?? .one).elements
        assumptions.append(Notice(.rawMatrixAssumed))
      }
      if tags == nil { notices += assumptions }
      rawType = isBayer ? .bayer : isMosaic ? .mosaic : .linear
      // LibRaw demosaics X-Trans, and Bayer mosaics that are rotated by 45 degrees.
      guard rawType != .mosaic || rows == 6 || rows == 0 else {
        throw ImageError(
          .unsupported, "mosaic of {rows}x{columns} filters is not supported",
          ["rows": rows, "columns": columns])
      }
    }
    self.matrix = matrix
    guard rawType == .mosaic, let neutral else {
      samples = decodes ? try reader.samples() : nil
      size = (file.width, file.height)
      planes = stored
      filters = isBayer ? (rows, columns, file.pattern) : nil
      activeArea = RawArea(file.visible)
      crop = Self.crop(file)
      blackPattern = (file.blackRows, file.blackColumns)
      var levels: [Int] = []
      for row in 0..<blackPattern.rows {
        for column in 0..<blackPattern.columns {
          for plane in 0..<planes {
            levels.append(reader.black(row: row, column: column, plane: plane))
          }
        }
      }
      black = levels
      white = Array(repeating: Double(file.white), count: planes)
      return
    }
    // Demosaiced samples are multiplied by gains with a maximum of 1.
    let gains = neutral.min() / neutral
    let colors = decodes ? try reader.demosaiced(gains: SIMD3<Float>(gains)) : nil
    samples = colors
    size = (colors?.width ?? file.visible.width, colors?.height ?? file.visible.height)
    planes = 3
    filters = nil
    activeArea = RawArea(x: 0, y: 0, width: size.width, height: size.height)
    let isWhole = size == (file.visible.width, file.visible.height)
    crop = isWhole ? Self.crop(file) : nil
    (blackPattern, black) = ((1, 1), [0, 0, 0])
    white = [gains.x, gains.y, gains.z].map { $0 * 65_535 }
  }

  /// The image as a DNG file in memory with decoded samples.
  func dng(limits: ImageLimits) throws(ImageError) -> DNGFile {
    let order = tags?.structure.byteOrder ?? .littleEndian
    let header = order.header(firstDirectoryAt: 8)
    let bytes = try header + directory(order).serialized(at: header.count, order: order)
    let structure = try TIFFFile(parsing: ByteSource(bytes), limits: limits)
    return try DNGFile(
      structure, limits: limits,
      decoded: .init(
        samples: samples, rawType: rawType,
        selectionReason: tags?.selectionReason ?? selectionReason, exif: exif,
        notices: notices + droppedTags()))
  }

  /// Notices of tags of a DNG file that LibRaw does not apply.
  private func droppedTags() throws(ImageError) -> [Notice] {
    guard let tags else { return [] }
    for list in 1...3 where try !OpcodeList(tags.raw.directory, list: list).opcodes.isEmpty {
      return [
        Notice(
          .dropped, "not applied: corrections (opcodes) of a mosaic that LibRaw interpolates",
          at: .init(path: tags.raw.directory.path))
      ]
    }
    return []
  }

  /// Source: DNG 1.7.1, chapters 2 to 6.
  private func directory(_ order: TIFFFile.ByteOrder) throws(ImageError) -> NewTIFFDirectory {
    var directory = NewTIFFDirectory()
    func longs(_ tag: TIFFTag, _ values: [Int]) {
      directory.set(tag, values.map { UInt32(clamping: $0) }, type: .long, order: order)
    }
    func doubles(_ tag: TIFFTag, _ values: [Double]) {
      directory.set(tag, values.map(\.bitPattern), type: .double, order: order)
    }
    func text(_ tag: TIFFTag, _ text: String) {
      directory.set(tag, undefined: Array(text.utf8) + [0], type: .ascii)
    }
    let photometric: DNGImage.Photometric = filters == nil ? .linearRaw : .colorFilterArray
    longs(.newSubfileType, [0])
    longs(.imageWidth, [size.width])
    longs(.imageLength, [size.height])
    longs(.bitsPerSample, Array(repeating: 16, count: planes))
    longs(.compression, [1])
    longs(.photometric, [photometric.rawValue])
    longs(.samplesPerPixel, [planes])
    longs(.rowsPerStrip, [size.height])
    // No bytes: the samples are in memory.
    longs(.stripOffsets, [0])
    longs(.stripByteCounts, [0])
    text(.make, file.make)
    text(.model, file.model)
    longs(.orientation, [file.orientation])
    directory.set(.dngVersion, undefined: [1, 4, 0, 0], type: .byte)
    text(.uniqueCameraModel, Self.camera(file))
    if let filters {
      longs(.cfaRepeatPatternDim, [filters.rows, filters.columns])
      directory.set(.cfaPattern, undefined: filters.colors, type: .byte)
    }
    longs(
      .activeArea,
      [activeArea.y, activeArea.x, activeArea.rows.upperBound, activeArea.columns.upperBound])
    longs(.blackLevelRepeatDim, [blackPattern.rows, blackPattern.columns])
    longs(.blackLevel, black)
    doubles(.whiteLevel, white)
    if let tags {
      for entry in tags.main.entries.entries where Self.colorTags.contains(entry.tag) {
        try directory.copy(entry, of: tags.structure)
      }
      for entry in tags.raw.directory.entries.entries where Self.cropTags.contains(entry.tag) {
        try directory.copy(entry, of: tags.structure)
      }
      return directory
    }
    if file.baselineExposure != 0 {
      doubles(.baselineExposure, [file.baselineExposure])
    }
    if let crop {
      longs(.defaultCropOrigin, [crop.x, crop.y])
      longs(.defaultCropSize, [crop.width, crop.height])
    }
    guard let neutral else { return directory }
    text(.profileName, LibRawReader.library)
    longs(.calibrationIlluminant[0], [21])  // D65.
    doubles(.colorMatrix[0], matrix)
    doubles(.asShotNeutral, [neutral.x, neutral.y, neutral.z])
    return directory
  }

  /// Tags of color and look in the first directory of a DNG file.
  private static let colorTags = Set(
    TIFFTag.colorMatrix + TIFFTag.cameraCalibration + TIFFTag.forwardMatrix
      + TIFFTag.calibrationIlluminant + TIFFTag.illuminantData + TIFFTag.profileHueSatMapData + [
        .analogBalance, .asShotNeutral, .asShotWhiteXY, .baselineExposure,
        .cameraCalibrationSignature, .profileCalibrationSignature, .profileName,
        .baselineExposureOffset, .profileHueSatMapDims, .profileHueSatMapEncoding,
        .profileToneCurve, .profileLookTableDims, .profileLookTableData,
        .profileLookTableEncoding, .profileGainTableMap, .profileGainTableMap2,
        .profileDynamicRange, .profileGroupName, .rgbTables, .defaultBlackRender, .shadowScale,
        .baselineNoise, .baselineSharpness, .noiseReductionApplied, .colorimetricReference,
      ])

  /// Tags of crop and scale in the directory of the raw image.
  private static let cropTags: Set<TIFFTag> = [
    .defaultCropOrigin, .defaultCropSize, .defaultScale,
  ]

  /// LibRaw's matrix of a camera of three colors; `nil` for an unknown camera.
  static func colorMatrix(_ file: CameraRawDescription) -> Matrix3x3? {
    let values = file.xyzToCamera
    guard file.colors == 3, values.contains(where: { $0 != 0 }) else { return nil }
    let matrix = Matrix3x3(
      SIMD3(values[0], values[1], values[2]), SIMD3(values[3], values[4], values[5]),
      SIMD3(values[6], values[7], values[8]))
    return matrix.inverse.isFinite ? matrix : nil
  }

  private static func crop(_ file: CameraRawDescription) -> RawArea? {
    file.crop.map { crop in
      RawArea(
        x: crop.x - file.visible.x, y: crop.y - file.visible.y, width: crop.width,
        height: crop.height)
    }
  }

  private static func neutral(
    _ file: CameraRawDescription, _ notices: inout [Notice]
  ) -> SIMD3<Double>? {
    func inverse(_ gains: [Double]) -> SIMD3<Double>? {
      guard gains.allSatisfy({ $0.isFinite && $0 > 0 }) else { return nil }
      let neutral = SIMD3(1 / gains[0], 1 / gains[1], 1 / gains[2])
      return neutral / neutral.max()
    }
    if let white = inverse(file.asShot) { return white }
    notices.append(Notice(.assumed, "assumed: daylight as white (not specified)"))
    return inverse(file.daylight) ?? SIMD3(1, 1, 1)
  }

  private static func selectionReason(_ file: CameraRawDescription) -> String {
    let size = "\(file.visible.width)x\(file.visible.height)"
    return file.imageCount > 1
      ? "the one that LibRaw decodes of \(file.imageCount) raw images, \(size)"
      : "the only raw image of the file, \(size)"
  }

  private static func camera(_ file: CameraRawDescription) -> String {
    let (make, model) = (file.make, file.model)
    return model.hasPrefix(make) ? model : "\(make) \(model)"
  }
}

extension RawArea {
  fileprivate init(_ area: CameraRawDescription.Area) {
    self.init(x: area.x, y: area.y, width: area.width, height: area.height)
  }
}
