// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports
internal import Platform

/// `hdrconvert gainmap create --sdr SDR --hdr HDR -o OUT`.
struct CreateGainMap: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a file with a gain map from an SDR and an HDR image, or HDR alone.",
    discussion: """
      Without --sdr, the SDR image is tone mapped; for a raw file, it is developed for SDR. The gain \
      map is computed against the decoded base image. The file is then read back, and the error \
      (Delta E ITP) and sizes are reported. --report full measures all pixels.

      --keep-sdr keeps the coded SDR image byte for byte, if the output has the same codec; \
      options of the baseline image such as --quality re-encode it. On a raw file, the SDR image is \
      registered: scale, offset and orientation are found, and other content is refused.

      --assume applies to the HDR image; an untagged SDR image is sRGB.

      examples:
        hdrconvert gainmap create --sdr sdr.tif --hdr hdr.exr -o web.jpg
        hdrconvert gainmap create --sdr web.jpg --hdr render.tif -o both.jpg \\
          --assume linear,bt2020
        hdrconvert gainmap create sdr.tif hdr.exr web.jpg
        hdrconvert gainmap create hdr.exr -o photo.heic --flavors iso,apple
        hdrconvert gainmap create hdr.exr -o photo.avif --baseline hdr
        hdrconvert gainmap create hdr.exr -o small.jpg --target-error 8
        hdrconvert gainmap create IMG_0002.DNG -o photo.heic
        hdrconvert gainmap create IMG_0002.DNG --sdr IMG_0002.JPG --keep-sdr \\
          -o photo.jpg
        hdrconvert gainmap create *.exr --out-dir web --to jpeg
      """)

  @Argument(
    help: .text("HDR images; - for standard input. Three files are SDR, HDR and output.", "hdr"))
  var files: [String] = []

  @Option(help: .text("SDR image, such as the JPEG of the camera for a raw file.", "file"))
  var sdr: String?

  @Flag(name: .customLong("keep-sdr"), help: "Keep the coded SDR image byte for byte.")
  var keepsStandard = false

  @Option(help: .text("HDR image, instead of the argument.", "file"))
  var hdr: String?

  @OptionGroup var target: OutputOptions

  @Option(
    help: .text(
      "Output format, if the suffix does not name it: \(FileFormat.namesOfGainMapFiles).", "format")
  )
  var to: String?

  @OptionGroup var given: RequestOption
  @OptionGroup(title: "Many inputs") var batch: BatchOptions
  @OptionGroup(title: "Many inputs") var listing: DryRunOption

  @Option(
    name: .customLong("operator"),
    help: .full(
      """
      Tone-mapping operator for the SDR image: \(ToneMapOperator.allCases.map(\.rawValue).joined(separator: ", ")) \
      (default \(ToneMapOperator.allCases[0].rawValue)).
      """, "operator"))
  var method: ToneMapOperator?

  @Option(
    help: .full(
      """
      Desaturation of tone-mapped highlights (default: 0.05 for the operator \
      \(ToneMapOperator.allCases[0].rawValue) and gain maps of three components, else 0).
      """, "0...1"))
  var highlightDesaturation: Double?

  @OptionGroup(title: "Encoding") var coding: GainMapCodingOptions
  @Option(
    help: .full("Exposure of the HDR image, in stops; of a raw file, before its tone curve.", "EV"))
  var exposure: Double?

  @OptionGroup(title: "Raw input", visibility: .inFull) var raw: RAWOption
  @OptionGroup(title: "Metadata") var strip: StripOption
  @OptionGroup(title: "Metadata", visibility: .inFull) var metadata: MakerNotesOption
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting", visibility: .inFull) var reporting: ReportingOptions
  @OptionGroup(title: "Reporting") var notices: NoticeOptions

  @Option(
    help: .full(
      """
      Measure the error on all pixels (full) or on a part of the rows of a large image (sampled); \
      always full with --target-error.
      """, "sampled|full"))
  var report: GainMapQuality.Extent?

  mutating func validate() throws {
    takeFiles()
    guard hdr == nil || files.isEmpty else {
      throw ValidationError("give the HDR image once: as an argument or with --hdr")
    }
    try checkFiles()
    guard !hasManyInputs || hdr == nil && sdr == nil && raw.companion == nil else {
      throw ValidationError(
        "--hdr and --sdr name the images of one output; for raw files with their JPEG: "
          + "--raw camera-jpeg=auto")
    }
    guard sdr == nil || raw.companion == nil else {
      throw ValidationError("give the SDR image once: with --sdr or with --raw camera-jpeg")
    }
    guard !keepsStandard || sdr != nil else { throw ValidationError("--keep-sdr requires --sdr") }
    try checkRequest()
  }

  /// Takes the last file as the output, and the first of three as the SDR image, as avifgainmaputil does.
  private mutating func takeFiles() {
    let isComplete = hdr != nil ? files.count == 1 : files.count == (sdr == nil ? 3 : 2)
    guard isComplete || hdr == nil && files.count == 2, isOutput(files.last, to: to) else { return }
    target.given = files.removeLast()
    if files.count == 2 { sdr = files.removeFirst() }
  }

  func request() throws -> ConversionRequest {
    var request = try given.request()
    request.content = .gainMap
    try request.setFormat(to, target)
    coding.apply(to: &request)
    if let sdr { request.companions.standard = sdr }
    if sdr != nil, !keepsStandard { request.copying = .never }
    if let exposure { request.rendition.exposure = exposure }
    if let method { request.rendition.toneMapping = method }
    if let highlightDesaturation { request.rendition.highlightDesaturation = highlightDesaturation }
    if let report { request.gainMap.measurement = report }
    try raw.apply(to: &request, exposure: exposure)
    try inputs.apply(to: &request.input)
    try metadata.apply(to: &request)
    try strip.apply(to: &request.metadata)
    return request
  }
}

