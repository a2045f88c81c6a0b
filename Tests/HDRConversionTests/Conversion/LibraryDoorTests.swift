// SPDX-License-Identifier: Apache-2.0
import Foundation
import GainMap
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import TestSupport
import Testing

/// Promises to programs that use the libraries.
@Suite("The libraries as programs use them") struct LibraryDoorTests {
  private static let (width, height) = (64, 48)

  /// A ramp to four times reference white.
  private static func ramp() throws -> SourceImage {
    let samples = (0..<height).flatMap { _ in
      (0..<width).flatMap { x in [Float](repeating: Float(x) / Float(width - 1) * 4, count: 3) }
    }
    return SourceImage(
      try Image(
        pixels: samples.span, layout: PixelLayout(.rgbFloat, width: width, height: height),
        color: ColorEncoding(primaries: .bt2020, transfer: .linear)))
  }

  #if JPEG
  private static func ultraHDR() throws -> ImageFile {
    let request = ConversionRequest(format: .jpeg, content: .gainMap)
    return try ImageFile(parsing: ByteSource(ramp().converted(request).bytes))
  }
  #endif

  // MARK: Renditions

  private static let packings: [PixelLayout.Packing] = [
    .rgb8, .rgb16, .rgbHalf, .rgbFloat, .rgba8, .rgba16, .rgbaHalf, .rgbaFloat, .rgb10a2, .bgr10a2,
  ]

  /// Renditions can be read in every packing; half floats are the rounded single ones.
  @Test(arguments: packings) func renditionsInEveryLayout(packing: PixelLayout.Packing) throws {
    let source = try Self.ramp()
    let renditions = [
      try source.rendition(for: .high, display: Headroom(ratio: 3)),
      try source.expandedToHDR(), try source.toneMappedToSDR(),
    ]
    let layout = PixelLayout(packing, width: Self.width, height: Self.height)
    for (rendition, brightest) in zip(renditions, [3, 4, 1] as [Float]) {
      #expect(!rendition.layout.hasAlpha && !rendition.layout.isAlphaPremultiplied)
      let bytes = try rendition.pixels(as: layout)
      #expect(bytes.count == (try layout.byteCount()))
      let last = 3 * (Self.width - 1)
      switch packing {
      case .rgbFloat:
        let value = Float(bitPattern: UInt32(Self.word(of: 4, at: last, in: bytes)))
        #expect(abs(value - brightest) < 0.01)
      case .rgbHalf:
        let bits = UInt16(Self.word(of: 2, at: last, in: bytes))
        #expect(abs(Float(Float16(bitPattern: bits)) - brightest) < 0.02)
      case .rgb8: #expect(bytes[last] == 255)
      default: break
      }
    }
  }

  /// A little-endian integer of some bytes.
  private static func word(of size: Int, at index: Int, in bytes: [UInt8]) -> UInt64 {
    (0..<size).reduce(0) { $0 | UInt64(bytes[size * index + $1]) << (8 * $1) }
  }

