// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Detects and opens camera raw files other than DNG.
enum CameraRaw {
  /// Whether a file other than DNG is camera raw.
  ///
  /// - Throws: Errors that end the whole job.
  static func isRaw(_ file: ImageFile) throws(ImageError) -> Bool {
    switch file.container {
    case .cameraRaw: true
    case .tiff(let structure): try hasRawImage(structure)
    default: false
    }
  }

  /// Most raw files are TIFF structures: a directory has a mosaic, or the header has Canon's
  /// signature.
  private static func hasRawImage(_ file: TIFFFile) throws(ImageError) -> Bool {
    if try file.source.prefix(11).suffix(3) == [0x43, 0x52, 2] { return true }
    for directory in file.directories {
      let below = try directory[.subdirectories].map { entry throws(ImageError) in
        try file.subdirectories(entry)
      }
      for directory in [directory] + (below ?? []) {
        let photometric = try ifReadable(try file.integers(.photometric, in: directory).first)
        if photometric == DNGImage.Photometric.colorFilterArray.rawValue { return true }
      }
    }
    return false
  }

  /// Opens a file as a DNG file in memory, with its parameters in DNG tags.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - decodes: Whether to decode samples, which also determine levels.
  /// - Returns: A DNG file in memory.
  /// - Throws: `.unsupported` for a file or a camera that LibRaw does not support, `.malformed` and
  ///   `.truncated` for a damaged file, `.limitExceeded` for more samples than the limits allow,
  ///   `.missingCodec` without LibRaw.
  static func open(_ file: ImageFile, decodes: Bool) throws(ImageError) -> DNGFile {
    let limits = file.options.limits
    let reader = try LibRawReader.open(file.source, limits: limits)
    if decodes { try reader.unpack() }
    var image = try CameraRawImage(reader, decodes: decodes)
    image.exif = try CameraRawExif.read(file, &image.notices) {
      () throws(ImageError) in try reader.preview()
    }
    return try image.dng(limits: limits)
  }

  /// A DNG file with an X-Trans mosaic, demosaiced by LibRaw; `nil` for other files and without LibRaw.
  ///
  /// Color is that of its own tags.
  static func interpolated(
    _ dng: DNGFile, _ source: ByteSource, limits: ImageLimits, decodes: Bool
  ) throws(ImageError) -> DNGFile? {
    guard dng.rawType == .mosaic, try ColorFilterArray(dng.raw.directory).isXTrans,
      RawSupport.cameraRawLibrary != nil
    else { return nil }
    let reader = try LibRawReader.open(source, limits: limits)
    if decodes { try reader.unpack() }
    var image = try CameraRawImage(reader, decodes: decodes, tags: dng)
    image.exif = try dng.structure.exif()
    return try image.dng(limits: limits)
  }

  /// CIE XYZ to the colors of the camera of a DNG file without matrices; `nil` if LibRaw does not
  /// know the camera.
  ///
  /// - Throws: Errors that end the whole job.
  static func colorMatrix(
    _ source: ByteSource, limits: ImageLimits
  ) throws(ImageError) -> Matrix3x3? {
    guard let reader = try ifReadable(try LibRawReader.open(source, limits: limits)) else {
      return nil
    }
    return CameraRawImage.colorMatrix(reader.description)
  }

  /// The largest preview, as JPEG.
  static func preview(_ source: ByteSource, limits: ImageLimits) throws(ImageError) -> [UInt8] {
    try LibRawReader.open(source, limits: limits).preview()
  }
}

/// Reads Exif of camera raw files, whose location depends on the format.
enum CameraRawExif {
  /// - Parameters:
  ///   - file: The file.
  ///   - notices: Receives a notice if there is no Exif.
  ///   - preview: Reads the JPEG preview, which may contain Exif.
  /// - Returns: Exif from its TIFF header on.
  /// - Throws: Errors that end the whole job.
  static func read(
    _ file: ImageFile, _ notices: inout [Notice], preview: () throws(ImageError) -> [UInt8]
  ) throws(ImageError) -> [UInt8]? {
    if let exif = try ifReadable(try stored(file)) { return exif }
    if let exif = try ifReadable(try inPreview(preview)) { return exif }
    notices.append(Notice(.dropped, "no Exif in the file"))
    return nil
  }

