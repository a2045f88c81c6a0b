internal import ArgumentParser
internal import Foundation
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles
internal import RAWDevelop

/// `hdrconvert gainmap create --sdr SDR --hdr HDR -o OUT`.
struct CreateGainMap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Put two renditions, or one with headroom, into a file with a gain map.",
    discussion: """
      Without --sdr, the standard rendition is made by tone mapping; of a raw file, it is the look for \
      standard displays. The map is made for the base as \
      readers will decode it, and the file is read back: the report says how far what readers make of \
      base and map is from the other rendition (Delta E ITP), and what both cost. HEIC and AVIF hold \
      the mattes of a raw file, too.

      --assume and --white are about the rendition with headroom; a standard one that does not say \
      its color is sRGB.

      examples:
        hdrconvert gainmap create --sdr sdr.tif --hdr hdr.exr -o web.jpg
        hdrconvert gainmap create --sdr web.jpg --hdr render.tif --assume linear,bt2020 -o both.jpg
        hdrconvert gainmap create hdr.exr -o photo.heic --flavors iso,apple
        hdrconvert gainmap create hdr.exr -o photo.avif --base hdr --primaries srgb
        hdrconvert gainmap create hdr.exr -o small.jpg --target-error 8
        hdrconvert gainmap create IMG_0002.DNG -o photo.jpg
        hdrconvert gainmap create IMG_0002.DNG -o photo.heic
        hdrconvert gainmap create IMG_0002.DNG --base IMG_0002.JPG -o photo.jpg
      """)

  @Argument(
    help: ArgumentHelp("The rendition with headroom; - for standard input.", valueName: "hdr"))
  var input: String?

  @Option(help: ArgumentHelp("The standard rendition, 1.0 being white.", valueName: "file"))
  var sdr: String?

  @Option(help: ArgumentHelp("The rendition with headroom.", valueName: "file"))
  var hdr: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write: .jpg, .heic or .avif; - for standard output.", valueName: "out"))
  var output: String

  @Option(
    help: ArgumentHelp("jpeg, heif or avif, where the name does not tell.", valueName: "format"))
  var to: String?

  @Flag(name: .shortAndLong, help: "Replace the output if it exists.")
  var force = false

  @Option(
    name: .customLong("operator"),
    help: ArgumentHelp(
      """
      Makes the SDR image: \(ToneMapOperator.allCases.map(\.rawValue).joined(separator: ", ")); \
      default \(ToneMapOperator.allCases[0].rawValue).
      """, valueName: "operator"))
  var method: ToneMapOperator?

  @Option(
    help: ArgumentHelp(
      "How fast its highlights go to white; 0 keeps their hue, default 0.05.", valueName: "0...1"))
  var highlightDesaturation: Double?

  @OptionGroup(title: "Coding") var coding: GainMapCodingOptions
  @Option(
    help: ArgumentHelp(
      "Exposure of a raw file, in stops, before its tone curve; below 0, white stays white.",
      valueName: "EV"))
  var exposure = 0.0

  @OptionGroup(title: "Raw input") var raw: RAWOptions
  @OptionGroup(title: "Input and limits") var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportingOptions

  func validate() throws {
    guard (input == nil) != (hdr == nil) else {
      throw ValidationError("give the rendition with headroom once: as an argument or with --hdr")
    }
    guard sdr == nil || coding.base.file == nil else {
      throw ValidationError("give the standard rendition once: with --sdr or with --base")
    }
    guard standard == nil || method == nil && highlightDesaturation == nil else {
      throw ValidationError("--operator and --highlight-desaturation make the standard rendition")
    }
    guard exposure.isFinite, abs(exposure) <= 32 else {
      throw ValidationError("--exposure takes -32...32 stops")
    }
    guard (0...1).contains(highlightDesaturation ?? 0) else {
      throw ValidationError("--highlight-desaturation takes 0...1")
    }
  }

  /// The file with the standard rendition, if there is one.
  private var standard: String? { sdr ?? coding.base.file }

  func run() throws {
    guard let hdr = input ?? hdr else { return }
    let format = try outputFormat(output, to: to)
    let encoder = try coding.encoder()
    var options = try coding.options(format, encoder)
    if let method { options.method = method }
    if let highlightDesaturation { options.highlightDesaturation = highlightDesaturation }
    let authoring = try during(.writing, output) { () throws(ImageError) in
      try GainMapEncoder(options)
    }
    try reporting.check(output: output)
    let file = OutputFile(path: output, mayReplace: force)
    try file.ensureWritable()
    let opening = try inputs.opening()
    let progress = Progress(reporting.progress, label: hdr)
    defer { progress.finish() }
    let renditions = try renditions(hdr, opening)
    let outcome = try during(.reading, hdr) { () throws(ImageError) in
      try authoring.run(hdr: renditions.hdr, sdr: renditions.sdr) {
        progress.show($0, stage: "making the map")
      }
    }
    let count = try during(.writing, output) { () throws(ImageError) in
      try file.write { sink throws(ImageError) in try sink.append(outcome.bytes) }
    }
    progress.finish()
    let notices = outcome.notices + renditions.notices
    if !reporting.quiet { Console.report(notices) }
    let report = GainMapCreationReport(
      hdr: hdr, sdr: standard, output: output, format: format, byteCount: count, outcome,
      notices: notices)
    guard reporting.json else {
      if !reporting.quiet { Console.add(report.lines) }
      return
    }
    try printJSON(report)
  }

  private struct Renditions {
    var hdr: SourceImage
    var sdr: SourceImage?
    /// What of the files does not go into the new one, and what was said in vain.
    var notices: [Notice]
  }

  /// Opens both renditions; of a raw file without another, both are developed.
  private func renditions(
    _ hdr: String, _ opening: OpeningOptions
  ) throws(Failure) -> Renditions {
    let file = try during(.reading, hdr) { () throws(ImageError) in
      let file = try openImage(hdr, options: opening)
      if !file.isRaw { try raw.refuse(exposure == 0 ? nil : "--exposure") }
      return file
    }
    func developed(isStandard: Bool) throws(Failure) -> SourceImage {
      var development = raw.development(exposure: exposure, isStandard: false)
      if isStandard { development.extendedDynamicRangeAmount = 0 }
      return try during(.reading, hdr) { () throws(ImageError) in
        try SourceImage.open(file, developing: development)
      }
    }
    let bright = try developed(isStandard: false)
    var notices = bright.notCopied(of: hdr)
    if file.isRaw, inputs.assume != nil {
      notices.append(
        Notice(.rawAssumedColorNotUsed, at: .init(file: hdr)))
    }
    guard let standard else {
      let makesStandard = file.isRaw && !raw.sceneLinear && method == nil
      return Renditions(
        hdr: bright, sdr: makesStandard ? try developed(isStandard: true) : nil, notices: notices)
    }
    return try during(.reading, standard) { () throws(ImageError) in
      let sdr = try Self.standard(standard, opening)
      if sdr.isRotated(against: bright) {
        throw ImageError(
          .createSDRRotated,
          [
            "sdr": .size(sdr.uprightSides.width, sdr.uprightSides.height),
            "hdr": .size(bright.uprightSides.width, bright.uprightSides.height),
            "suffix": sdr.format.traits.gainMapCodec?.suffix ?? "",
          ])
      }
      return Renditions(
        hdr: bright, sdr: sdr,
        notices: notices + sdr.notCopied(of: standard))
    }
  }

  /// Opens the standard rendition, of which nothing was assumed.
  private static func standard(
    _ path: String, _ opening: OpeningOptions
  ) throws(ImageError) -> SourceImage {
    var opening = opening
    opening.assumed = nil
    let file = try openImage(path, options: opening)
    guard !file.isRaw else {
      throw ImageError(.createSDRIsRaw)
    }
    return try SourceImage.open(file)
  }
}

