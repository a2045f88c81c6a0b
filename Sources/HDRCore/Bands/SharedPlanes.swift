// SPDX-License-Identifier: Apache-2.0
/// Planes that bands fill concurrently, each band its own rows.
@safe package struct SharedPlanes<Sample: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let planes: [(start: UnsafeMutablePointer<Sample>, width: Int, height: Int)]

  /// Makes the planes of an image, or of several images of equal layout.
  ///
  /// - Parameters:
  ///   - format: Specifies their sizes.
  ///   - imageCount: Number of images, whose planes follow each other.
  ///   - body: Writes every row of every plane, or throws; must not let its argument escape.
  /// - Returns: The planes.
  /// - Throws: Errors of `body`.
  package static func makePlanes<Failure: Error>(
    _ format: ImageLayout, imageCount: Int = 1, _ body: (SharedPlanes) throws(Failure) -> Void
  ) throws(Failure) -> [Plane<Sample>] {
    // Memory is first touched by the thread that fills it, instead of being cleared by one thread.
    let memories = (0..<imageCount * format.planeCount).map { index in
      let (width, height) = format.planeSize(index % format.planeCount)
      return (width: width, height: height, memory: SampleMemory<Sample>(count: width * height))
    }
    // SAFETY: `memories` owns the memory until `body` returns.
    try unsafe body(
      SharedPlanes(planes: memories.map { unsafe ($0.memory.start, $0.width, $0.height) }))
    // `body` has written all rows; otherwise it would have thrown.
    return memories.map { Plane(width: $0.width, height: $0.height, memory: $0.memory) }
  }

  /// Lets bands change planes in place.
  ///
  /// - Parameters:
  ///   - planes: The planes; copied only if shared.
  ///   - body: Changes rows, or throws; must not let its argument escape.
  /// - Throws: Errors of `body`.
  package static func change<Failure: Error>(
    _ planes: inout [Plane<Sample>], _ body: (SharedPlanes) throws(Failure) -> Void
  ) throws(Failure) {
    // SAFETY: `planes` uniquely owns the memory until `body` returns.
    var own: [(start: UnsafeMutablePointer<Sample>, width: Int, height: Int)] = unsafe []
    for index in planes.indices {
      unsafe own.append((planes[index].ownedStart(), planes[index].width, planes[index].height))
    }
    try unsafe body(SharedPlanes(planes: own))
  }

  /// Copies stored rows to their positions in the upright image.
  ///
  /// Concurrent bands must not contain the same row, so that each writes distinct samples.
  ///
  /// - Parameters:
  ///   - band: Rows of the stored image, one plane for each of these planes.
  ///   - places: Indices of the samples in the upright rows.
  func place(_ band: [Plane<Sample>], _ places: OrientedIndices) {
    for (plane, source) in band.enumerated() {
      let (start, width, height) = unsafe planes[plane]
      // SAFETY: `places` yields only indices within the band and within the upright rows of these
      // planes, each of them for one stored sample.
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
    // SAFETY: `makePlanes` and `change` keep the memory alive for as long as `body` has this value.
    unsafe self.planes = planes
  }

  /// Calls `body` to write row `y` of a plane.
  ///
  /// Concurrent bands must not write the same row.
  package func withRow(_ y: Int, of plane: Int, _ body: (inout MutableSpan<Sample>) -> Void) {
    let width = unsafe planes[plane].width
    withRow(y, columns: 0..<width, of: plane, body)
  }

  /// Calls `body` to write some samples of row `y` of a plane.
  ///
  /// Concurrent tiles must not write the same samples.
  package func withRow(
    _ y: Int, columns: Range<Int>, of plane: Int, _ body: (inout MutableSpan<Sample>) -> Void
  ) {
    let (start, width, height) = unsafe planes[plane]
    precondition(0 <= y && y < height)
    precondition(0 <= columns.lowerBound && columns.upperBound <= width)
    // SAFETY: the samples are inside the plane; bands and tiles own disjoint samples, so access is
    // exclusive.
    let row = unsafe UnsafeMutableBufferPointer(
      start: start + y * width + columns.lowerBound, count: columns.count)
    var span = unsafe row.mutableSpan
    body(&span)
  }
}