  private static func stored(_ file: ImageFile) throws(ImageError) -> [UInt8]? {
    let source = file.source
    let traits = file.format.traits
    if traits.isCameraRaw, !traits.hasOpaqueHeaders { return try file.cr3().wholeExif() }
    let head = try source.prefix(4)
    // Olympus and Panasonic store other version numbers than TIFF's 42.
    let versions: [[UInt8]: [UInt8]] = [
      Array("IIRO".utf8): [42, 0], Array("IIRS".utf8): [42, 0], Array("MMOR".utf8): [0, 42],
      Array("IIU\0".utf8): [42, 0],
    ]
    guard let version = versions[head] else {
      guard case .tiff(let structure) = file.container else { return nil }
      return try structure.exif()
    }
    var patched = SplicedBytes(source: source)
    patched.append(0..<2)
    patched.append(version)
    patched.append(4..<source.count)
    return try TIFFFile(parsing: ByteSource(patched)).exif()
  }

  private static func inPreview(
    _ preview: () throws(ImageError) -> [UInt8]
  ) throws(ImageError) -> [UInt8]? {
    try JPEGFile(parsing: ByteSource(try preview())).primary.exif
  }
}

/// A camera raw file that LibRaw has opened.
struct LibRawReader {
  private let calls: any CameraRawFile
  private let limits: ImageLimits
  /// The memory of LibRaw: the file, its samples, and those of a demosaiced image.
  private let memory: Execution.Reservation

  /// Name and version of the library.
  static var library: String { RawSupport.cameraRawLibrary ?? "LibRaw" }

  /// Reads the headers of a file.
  ///
  /// - Throws: `.unsupported` for an unknown file, `.malformed` for a damaged one, `.limitExceeded`
  ///   for an image beyond the limits, `.missingCodec` without LibRaw.
  static func open(_ source: ByteSource, limits: ImageLimits) throws(ImageError) -> LibRawReader {
    guard let library = CodecRegistry.current.cameraRaw else {
      throw ImageError(.codecNotBuilt, ["codec": "LibRaw", "format": "camera raw"])
    }
    guard source.count <= limits.memory else {
      throw ImageError(
        .sizeLimitExceeded, ["element": "raw file", "size": source.count, "limit": limits.memory])
    }
    let budget = Execution.current.budget
    // The file is copied before the size of its samples is known.
    let calls = try budget.reserving(
      memory: source.count, for: "raw file"
    ) { () throws(ImageError) in
      try library.open(source, megabytes: UInt32(clamping: max(limits.memory >> 20, 1)))
    }
    let description = calls.description
    let (width, height) = (description.width, description.height)
    try limits.check(width: width, height: height)
    // LibRaw allocates up to four samples of 16 bits per pixel.
    guard width * height <= limits.memory / 8 else {
      throw ImageError(.rawSamplesLimitExceeded, ["limit": limits.memory])
    }
    let memory = try budget.reserve(memory: source.count + 10 * width * height, for: "raw samples")
    return LibRawReader(calls: calls, limits: limits, memory: memory)
  }

  /// Description of the file; samples and levels are complete once samples are decoded.
  var description: CameraRawDescription { calls.description }

  /// The first warning of LibRaw about the decoded samples.
  var warning: String? { calls.warning }

  /// Decodes the samples.
  ///
  /// - Throws: `.truncated` if the file has no samples, `.malformed` if they are damaged.
  func unpack() throws(ImageError) { try calls.unpack() }

  /// Black level of an exposed photosite.
  func black(row: Int, column: Int, plane: Int) -> Int {
    calls.black(row: row, column: column, plane: plane)
  }