extension CreateGainMap: FileVerb, RequestVerb {
  var pairsInputs: Bool { raw.pairsInputs }
  var companionPath: String? {
    get { sdr ?? raw.companion }
    set { (sdr, keepsStandard) = (newValue, newValue != nil) }
  }
  var inputPaths: [String] {
    get { hdr.map { [$0] } ?? files }
    set { (files, hdr) = (newValue, nil) }
  }
  var printsMeasurements: Bool { true }
  var rawKeys: [String] {
    get { raw.values }
    set { raw.values = newValue }
  }
  var progressStyle: ProgressStyle { reporting.progress }
  var wantsJSON: Bool { reporting.json }
  var isQuiet: Bool { reporting.quiet }

  func outputSuffix(of input: String) throws -> String { try suffix(of: to) }
}

/// Encoding of baseline image and gain map.
struct GainMapCodingOptions: ParsableArguments {
  @Option(help: "Baseline image, which programs without gain maps show; hdr in HEIF and AVIF.")
  var baseline = Baseline.sdr

  @Option(
    name: .shortAndLong,
    help:
      """
      Quality of the baseline image, 0 to 100. Default: 90 for JPEG; SDR and HDR: 80 and 86 for AVIF, 50 and 60 for HEIF; \
      less if the file would be larger than its input.
      """)
  var quality: Int?

  @Option(
    help: .full(
      """
      Quality of the gain map, 0 to 100; default: follows --quality (70 with 90 in JPEG, 15 lower in \
      HEIF and AVIF), and less for a map that takes a fifth of the file.
      """, "q"))
  var gainmapQuality: Int?

  @Option(
    help: .full(
      """
      Subsampling of the gain map (default: 2; 1 from quality 95 on, except for Apple and above 4 \
      megapixels).
      """, "1|2|4"))
  var gainmapScale: Int?

  @Option(
    help: .full("Components of the gain map: one gain for all colors, or one for each.", "1|3"))
  var gainmapChannels: Int?

  @Option(help: .full("Bits per sample of the gain map; JPEG has 8.", "8|10"))
  var gainmapDepth: Int?

  @Option(
    help: .full(
      "Find the smallest file in which 99 % of the pixels are within this Delta E ITP.", "e"))
  var targetError: Double?

  @Option(help: .text("Flavors of the gain map metadata.", "iso,xmp,apple"))
  var flavors: FlavorList?

  @Option(
    help: .full("Primaries of the SDR image: p3 (default), or bt709 for sRGB.", "p3|bt709"),
    transform: Self.standardPrimaries)
  var primaries: ColorPrimaries?

  @Option(
    name: .shortAndLong,
    help: .full(
      "Encoding speed, 0 to 10; 10 is fastest. Default: 9 for HEIF, 7 for AVIF, 6 for JPEG."))
  var speed: Int?

  @Option(name: .shortAndLong, help: .full("Bits per sample of the baseline image; JPEG has 8."))
  var depth: Int?

  @Option(
    name: [.customShort("y"), .customLong("yuv")],
    help: .full(
      """
      Chroma subsampling of the baseline image (default: 444 in AVIF and from quality 85 on, else \
      420).
      """))
  var chroma: ChromaSubsampling?

  enum Baseline: String, ExpressibleByArgument, CaseIterable {
    case sdr
    case hdr
  }

  /// Primaries that the SDR image of a gain map can have.
  private static func standardPrimaries(_ text: String) throws(ValidationError) -> ColorPrimaries {
    guard let named = ColorPrimaries(named: text), [.displayP3, .bt709].contains(named) else {
      throw ValidationError("the SDR image has p3 or bt709")
    }
    return named
  }