/// Samples of at most 8 bits in a byte each, which takes half the memory of planes.
package struct ByteSamples: Sendable {
  package let layout: ImageLayout
  private let planes: [Plane<UInt8>]

  /// Stores an image that is made piece by piece.
  ///
  /// - Parameters:
  ///   - layout: Layout of the image.
  ///   - body: Passes consecutive rows, all of the image, to its argument, or throws.
  /// - Throws: Errors of `body`.
  /// - Precondition: Samples are integers of at most 8 bits, chroma is not subsampled.
  package init(
    _ layout: ImageLayout,
    _ body: (_ append: (ImagePlanes) throws(ImageError) -> Void) throws(ImageError) -> Void
  ) throws(ImageError) {
    precondition(Self.canStore(layout))
    self.layout = layout
    planes = try SharedPlanes<UInt8>.makePlanes(layout) { (shared) throws(ImageError) in
      var next = 0
      try body { (piece) throws(ImageError) in
        guard case .integer(let planes) = piece.planes else { return }
        for (index, plane) in planes.enumerated() {
          for y in 0..<plane.height {
            shared.withRow(next + y, of: index) { $0.write(plane, row: y) }
          }
        }
        next += piece.layout.height
      }
      precondition(next == layout.height, "rows are missing")
    }
  }

  /// Whether images of a layout can be stored.
  package static func canStore(_ layout: ImageLayout) -> Bool {
    guard case .integer(let bits) = layout.samples else { return false }
    return bits <= 8 && layout.chroma.horizontal == 1
  }

  /// Makes an image of these samples, whose planes are made when they are read.
  ///
  /// - Precondition: The layouts are equal.
  package func image(_ description: ImageDescription) -> Image {
    precondition(description.layout == layout, "samples of another layout")
    return Image(description) { () in Reader(self) }
  }

  private final class Reader: RowReader {
    private let samples: ByteSamples
    var layout: ImageLayout { samples.layout }

    init(_ samples: ByteSamples) { self.samples = samples }

    func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
      guard !rows.isEmpty, 0 <= rows.lowerBound, rows.upperBound <= layout.height else {
        throw ImageError(
          .rowsOutside, ["first": rows.lowerBound, "end": rows.upperBound, "height": layout.height])
      }
      let strip = layout.strip(height: rows.count)
      let planes = SharedPlanes<UInt16>.makePlanes(strip) { shared in
        for (index, plane) in samples.planes.enumerated() {
          for y in rows {
            shared.withRow(y - rows.lowerBound, of: index) { $0.read(plane, row: y) }
          }
        }
      }
      return ImagePlanes(layout: strip, planes: .integer(planes))
    }
  }
}

/// Rows of an image under construction, all or some of them.
struct Destination: Sendable {
  enum Planes: Sendable {
    case integer(SharedPlanes<UInt16>)
    case float(SharedPlanes<Float>)
    case half(SharedPlanes<UInt16>)
  }

  let planes: Planes
  /// The rows of the image that `planes` hold.
  let rows: Range<Int>

  /// Makes an image from some rows of an image.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - format: The layout of the image.
  ///   - body: Writes all samples, or throws; must not let its argument escape.
  /// - Returns: The planes of these rows.
  /// - Throws: Errors of `body`.
  static func make<Failure: Error>(
    _ rows: Range<Int>, of format: ImageLayout, _ body: (Destination) throws(Failure) -> Void
  ) throws(Failure) -> ImagePlanes.Planes {
    let format = format.strip(height: rows.count)
    switch format.samples {
    case .integer:
      return .integer(
        try SharedPlanes.makePlanes(format) { (shared) throws(Failure) in
          try body(Destination(planes: .integer(shared), rows: rows))
        })
    case .float:
      return .float(
        try SharedPlanes.makePlanes(format) { (shared) throws(Failure) in
          try body(Destination(planes: .float(shared), rows: rows))
        })
    case .half:
      return .half(
        try SharedPlanes.makePlanes(format) { (shared) throws(Failure) in
          try body(Destination(planes: .half(shared), rows: rows))
        })
    }
  }

  /// Copies row `y` of an image with integer samples of the same layout.
  func copy(_ y: Int, of strip: borrowing LinearRowDecoder.Strip) {
    guard case .integer(let targets) = planes, case .integer(let sources) = strip.image.planes
    else { preconditionFailure("samples that are not integers") }
    for (index, source) in sources.enumerated() {
      targets.withRow(y - rows.lowerBound, of: index) { $0.copy(source, row: y - strip.first) }
    }
  }

  /// Makes a band of a stored image, and places it in the upright image.
  ///
  /// - Parameters:
  ///   - band: Rows of the stored image.
  ///   - format: The layout of the stored image, with full chroma.
  ///   - orientation: Orientation of the stored image.
  ///   - body: Writes all samples of the band.
  func fillRotated(
    _ band: Range<Int>, of format: ImageLayout, from orientation: Orientation,
    _ body: (Destination) -> Void
  ) {
    let places = OrientedIndices(
      of: band, width: format.width, height: format.height, orientation: orientation, in: rows)
    switch (planes, Self.make(band, of: format, body)) {
    case (.integer(let target), .integer(let planes)): target.place(planes, places)
    case (.half(let target), .half(let planes)): target.place(planes, places)
    case (.float(let target), .float(let planes)): target.place(planes, places)
    default: preconditionFailure("a band of another type than its image")
    }
  }
}
