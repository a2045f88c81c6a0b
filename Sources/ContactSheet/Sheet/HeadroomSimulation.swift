internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// How pictures with headroom look on a display without: all of them dimmed alike, as a camera would
/// expose for the brightest, so that their brightness can be compared.
struct HeadroomSimulation: Sendable {
  /// What white becomes.
  let dimming: Float
  private let shoulder: ToneMap

  /// More would leave nothing to see of what is not bright.
  private static let mostStops = 2.0

  /// Plans a simulation.
  ///
  /// - Parameter brightest: The largest headroom to be shown.
  /// - Throws: `.invalidArgument` for headrooms that make no sense.
  init(brightest: Headroom) throws(ImageError) {
    let stops = min(max(brightest.stops, 0), Self.mostStops)
    dimming = Float(Headroom(stops: -stops).ratio)
    shoulder = try ToneMapOperator.shoulder.toneMap(
      content: Headroom(stops: max(brightest.stops - stops, 0)), display: .standard)
  }

  /// A picture for a display without headroom.
  func shown(_ picture: Canvas) -> Canvas {
    picture.mapped { light in
      LinearColor(shoulder.toneMapped(SIMD3<Double>(light * dimming)))
    }
  }

  /// Whether some renditions are brighter than dimming leaves room for.
  var compressesHighlights: Bool { !shoulder.isIdentity }

  /// Stops by which white is dimmed.
  var stops: Double { -Headroom(ratio: Double(dimming)).stops }
}