extension SourceImage {
  /// What of the file at a path does not go into the new one.
  fileprivate func notCopied(of path: String) -> [Notice] {
    notCopied.map { notice in
      var notice = notice
      notice.location.file = path
      return notice
    }
  }

  fileprivate var uprightSides: (width: Int, height: Int) {
    let layout = image.layout.upright(from: image.orientation)
    return (layout.width, layout.height)
  }

  /// Whether the image has the size of another one that is rotated by 90 degrees.
  fileprivate func isRotated(against other: SourceImage) -> Bool {
    let (sides, others) = (uprightSides, other.uprightSides)
    return sides.width != sides.height && sides == (others.height, others.width)
  }
}

/// How base and map are coded.
struct GainMapCodingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The rendition that the file holds as its picture: sdr, or hdr in HEIF and AVIF; or a file with \
      the standard rendition, like the camera's own picture beside a raw file.
      """, valueName: "sdr|hdr|file"))
  var base = Base.sdr

  @Option(name: .shortAndLong, help: "Of the base, 0...100; default 90.")
  var quality: Int?

  @Option(help: ArgumentHelp("Of the map, 0...100; default: what suits the base.", valueName: "q"))
  var gainmapQuality: Int?

  @Option(
    help: ArgumentHelp(
      "Each sample of the map stands for 1, 2 or 4 pixels a side; default: 1 from quality 85 on, else 2.",
      valueName: "1|2|4"))
  var gainmapScale: Int?

  @Option(help: ArgumentHelp("One gain for all components, or one for each.", valueName: "1|3"))
  var gainmapChannels: Int?

  @Option(help: ArgumentHelp("Bits of the map's samples; 10 not in JPEG.", valueName: "8|10"))
  var gainmapDepth: Int?

  @Option(
    help: ArgumentHelp(
      "Delta E ITP that 99 % of the pixels shall not exceed; quality, and scale and depth of the map, follow.",
      valueName: "e"))
  var targetError: Double?

  @Option(help: ArgumentHelp("How the map is described.", valueName: "iso,xmp,apple"))
  var flavors: FlavorList?

  @Option(help: ArgumentHelp("Of the standard rendition.", valueName: "p3|srgb"))
  var primaries = "p3"

  @Option(name: .shortAndLong, help: "0...10; 10 is fastest.")
  var speed = 6

  @Option(name: .shortAndLong, help: "Bits of the base's samples; JPEG has 8.")
  var depth: Int?

  @Option(
    name: [.customShort("y"), .customLong("yuv")],
    help: "Y'CbCr of the base; default: 444 from quality 85 on, else 420.")
  var chroma: ChromaSubsampling?

  enum Base: Hashable, ExpressibleByArgument {
    case sdr
    case hdr
    /// The standard rendition, from this file.
    case path(String)

    init?(argument: String) {
      switch argument {
      case "sdr": self = .sdr
      case "hdr": self = .hdr
      // A word without a suffix is no picture.
      default:
        guard argument.contains(".") || argument.contains("/") else { return nil }
        self = .path(argument)
      }
    }

    var defaultValueDescription: String { "sdr" }

    var file: String? {
      if case .path(let path) = self { path } else { nil }
    }
  }

  func validate() throws {
    let qualities = [("--quality", quality), ("--gainmap-quality", gainmapQuality)]
    for (name, value) in qualities {
      guard let value else { continue }
      guard (0...100).contains(value) else { throw ValidationError("\(name) takes 0...100") }
      guard targetError == nil else {
        throw ValidationError("--target-error chooses quality; leave out \(name)")
      }
    }
    guard (0...10).contains(speed) else { throw ValidationError("--speed takes 0...10") }
    guard [1, 2, 4].contains(gainmapScale ?? 1) else {
      throw ValidationError("--gainmap-scale takes 1, 2 or 4")
    }
    guard [1, 3].contains(gainmapChannels ?? 1) else {
      throw ValidationError("--gainmap-channels takes 1 or 3")
    }
    guard [8, 10].contains(gainmapDepth ?? 8) else {
      throw ValidationError("--gainmap-depth takes 8 or 10")
    }
    guard [8, 10, 12].contains(depth ?? 8) else {
      throw ValidationError("--depth takes 8, 10 or 12")
    }
    if let targetError, !(targetError > 0 && targetError <= 1000) {
      throw ValidationError("--target-error takes a Delta E ITP above 0")
    }
    _ = try standardPrimaries()
  }

  func encoder() throws -> EncoderOptions {
    EncoderOptions(quality: quality ?? EncoderOptions.usualQuality, speed: speed)
  }

  func options(
    _ format: FileFormat, _ encoder: EncoderOptions
  ) throws -> GainMapEncoder.Options {
    var options = GainMapEncoder.Options(format: format, encoder: encoder)
    options.baseIsHDR = base == .hdr
    options.primaries = try standardPrimaries()
    if let flavors { options.flavors = flavors.all }
    options.chroma = chroma
    options.depth = depth
    options.map.quality = gainmapQuality
    options.map.scale = gainmapScale
    options.map.componentCount = gainmapChannels
    options.map.depth = gainmapDepth
    options.targetError = targetError
    return options
  }

  private func standardPrimaries() throws -> ColorPrimaries {
    guard let named = try? namedPrimaries(primaries[...]), named == .displayP3 || named == .bt709
    else { throw ValidationError("--primaries takes p3 or srgb, not '\(primaries)'") }
    return named
  }
}
