// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite(
  "Controls over their range, on files", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct ControlRangeTests {
  /// A number that rises with the value of a control.
  enum Measure {
    case brightness, darkness, warmth, magenta
    /// Distance to the image of the first value.
    case distance
  }

  struct Control: Sendable, CustomTestStringConvertible {
    let name: String
    var file = "adobe-lossy-linear-eos6d"
    let values: [Double]
    var measure = Measure.brightness
    let set: @Sendable (inout RawDevelopment, Double) -> Void

    var testDescription: String { "\(name), \(file)" }
  }

  private static let adobe = "adobe-08-pgtm-f32"
  static let controls = [
    Control(name: "HDR", values: [0.001, 0.33, 0.67, 1, 1.33, 1.67, 2]) {
      $0.extendedDynamicRangeAmount = $1
    },
    Control(
      name: "HDR", file: "adobe-14-hdr-sdr-profiles",
      values: [0.001, 0.33, 0.67, 1, 1.33, 1.67, 2], measure: .distance
    ) { $0.extendedDynamicRangeAmount = $1 },
    Control(name: "exposure", values: [-4, -1, 0, 1, 4]) { $0.exposure = $1 },
    Control(name: "scene exposure", values: [-4, -1, 0, 1, 4]) { $0.sceneExposure = $1 },
    Control(name: "baseline exposure", values: [-2, 0, 2]) { $0.baselineExposure = $1 },
    Control(name: "shadow bias", values: [0, 0.005, 0.02, 0.1], measure: .darkness) {
      $0.shadowBias = $1
    },
    Control(name: "boost", values: [0, 0.33, 0.67, 1], measure: .distance) { $0.boostAmount = $1 },
    Control(name: "shadows", values: [0, 0.5, 1, 1.5, 2]) { $0.boostShadowAmount = $1 },
    Control(name: "local tone map", file: adobe, values: [0, 0.33, 0.67, 1], measure: .distance) {
      $0.localToneMapAmount = $1
    },
    Control(name: "temperature", values: [2500, 4000, 6500, 12_000], measure: .warmth) {
      $0.neutralTemperature = $1
    },
    Control(name: "luminance noise", values: [0, 0.33, 0.67, 1], measure: .distance) {
      $0.luminanceNoiseReductionAmount = $1
    },
    Control(name: "color noise", values: [0, 0.33, 0.67, 1], measure: .distance) {
      $0.colorNoiseReductionAmount = $1
    },
    Control(name: "moiré", values: [0, 0.33, 0.67, 1], measure: .distance) {
      $0.moireReductionAmount = $1
    },
    Control(name: "contrast", values: [0, 0.33, 0.67, 1], measure: .distance) {
      $0.contrastAmount = $1
    },
    Control(name: "detail", values: [0, 0.33, 0.67, 1], measure: .distance) {
      $0.detailAmount = $1
    },
    Control(name: "tint", values: [-100, -20, 20, 100], measure: .magenta) { $0.neutralTint = $1 },
    Control(name: "sharpness", values: [0, 0.33, 0.67, 1], measure: .distance) {
      $0.sharpnessAmount = $1
    },
    Control(name: "size", values: [0.05, 0.1, 0.2, 0.4]) { $0.scaleFactor = $1 },
  ]

  @Test("each step has an effect in the same direction", arguments: controls)
  func range(control: Control) throws {
    let images = try control.values.map { value -> [[Float]] in
      var development = RawDevelopment()
      // Brighter than the photo, which hardly has highlights, and small.
      if control.file.contains("eos6d") {
        (development.exposure, development.scaleFactor) = (2, 0.2)
      }
      control.set(&development, value)
      return try SourceImage.open(
        Corpus.source("dng/\(control.file).dng"), options: OpeningOptions(),
        developing: development
      ).light().map { plane -> [Float] in plane.flatMap(\.self) }
    }
    let found = images.map { Self.measured(control.measure, $0, first: images[0]) }
    for (last, next) in zip(found, found.dropFirst()) {
      #expect(next > last + 1e-6 * abs(last), "\(found)")
    }
  }

  private static func image(
    _ file: String, _ edit: (inout RawDevelopment) -> Void
  ) throws -> [[Float]] {
    var development = RawDevelopment()
    edit(&development)
    return try SourceImage.open(
      Corpus.source("dng/\(file).dng"), options: OpeningOptions(), developing: development
    ).light().map { plane -> [Float] in plane.flatMap(\.self) }
  }

  /// In 4605 pixels of the photo some but not all colors are saturated.
  @Test("highlights are brighter if they are kept or reconstructed")
  func highlights() throws {
    let images = try [RawDevelopment.Highlights.clip, .keep, .reconstruct].map { highlights in
      try Self.image("adobe-lossy-linear-eos6d") {
        ($0.highlights, $0.isSceneLinear) = (highlights, true)
      }
    }
    let found = images.map { Self.measured(.brightness, $0, first: images[0]) }
    #expect(found[1] > found[0] + 10 && found[2] > found[0] + 10, "\(found)")
    #expect(Self.measured(.distance, images[2], first: images[1]) > 10)
  }

  @Test("a draft of a mosaic differs from its interpolation")
  func draft() throws {
    let images = try [false, true].map { isDraft in
      try Self.image("bmpcc-bayer12-ljpeg") {
        ($0.isDraftModeEnabled, $0.scaleFactor) = (isDraft, 0.5)
      }
    }
    #expect(Self.measured(.distance, images[1], first: images[0]) > 1)
  }

  private static func measured(
    _ measure: Measure, _ image: [[Float]], first: [[Float]]
  ) -> Double {
    let sums: [Double] = image.map { plane in plane.reduce(0) { $0 + Double($1) } }
    switch measure {
    case .brightness: return sums[0] + sums[1] + sums[2]
    case .darkness: return -(sums[0] + sums[1] + sums[2])
    case .warmth: return sums[0] / sums[2]
    case .magenta: return (sums[0] + sums[2]) / sums[1]
    case .distance:
      var distance = 0.0
      for (plane, other) in zip(image, first) {
        for (a, b) in zip(plane, other) { distance += Double(abs(a - b)) }
      }
      return distance
    }
  }
}