  /// Sets the fields whose options are given.
  func apply(to request: inout ConversionRequest) {
    if baseline == .hdr { request.gainMap.baseline = .hdr }
    if let quality { request.coding.quality = quality }
    if let speed { request.coding.speed = speed }
    if let depth { request.coding.depth = depth }
    if let chroma { request.coding.chroma = chroma }
    if let primaries { request.color.primaries = primaries }
    if let gainmapQuality { request.gainMap.quality = gainmapQuality }
    if let gainmapScale { request.gainMap.scale = gainmapScale }
    if let gainmapChannels { request.gainMap.componentCount = gainmapChannels }
    if let gainmapDepth { request.gainMap.depth = gainmapDepth }
    if let targetError { request.gainMap.targetError = targetError }
    if let flavors { request.gainMap.flavors = flavors.sorted }
  }
}

/// Result of `gainmap create`, and of `convert` if it computes a gain map.
struct GainMapCreationReport: ReportObject {
  static let schemaName = "createdGainMap"

  /// A coded image.
  struct CodedImage: ReportObject {
    static let schemaName = "codedImage"
    let layout: LayoutReport
    /// `nil` for a coded image that was kept.
    let quality: Int?
    let bytes: Int

    enum CodingKeys: String, CodingKey, CaseIterable { case layout, quality, bytes }

    init(_ format: ImageLayout, quality: Int?, bytes: Int) {
      layout = LayoutReport(format, isFullRange: true)
      self.quality = quality
      self.bytes = bytes
    }

    var text: String {
      let samples = layout.chroma.map {
        "4:\($0.dropFirst().map(String.init).joined(separator: ":"))"
      }
      return "\(layout.width)x\(layout.height), \(samples ?? layout.components), "
        + "\(layout.bitsPerSample ?? 8) bits, "
        + "\(quality.map { "quality \($0)" } ?? "without loss"), \(DiagnosticTemplate.byteText(bytes))"
    }
  }

  let hdr: String
  let sdr: String?
  let output: String
  let format: String
  let bytes: Int
  let base: CodedImage
  let map: CodedImage
  let baseHeadroomStops: Double
  let alternateHeadroomStops: Double
  let minimumGainStops: Double
  let maximumGainStops: Double
  /// Between the given alternate image and that decoded from the file.
  let deltaEITP: DifferenceReport
  let pqPSNR: Double
  /// Share of the rows whose error was measured.
  let measuredShare: Double
  let encodings: Int
  let notices: [NoticeReport]

  init(
    hdr: String, sdr: String?, output: String, format: FileFormat, byteCount: Int,
    _ result: GainMapEncoder.Result, notices: [Notice]
  ) {
    self.hdr = hdr
    self.sdr = sdr
    self.output = output
    self.format = format.rawValue
    bytes = byteCount
    base = CodedImage(result.baseLayout, quality: result.baseQuality, bytes: result.baseByteCount)
    map = CodedImage(result.mapLayout, quality: result.mapQuality, bytes: result.mapByteCount)
    baseHeadroomStops = result.metadata.baseHeadroom.value
    alternateHeadroomStops = result.metadata.alternateHeadroom.value
    func gains(_ sample: Double) -> [Double] {
      (0..<3).map { result.metadata.logGain(ofSample: sample, component: $0) }
    }
    minimumGainStops = gains(0).min() ?? 0
    maximumGainStops = gains(1).max() ?? 0
    deltaEITP = DifferenceReport(
      mean: result.quality.meanDeltaE, percentile99: result.quality.deltaE99)
    pqPSNR = result.quality.pqPSNR
    measuredShare = result.quality.measuredShare
    encodings = result.trialCount
    self.notices = notices.map(NoticeReport.init)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case hdr = "input"
    case sdr = "sdrInput"
    case output, format, bytes
    case base = "baselineImage"
    case map = "gainMapImage"
    case baseHeadroomStops = "baselineHeadroomStops"
    case alternateHeadroomStops, minimumGainStops, maximumGainStops, deltaEITP
    case pqPSNR = "pqPSNRDecibels"
    case measuredShare, encodings, notices
  }

  /// The report as text.
  var lines: [String] {
    func number(_ value: Double) -> String { DiagnosticTemplate.short(value) }
    let headroom = "\(number(baseHeadroomStops)) to \(number(alternateHeadroomStops)) stops"
    let rows =
      measuredShare < 1 ? " (measured on \(number(measuredShare * 100)) % of the rows)" : ""
    let gains = "\(number(minimumGainStops)) to \(number(maximumGainStops)) stops"
    return [
      "\(output): \(DiagnosticTemplate.byteText(bytes))",
      "  baseline image: \(base.text)",
      "  gain map: \(map.text)",
      "  headroom: \(headroom); gain: \(gains)",
      "  error: mean Delta E ITP \(number(deltaEITP.mean)), at most "
        + "\(number(deltaEITP.percentile99)) for 99 % of the pixels; PQ-PSNR \(number(pqPSNR)) dB\(rows)",
    ]
  }
}
