// SPDX-License-Identifier: Apache-2.0
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import Synchronization
import TestSupport
import Testing

@Suite("Progress of conversions", .serialized) struct ProgressTests {
  #if AVIF && EXR && HEIF && JPEG && JPEGXL && PNG
  /// A conversion of an image that is made here, or of a raw file of the corpus.
  enum Job: String, CaseIterable {
    case heicToUltraHDR
    case resizedUltraHDR
    case rawToUltraHDR
    case pqToUltraHDR
    case exrToAVIF
    case jpegXLToPNG
    case ultraHDRToAVIF

    /// Largest step between two shares.
    ///
    /// libaom encodes an image in one call, whose progress is estimated: a fast machine ends it early.
    var largestStep: Double { request.coding.format == .avif ? 0.8 : 0.35 }

    var request: ConversionRequest {
      var request = ConversionRequest(format: .jpeg)
      switch self {
      case .heicToUltraHDR: break
      case .resizedUltraHDR: request.geometry.longSide = 1000
      case .rawToUltraHDR, .pqToUltraHDR: request.content = .gainMap
      case .exrToAVIF, .ultraHDRToAVIF: request.coding.format = .avif
      case .jpegXLToPNG: request.coding.format = .png
      }
      // So that the raw image is brighter than reference white.
      if self == .rawToUltraHDR { request.rendition.exposure = 2 }
      return request
    }

    func plan() throws -> ConversionPlan {
      let file =
        switch self {
        case .heicToUltraHDR: try ProgressTests.file(.heif, .gainMap)
        case .resizedUltraHDR, .ultraHDRToAVIF: try ProgressTests.file(.jpeg, .gainMap)
        case .rawToUltraHDR:
          try ImageFile(parsing: try Corpus.source("dng/bmpcc-bayer12-ljpeg.dng"))
        case .pqToUltraHDR: try ProgressTests.file(.avif, .hdr)
        case .exrToAVIF: try ProgressTests.file(.exr, .hdr)
        case .jpegXLToPNG: try ProgressTests.file(.jxl, .hdr)
        }
      return try file.plan(for: request)
    }
  }

  private static let jobs = Job.allCases.filter { $0 != .rawToUltraHDR || Corpus.isPresent }

  /// A file of a ramp to four times reference white, with texture.
  private static func file(
    _ format: FileFormat, _ content: ConversionRequest.Content
  ) throws -> ImageFile {
    let (width, height) = (1600, 1200)
    var samples: [Float] = []
    samples.reserveCapacity(3 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let light = Float(x) / Float(width - 1) * 4
        let texture = Float((x &* 7919 ^ y &* 104_729) & 63) / 640
        samples += [light + texture, light, light * Float(y) / Float(height)]
      }
    }
    let source = SourceImage(
      try Image(
        pixels: samples.span, layout: PixelLayout(.rgbFloat, width: width, height: height),
        color: ColorEncoding(primaries: .bt2020, transfer: .linear)))
    var request = ConversionRequest(format: format, content: content)
    request.coding.speed = 10
    return try ImageFile(parsing: ByteSource(source.converted(request).bytes))
  }

  /// Shares begin with 0, never fall, end once with 1, and follow the rows of every kind of job.
  @Test(arguments: jobs) func shares(of job: Job) throws {
    let plan = try job.plan()
    let received = Mutex<[Double]>([])
    let execution = Execution { share in
      received.withLock { $0.append(share) }
      return true
    }
    _ = try execution.perform { try plan.bytes() }
    let shares = received.withLock { $0 }
    let steps = zip(shares, shares.dropFirst()).map { $1 - $0 }
    #expect(shares.first == 0 && shares.firstIndex(of: 1) == shares.count - 1)
    #expect(steps.allSatisfy { $0 > 0 })
    #expect((steps.max() ?? 1) <= job.largestStep, "\(shares)")
    #expect(shares.count >= 8)
  }

  /// A job ends when the receiver cancels it.
  @Test(arguments: jobs, [0.05, 0.4, 0.8]) func cancellation(of job: Job, at share: Double) throws {
    let plan = try job.plan()
    let execution = Execution { $0 < share }
    let error = #expect(throws: ImageError.self) {
      try execution.perform { try plan.bytes() }
    }
    #expect(error?.category == .cancelled)
  }
  #endif

  /// Encoding takes a time of the order of the measured one.
  ///
  /// Source: `Documentation/Speed.md`, 12.6 megapixels in half of the processor time: the whole
  /// conversion of OpenEXR to PNG 0.5 s, of PNG to HEIC (4:2:0, speed 10) 1.1 s, to AVIF (speed 10)
  /// 0.6 s.
  @Test(arguments: [
    (FileFormat.png, 6, 0.03...0.1), (.tiff, 6, 0.03...0.1), (.heif, 10, 0.08...0.2),
    (.avif, 10, 0.04...0.13),
  ])
  func ratesAreAsMeasured(format: FileFormat, speed: Int, seconds: ClosedRange<Double>) {
    let layout = ImageLayout(
      width: 1000, height: 1000, components: .ycbcr(.yuv420), samples: .integer(bits: 10))
    let time = format.traits.encodingTime(of: layout, EncoderOptions(speed: speed))
    #expect(seconds.contains(time), "\(format)")
    let slowest = format.traits.encodingTime(of: layout, EncoderOptions(speed: 0))
    #expect(slowest > 5 * time, "\(format)")
  }
}