  /// All samples, interleaved.
  ///
  /// - Throws: `.truncated` if they are all equal.
  func samples() throws(ImageError) -> RawSamples {
    let description = description
    let planes = description.planes
    let (width, height) = (description.width, description.height)
    guard planes == 1 || planes == 3 else {
      throw ImageError(.unsupported, "LibRaw decodes the file to an unsupported type of samples")
    }
    let samples = try copy(.samples, width: width, height: height, planes: planes)
    // LibRaw leaves samples 0 that it does not decode. Sensors have noise.
    guard !samples.areEqual else { throw ImageError(.rawSamplesMissing, ["library": Self.library]) }
    return samples
  }

  /// Red, green and blue of any mosaic, demosaiced by LibRaw.
  ///
  /// - Parameter gains: White-balance gains.
  /// - Returns: The colors times `gains`, divided by the largest of them; white is 65535.
  /// - Throws: `.malformed` for an image that LibRaw does not demosaic, `.unsupported` for one that
  ///   is too small.
  func demosaiced(gains: SIMD3<Float>) throws(ImageError) -> RawSamples {
    // LibRaw clears the description when it fails.
    let before = description
    let size: (width: Int, height: Int)
    do throws(ImageError) {
      size = try calls.demosaic(gains: gains)
    } catch {
      throw Self.isTooSmall(before) ? Self.tooSmall(before) : error
    }
    let colors = try copy(.colors, width: size.width, height: size.height, planes: 3)
    return Self.fillingCorners(colors)
  }

  /// Side of the tiles in which LibRaw demosaics X-Trans, and the least size of an image.
  private static let xTransTileSide = 512

  private static func isTooSmall(_ description: CameraRawDescription) -> Bool {
    description.patternRows == 6
      && min(description.visible.width, description.visible.height) < xTransTileSide
  }

  private static func tooSmall(_ description: CameraRawDescription) -> ImageError {
    let side = xTransTileSide
    return ImageError(
      .rawXTransTooSmall,
      [
        "library": library, "limit": .size(side, side),
        "size": .size(description.visible.width, description.visible.height),
      ])
  }

  /// Fills the corners of an X-Trans image, around which all photosites may be green, with red and
  /// blue of the adjacent pixels.
  private static func fillingCorners(_ colors: RawSamples) -> RawSamples {
    guard case .integer(var plane) = colors.rows, colors.width > 1, colors.height > 1 else {
      return colors
    }
    for (y, nextY) in [(0, 1), (plane.height - 1, plane.height - 2)] {
      for (x, nextX) in [(0, 1), (colors.width - 1, colors.width - 2)] {
        let neighbor = (0..<3).map { plane.row(nextY)[3 * nextX + $0] }
        var row = plane.mutableRow(y)
        guard row[3 * x] == 0, row[3 * x + 2] == 0 else { continue }
        (row[3 * x], row[3 * x + 2]) = (neighbor[0], neighbor[2])
      }
    }
    return RawSamples(planeCount: 3, rows: .integer(plane))
  }

  private func copy(
    _ part: CameraRawPart, width: Int, height: Int, planes: Int
  ) throws(ImageError) -> RawSamples {
    try limits.check(width: width, height: height)
    var plane = Plane<UInt16>(width: width * planes, height: height, filledWith: 0)
    var samples = plane.mutableSpan()
    try calls.copy(part, to: &samples)
    return RawSamples(planeCount: planes, rows: .integer(plane))
  }

  /// The largest preview, if it is a JPEG.
  func preview() throws(ImageError) -> [UInt8] { try calls.preview() }
}

extension RawSamples {
  /// Whether all samples are equal.
  fileprivate var areEqual: Bool {
    guard case .integer(let plane) = rows else { return false }
    let samples = plane.span
    for index in samples.indices where samples[index] != samples[0] { return false }
    return true
  }
}
