// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Simulates renditions with headroom on a display without: all are dimmed equally, so that their
/// brightness can be compared.
struct HeadroomSimulation: Sendable {
  /// Linear value of reference white.
  let dimming: Float
  private let shoulder: ToneMap

  /// Limit of dimming in stops, to keep mid-tones visible.
  private static let mostStops = 2.0

  /// A simulation.
  ///
  /// - Parameter brightest: The largest headroom to be shown.
  /// - Throws: `.invalidArgument` for invalid headrooms.
  init(brightest: Headroom) throws(ImageError) {
    let stops = min(max(brightest.stops, 0), Self.mostStops)
    dimming = Float(Headroom(stops: -stops).ratio)
    shoulder = try ToneMapOperator.shoulder.toneMap(
      content: Headroom(stops: max(brightest.stops - stops, 0)), display: .standard)
  }

  /// The image for a display without headroom.
  func shown(_ image: Canvas) -> Canvas {
    image.mapped { color in
      LinearColor(shoulder.toneMapped(SIMD3<Double>(color * dimming)))
    }
  }

  /// Whether highlights exceed the dimmed range.
  var compressesHighlights: Bool { !shoulder.isIdentity }

  /// The brightness that is meant, in a sentence.
  var explanation: String {
    guard dimming < 1 else { return "White is as bright as this screen." }
    let share = Int(clamping: Double(100 * dimming).rounded())
    return
      "White is shown at \(share) % of the brightness of this screen, to leave room for brighter highlights; "
      + "to see it as bright as it is meant, turn up the screen, or choose True HDR."
  }

  /// Stops by which white is dimmed.
  var stops: Double { -Headroom(ratio: Double(dimming)).stops }
}
