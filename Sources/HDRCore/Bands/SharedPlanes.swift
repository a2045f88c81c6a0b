/// Planes that bands fill at the same time, each its own rows.
@safe struct SharedPlanes<Sample: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let planes: [(start: UnsafeMutablePointer<Sample>, width: Int, height: Int)]

  /// Hands the samples of `planes` to `body`, which must not let the result escape.
  static func withShared<Result>(
    _ planes: inout [Plane<Sample>], _ body: (SharedPlanes) -> Result
  ) -> Result {
    func collect(
      _ index: Int, _ found: [(start: UnsafeMutablePointer<Sample>, width: Int, height: Int)]
    ) -> Result {
      guard index < planes.count else { return unsafe body(SharedPlanes(planes: found)) }
      // Taken out of the array while its pointer is in use, so that nothing else can touch it.
      var plane = planes[index]
      planes[index] = Plane(width: 1, height: 1, filledWith: plane.samples[0])
      defer { planes[index] = plane }
      let (width, height) = (plane.width, plane.height)
      return unsafe plane.samples.withUnsafeMutableBufferPointer { samples in
        guard let start = samples.baseAddress else { preconditionFailure("an empty plane") }
        return unsafe collect(index + 1, found + [(start, width, height)])
      }
    }
    return unsafe collect(0, [])
  }

  private init(planes: [(start: UnsafeMutablePointer<Sample>, width: Int, height: Int)]) {
    unsafe self.planes = planes
  }

  /// Lets `body` write row `y` of a plane.
  ///
  /// No two bands may ask for the same row.
  func withRow(_ y: Int, of plane: Int, _ body: (inout MutableSpan<Sample>) -> Void) {
    let (start, width, height) = unsafe planes[plane]
    precondition(0 <= y && y < height)
    // SAFETY: the row lies within the plane; bands own disjoint rows, so nobody else has it.
    let row = unsafe UnsafeMutableBufferPointer(start: start + y * width, count: width)
    var span = unsafe row.mutableSpan
    body(&span)
  }
}

/// The planes of a picture that is being made.
enum Destination: Sendable {
  case integer(SharedPlanes<UInt16>)
  case float(SharedPlanes<Float>)
}
