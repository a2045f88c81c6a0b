internal import GainMap
internal import HDRCore
internal import ImageContainers

/// How base and map are coded in a kind of file: options, completed by what formats and flavors allow.
struct GainMapCodings {
  private let options: GainMapAuthoring.Options
  let isGray: Bool
  private let chroma: ChromaSubsampling
  private let baseBits: Int
  let mapBits: Int

  /// - Throws: `.invalidArgument` for options that contradict each other or the format.
  init(_ options: GainMapAuthoring.Options) throws(ImageError) {
    self.options = options
    func refuse(_ reason: String, _ remedy: String? = nil) -> ImageError {
      ImageError(.invalidArgument, reason, remedy: remedy)
    }
    let format = options.format
    guard [.jpeg, .heif, .avif].contains(format) else {
      throw refuse("\(format.rawValue) cannot hold a gain map here", "write .jpg, .heic or .avif")
    }
    let isJPEG = format == .jpeg
    if options.baseIsHDR, isJPEG {
      throw refuse("JPEG has 8 bits, too few for an HDR base", "write .avif or .heic")
    }
    if options.baseIsHDR, options.flavors.contains(.apple) {
      throw refuse("Apple's flavor needs an SDR base", "leave out 'apple', or --base sdr")
    }
    let wantsApple = options.flavors.contains(.apple)
    if wantsApple, options.map.componentCount == 3 {
      throw refuse("Apple's map has one component", "--gainmap-channels 1")
    }
    isGray = (options.map.componentCount ?? (wantsApple ? 1 : 3)) == 1
    baseBits = options.depth ?? (isJPEG ? 8 : 10)
    mapBits = options.map.depth ?? 8
    let allowed = isJPEG ? [8] : options.baseIsHDR ? [10, 12] : [8, 10, 12]
    guard allowed.contains(baseBits), mapBits == 8 || mapBits == 10 && !isJPEG else {
      throw refuse(
        "\(format.rawValue) takes bases of \(allowed) bits, and maps of 8"
          + (isJPEG ? "" : " or 10"))
    }
    chroma = options.chroma ?? (options.wantsDetail ? .yuv444 : .yuv420)
    guard chroma != .yuv400, chroma != .yuv422 || !isJPEG else {
      throw refuse("bases are written in 4:4:4 or 4:2:0", "--yuv 444")
    }
  }

  /// Where chroma lies.
  var siting: ChromaSiting { options.format == .jpeg ? .center : .left }

  /// What the base's samples mean.
  var baseEncoding: ColorEncoding {
    guard !options.baseIsHDR else { return ColorEncoding(cicp: baseCICP, transfer: .pq) }
    return ColorEncoding(cicp: baseCICP, transfer: .srgb)
  }

  /// Code points of the base.
  var baseCICP: CICP {
    if options.baseIsHDR {
      return CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    }
    let primaries = options.primaries.cicp ?? .displayP3
    // BT.601's matrix is JPEG's, and what files with P3 have.
    let matrix: CICP.Matrix =
      options.format == .jpeg || primaries != .bt709 ? .bt601 : .bt709
    return CICP(primaries: primaries, transfer: .srgb, matrix: matrix)
  }

  func baseFormat(like source: StoredFormat) -> StoredFormat {
    StoredFormat(
      width: source.width, height: source.height, components: .ycbcr(chroma),
      samples: .integer(bits: baseBits))
  }

  /// A map with its samples as they are coded: gray, or Y'CbCr of BT.601 in full chroma.
  func coded(_ map: StoredImage, threads: Int) -> StoredImage {
    guard map.format.components == .rgb else { return map }
    var format = map.format
    format.components = .ycbcr(.yuv444)
    // Samples of gain are no light, but a matrix between codes is all that is wanted.
    let samples = ColorEncoding(primaries: .bt709, transfer: .linear)
    var target = samples
    target.matrix = .bt601
    var conversion = PictureConversion(
      from: .init(format: map.format, encoding: samples),
      to: .init(format: format, encoding: target))
    conversion.measurement = .nothing
    return conversion.run(map, threads: threads).image
  }

  /// Code points of the map: no color, only how components are coded.
  static let mapCICP = CICP(primaries: .unspecified, transfer: .unspecified, matrix: .bt601)
}

extension ColorEncoding {
  fileprivate init(cicp: CICP, transfer: TransferFunction) {
    self.init(
      primaries: ColorPrimaries(cicp.primaries) ?? .bt709, transfer: transfer, matrix: cicp.matrix)
  }
}