  /// Other sizes are refused.
  @Test func otherSizesAreRefused() throws {
    let rendition = try Self.ramp().toneMappedToSDR()
    #expect(throws: ImageError.self) {
      try rendition.pixels(as: PixelLayout(.rgb8, width: Self.width + 1, height: Self.height))
    }
  }

  // MARK: Progress

  /// Progress never decreases, ends with 1, and is followed by the file.
  @Test func updatesOfAConversion() async throws {
    let file = try ImageFile(
      parsing: ByteSource(Self.ramp().converted(ConversionRequest(format: .png)).bytes))
    let request = ConversionRequest(format: .png, longSide: 32)
    var shares: [Double] = []
    var made: [UInt8] = []
    for try await update in file.conversion(request) {
      switch update {
      case .progress(let progress): shares.append(progress.share)
      case .finished(let bytes, _): made = bytes
      }
    }
    let expected = try await file.converted(request).bytes
    #expect(made == expected)
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(shares.allSatisfy { (0...1).contains($0) })
  }

  /// Leaving the loop cancels the work.
  @Test func leavingTheLoop() async throws {
    let file = try ImageFile(
      parsing: ByteSource(Self.ramp().converted(ConversionRequest(format: .png)).bytes))
    let execution = Execution()
    for try await _ in file.conversion(ConversionRequest(longSide: 32), execution: execution) {
      break
    }
    for _ in 0..<500 where !execution.isCancelled { try await Task.sleep(for: .milliseconds(10)) }
    #expect(execution.isCancelled)
  }

  /// The closure of an execution gets every share, at last 1; `false` ends the work.
  @Test func progressOfAnExecution() throws {
    let file = try ImageFile(
      parsing: ByteSource(Self.ramp().converted(ConversionRequest(format: .png)).bytes))
    let request = ConversionRequest(format: .png, longSide: 32)
    let shares = Received()
    _ = try Execution { share in
      shares.append(share)
      return true
    }.perform { try file.converted(request) }
    #expect(shares.all.last == 1)
    #expect(zip(shares.all, shares.all.dropFirst()).allSatisfy { $0 <= $1 })
    let refusing = Execution { _ in false }
    let error = #expect(throws: ImageError.self) {
      try refusing.perform { try file.converted(request) }
    }
    #expect(error?.category == .cancelled)
  }

  /// Renditions report as well.
  @Test func progressOfARendition() throws {
    let shares = Received()
    let execution = Execution { share in
      shares.append(share)
      return true
    }
    _ = try execution.perform { try Self.ramp().toneMappedToSDR() }
    #expect(shares.all.last == 1)
  }

  private final class Received: @unchecked Sendable {
    private let lock = NSLock()
    private var shares: [Double] = []

    func append(_ share: Double) { lock.withLock { shares.append(share) } }

    var all: [Double] { lock.withLock { shares } }
  }

  // MARK: Budgets

  #if JPEG
  /// A service that converts many files with one budget runs on.
  @Test func aBudgetForManyFiles() throws {
    let bytes = try Self.ultraHDR().source.allBytes()
    let execution = Execution(budget: Execution.Budget(memory: 8 << 20))
    try execution.perform {
      for _ in 0..<2000 {
        let file = try ImageFile(parsing: ByteSource(bytes))
        _ = try file.contents()
        _ = try file.gainMaps()
      }
      for _ in 0..<20 {
        let file = try ImageFile(parsing: ByteSource(bytes))
        _ = try file.converted(ConversionRequest(longSide: 16))
      }
      let file = try ImageFile(parsing: ByteSource(bytes))
      for _ in 0..<200 {
        var edit = MetadataEdit()
        edit.orientation = .set(.rotated180)
        _ = try file.edited(by: edit)
      }
    }
    #expect(execution.budget.usedMemory < 1 << 20)
    #expect(execution.budget.peakMemory > 0)
  }

  /// A file that is kept stays debited.
  @Test func openFilesAreDebited() throws {
    let bytes = try Self.ultraHDR().source.allBytes()
    let execution = Execution(budget: Execution.Budget(memory: 64 << 20))
    try execution.perform {
      var files = [try ImageFile(parsing: ByteSource(bytes))]
      let one = execution.budget.usedMemory
      files.append(try ImageFile(parsing: ByteSource(bytes)))
      #expect(one > 0 && execution.budget.usedMemory == 2 * one)
      files = []
      #expect(execution.budget.usedMemory == 0)
    }
  }

  // MARK: Gain maps

  /// The gamma changes in the metadata alone; coded images stay byte for byte.
  @Test func changesGamma() throws {
    let file = try Self.ultraHDR()
    let before = try #require(try file.gainMaps().requireApplicable().metadata)
    var metadata = before
    try metadata.change { $0.channels.change { $0.gamma = UnsignedRational(2) } }
    let changed = try file.describingGainMap(as: metadata)
    let found = try changed.file.gainMaps().requireApplicable()
    #expect(found.metadata?.channels.all.allSatisfy { $0.gamma.value == 2 } == true)
    #expect(changed.reencodedPayloads.isEmpty && changed.after == changed.before)
    let maps = try [file, changed.file].map { try SourceImage.open($0).decodeGainMap() }
    let levels = try maps.map { try $0?.image.lightLevels().average }
    #expect(levels[0] == levels[1])
    #expect(throws: ImageError.self) {
      try metadata.change { $0.channels.change { $0.gamma = UnsignedRational(0) } }
    }
    #expect(metadata.channels[0].gamma.value == 2)
  }

  /// A gain map of own samples for an own baseline image.
  @Test func ownGainMap() throws {
    let gray = try Image(
      pixels: [UInt8](repeating: 128, count: 3 * Self.width * Self.height).span,
      layout: PixelLayout(.rgb8, width: Self.width, height: Self.height),
      color: ColorEncoding(primaries: .displayP3, transfer: .srgb))
    let base = try ImageFile(
      parsing: ByteSource(SourceImage(gray).converted(ConversionRequest(format: .jpeg)).bytes))
    let samples = ImagePlanes(
      layout: ImageLayout(width: 16, height: 12, components: .gray, samples: .integer(bits: 8)),
      planes: .integer([Plane<UInt16>(width: 16, height: 12, filledWith: 255)]))
    let zero = SignedRational(0)
    let metadata = try GainMapMetadata(
      channels: .one(
        GainMapMetadata.Channel(
          minimum: zero, maximum: SignedRational(2), gamma: UnsignedRational(1), baseOffset: zero,
          alternateOffset: zero)),
      baseHeadroom: UnsignedRational(0), alternateHeadroom: UnsignedRational(2),
      usesBaseColorSpace: true)
    let map = try GainMapImage(
      Image(ImageDescription(layout: samples.layout, color: .data), samples), metadata: metadata)
    let made = try base.replacingGainMap(with: map)
    #expect(made.worstError < 0.05)
    let level = try SourceImage.open(made.file).expandedToHDR().lightLevels().maximum / 203
    let standard = try SourceImage.open(base).expandedToHDR().lightLevels().maximum / 203
    #expect(isClose(level, 4 * standard, relative: 0.02))
    #expect(throws: ImageError.self) { try base.replacingGainMap(with: map, quality: 1000) }
  }
  #endif

  // MARK: Hostile arguments

  @Test func threads() {
    #expect(Execution(threads: .max).threads == 256 && Execution(threads: .min).threads == 1)
    var execution = Execution()
    execution.threads = -7
    #expect(execution.threads == 1)
  }

  @Test func indices() throws {
    #expect(try ByteSource([1, 2, 3]).prefix(-1).isEmpty)
    #expect(try ByteSource([1, 2, 3]).prefix(.max) == [1, 2, 3])
    let channel = GainMapMetadata.Channel(
      minimum: SignedRational(0), maximum: SignedRational(1), gamma: UnsignedRational(1),
      baseOffset: SignedRational(0), alternateOffset: SignedRational(0))
    #expect(GainMapMetadata.Channels.one(channel)[-1] == channel)
    #expect(GainMapMetadata.Channels.one(channel)[.max] == channel)
  }

  /// The code of the error of an operation.
  private static func code<Value>(_ body: () throws -> Value) -> String? {
    do { _ = try body() } catch { return (error as? ImageError)?.code.id }
    return nil
  }

  @Test(arguments: [Double.nan, .infinity, -1, 1e300]) func luminances(value: Double) throws {
    let file = try ImageFile(
      parsing: ByteSource(Self.ramp().converted(ConversionRequest(format: .png)).bytes))
    var white = MetadataEdit()
    white.diffuseWhite = .set(value)
    #expect(throws: ImageError.self) { try file.edited(by: white) }
    white.diffuseWhite = .set(20_000)
    #expect(throws: ImageError.self) { try file.edited(by: white) }
    var level = MetadataEdit()
    level.contentLightLevel = .set(.init(maximum: value, maximumAverage: 100))
    #expect(throws: ImageError.self) { try file.edited(by: level) }
    var light = MetadataEdit()
    light.masteringDisplay = .set(
      .init(primaries: .bt2020, maximumLuminance: value, minimumLuminance: 0.005))
    #expect(Self.code { try file.edited(by: light) } == "edit/light-invalid")
    var primaries = ColorPrimaries.bt2020
    primaries.red.x = value
    let display = LightMetadata.MasteringDisplay(
      primaries: primaries, maximumLuminance: 1000, minimumLuminance: 0.005)
    light.masteringDisplay = .set(display)
    #expect(Self.code { try file.edited(by: light) } == "edit/light-invalid")
    var request = ConversionRequest(format: .png)
    request.metadata.masteringDisplay = .value(display)
    #expect(Self.code { try request.check() } == "request/out-of-range")
    light.masteringDisplay = .set(
      .init(primaries: .bt2020, maximumLuminance: 1000, minimumLuminance: 0.005))
    let written = try file.edited(by: light).after.light.masteringDisplay
    #expect(written?.maximumLuminance == 1000)
    #expect(throws: ImageError.self) {
      try Self.ramp().rendition(
        for: .high, display: Headroom(stops: value == 1e300 ? -.infinity : value))
    }
  }

  @Test func pathsWithNUL() {
    let error = #expect(throws: ImageError.self) { try ByteSource(path: "/etc/passwd\0.jpg") }
    #expect(error?.category == .missingInput)
  }

  // MARK: Errors

  @Test func errorsAndNoticesAreSentences() throws {
    let error = #expect(throws: ImageError.self) { try ImageFile(path: "/nowhere/a.heic") }
    let shown: any Error = try #require(error)
    #expect(shown.localizedDescription.contains("/nowhere/a.heic"))
    let levels = try Self.ramp().image.lightLevels()
    #expect("\(levels)".count < 100 && "\(levels)".contains("MaxCLL 812"))
    let notice = Notice(NoticeCode("test", .assumed, "a {thing}"), ["thing": "map"])
    #expect("\(notice)" == "a map")
  }

  /// Closures of callers may throw their own errors.
  @Test func ownErrors() {
    struct Own: Error {}
    #expect(throws: Own.self) { try Execution().run { throw Own() } }
  }

  // MARK: Reads

  /// A provider that counts its reads.
  private final class Counted: ByteProvider, @unchecked Sendable {
    private let lock = NSLock()
    private let bytes: [UInt8]
    private var reads = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    var readCount: Int { lock.withLock { reads } }

    func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8] {
      lock.withLock { reads += 1 }
      return Array(bytes[range])
    }
  }

  #if HEIF
  /// So are photos of phones, to parse and to decode them.
  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: [
      "heic-apple/iphone15pro-17-1-portrait.heic", "heic-apple/iphone13pro-17-5-edited.heic",
      "heic-apple-tmap/iphone15pro-18-7-portrait.heic",
    ])
  func fewReadsOfPhotos(path: String) throws {
    let provider = Counted(try Corpus.bytes(path))
    let file = try ImageFile(parsing: ByteSource(provider))
    _ = try file.contents()
    #expect(
      provider.readCount <= 3, "\(provider.readCount) reads of \(provider.count) bytes to parse")
    _ = try SourceImage.open(file).expandedToHDR()
    #expect(provider.readCount <= 6, "\(provider.readCount) reads of \(provider.count) bytes")
  }
  #endif

  #if JPEG
  /// A file on a network is read in few pieces.
  @Test func fewReads() throws {
    let provider = Counted(try Self.ultraHDR().source.allBytes())
    let file = try ImageFile(parsing: ByteSource(provider))
    _ = try file.contents()
    _ = try file.converted(ConversionRequest(longSide: 16))
    #expect(provider.readCount <= 6)
  }
  #endif
}
