/// Planes that bands fill at the same time, each its own rows.
@safe package struct SharedPlanes<Sample: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let planes: [(start: UnsafeMutablePointer<Sample>, width: Int, height: Int)]

  /// Makes the planes of a picture.
  ///
  /// - Parameters:
  ///   - format: Says their sizes.
  ///   - body: Writes every row of every plane, or throws; must not let its argument escape.
  /// - Returns: The planes.
  /// - Throws: What `body` throws.
  package static func makePlanes<Failure: Error>(
    _ format: StoredFormat, _ body: (SharedPlanes) throws(Failure) -> Void
  ) throws(Failure) -> [Plane<Sample>] {
    func make(
      _ index: Int, _ found: [(start: UnsafeMutablePointer<Sample>, width: Int, height: Int)]
    ) throws(Failure) -> [Plane<Sample>] {
      guard index < format.planeCount else {
        // SAFETY: all planes stay in place until the calls around this one return.
        try unsafe body(SharedPlanes(planes: found))
        return []
      }
      let (width, height) = format.planeSize(index)
      var others: [Plane<Sample>] = []
      // Memory is first touched by the thread that fills it, not cleared beforehand by one.
      let plane = try Plane(width: width, height: height) {
        (output: inout OutputSpan<Sample>) throws(Failure) in
        try unsafe output.withUnsafeMutableBufferPointer {
          (samples, initializedCount) throws(Failure) in
          guard let start = samples.baseAddress else { preconditionFailure("an empty plane") }
          unsafe samples.preferLargePages()
          others = try unsafe make(index + 1, found + [(start, width, height)])
          // SAFETY: `body` has written all rows, else it would have thrown.
          initializedCount = samples.count
        }
      }
      return [plane] + others
    }
    return try unsafe make(0, [])
  }

  /// Lets bands change planes in place.
  ///
  /// - Parameters:
  ///   - planes: The planes; what nobody else has is not copied.
  ///   - body: Changes rows, or throws; must not let its argument escape.
  /// - Throws: What `body` throws.
  package static func change<Failure: Error>(
    _ planes: inout [Plane<Sample>], _ body: (SharedPlanes) throws(Failure) -> Void
  ) throws(Failure) {
    func lend(
      _ found: [(start: UnsafeMutablePointer<Sample>, width: Int, height: Int)]
    ) throws(Failure) {
      // SAFETY: all planes stay in place until the calls around this one return.
      guard var plane = planes.popLast() else {
        return try unsafe body(SharedPlanes(planes: found.reversed()))
      }
      // The innermost call has the first plane, and puts it back first.
      defer { planes.append(plane) }
      let (width, height) = (plane.width, plane.height)
      var samples = plane.mutableSpan()
      try unsafe samples.withUnsafeMutableBufferPointer { (samples) throws(Failure) in
        guard let start = samples.baseAddress else { return }
        try unsafe lend(found + [(start, width, height)])
      }
    }
    try unsafe lend([])
  }

  /// Puts stored rows, in planes of their own, to where the upright picture has them.
  ///
  /// No two bands may come with the same row; each then writes samples that no other does.
  ///
  /// - Parameters:
  ///   - band: A plane of the stored picture's rows for each of these.
  ///   - places: Where its samples belong.
  func place(_ band: [Plane<Sample>], _ places: TurnedPlaces) {
    for (plane, source) in band.enumerated() {
      let (start, width, height) = unsafe planes[plane]
      // SAFETY: `places` yields only indices within the upright rows that these planes hold, each
      // for one stored sample, and within the band.
      unsafe source.span.withUnsafeBufferPointer { samples in
        precondition(width * height == places.targetCount)
        precondition(samples.count == places.bandCount)
        for run in places.runs {
          var (from, to) = (run.source, run.target)
          for _ in 0..<places.runLength {
            unsafe start[to] = samples[from]
            from += places.sourceStep
            to += places.targetStep
          }
        }
      }
    }
  }

  private init(planes: [(start: UnsafeMutablePointer<Sample>, width: Int, height: Int)]) {
    // SAFETY: `makePlanes` keeps the memory in place for as long as `body` has this value.
    unsafe self.planes = planes
  }

  /// Lets `body` write row `y` of a plane.
  ///
  /// No two bands may ask for the same row.
  package func withRow(_ y: Int, of plane: Int, _ body: (inout MutableSpan<Sample>) -> Void) {
    let width = unsafe planes[plane].width
    withRow(y, columns: 0..<width, of: plane, body)
  }

  /// Lets `body` write some samples of row `y` of a plane.
  ///
  /// No two tiles may ask for the same samples.
  package func withRow(
    _ y: Int, columns: Range<Int>, of plane: Int, _ body: (inout MutableSpan<Sample>) -> Void
  ) {
    let (start, width, height) = unsafe planes[plane]
    precondition(0 <= y && y < height)
    precondition(0 <= columns.lowerBound && columns.upperBound <= width)
    // SAFETY: the samples lie within the plane; bands and tiles own disjoint ones, so nobody else
    // has these.
    let row = unsafe UnsafeMutableBufferPointer(
      start: start + y * width + columns.lowerBound, count: columns.count)
    var span = unsafe row.mutableSpan
    body(&span)
  }
}
