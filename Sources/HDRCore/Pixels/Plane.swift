// SPDX-License-Identifier: Apache-2.0
/// One component of an image, with value semantics.
///
/// Rows run top to bottom without padding. `Sample` is `UInt16` for integers and half precision,
/// `Float` for single precision. Copies and strips share memory until one of them is written.
public struct Plane<Sample: BitwiseCopyable & Sendable>: Sendable {
  /// Number of samples in a row, at least 1.
  public let width: Int
  /// Number of rows, at least 1.
  public let height: Int
  private var memory: SampleMemory<Sample>
  /// Index of the first sample in `memory`.
  private var start: Int

  /// Makes a plane of given samples.
  ///
  /// - Parameters:
  ///   - width: Samples in a row, at least 1.
  ///   - height: Number of rows, at least 1.
  ///   - samples: The samples, row by row, without padding.
  /// - Throws: `.invalidArgument` for a width or height below 1, and unless the number of samples
  ///   is `width` times `height`.
  public init(width: Int, height: Int, samples: [Sample]) throws(ImageError) {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, samples.count == count else {
      throw ImageError(
        .invalidArgument, "{count sample} for a plane of {size}",
        ["size": .size(width, height), "count": samples.count])
    }
    self.init(width: width, height: height) { output in
      for sample in samples { output.append(sample) }
    }
  }

  /// Makes a plane of equal samples; width and height are at least 1.
  package init(width: Int, height: Int, filledWith value: Sample) {
    precondition(width > 0 && height > 0, "a plane has at least one sample")
    let memory = SampleMemory<Sample>(count: width * height)
    // Copies blocks: unless specialized, `initialize(repeating:)` calls a function for each sample.
    // SAFETY: `filled` samples are initialized, and `block` more fit in the memory.
    unsafe memory.start.initialize(to: value)
    var filled = 1
    while filled < memory.count {
      let block = min(filled, memory.count - filled, 1 << 14)
      unsafe (memory.start + filled).initialize(from: memory.start, count: block)
      filled += block
    }
    self.init(width: width, height: height, memory: memory, start: 0)
  }

  /// Makes a plane whose samples `body` initializes, row by row; width and height are at least 1.
  package init<Failure: Error>(
    width: Int, height: Int,
    initializingWith body: (_ samples: inout OutputSpan<Sample>) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(width > 0 && height > 0, "a plane has at least one sample")
    let memory = SampleMemory<Sample>(count: width * height)
    // SAFETY: the memory has room for these samples, and is not shared yet.
    let buffer = unsafe UnsafeMutableBufferPointer(start: memory.start, count: memory.count)
    var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
    try body(&output)
    let count = unsafe output.finalize(for: buffer)
    precondition(count == width * height, "the initializer left samples out")
    self.init(width: width, height: height, memory: memory, start: 0)
  }

  /// Makes a plane in memory that is initialized starting at `start`.
  init(width: Int, height: Int, memory: SampleMemory<Sample>, start: Int = 0) {
    precondition(width > 0 && height > 0, "a plane has at least one sample")
    precondition(start >= 0 && start + width * height <= memory.count)
    self.width = width
    self.height = height
    self.memory = memory
    self.start = start
  }

  /// Makes a plane of the rows of several planes of equal width, in memory of its own.
  init(joining parts: [Plane]) {
    let height = parts.reduce(0) { $0 + $1.height }
    self.init(
      width: parts[0].width, height: height,
      memory: SampleMemory(count: parts[0].width * height))
    var next = 0
    for part in parts {
      precondition(part.width == width)
      // SAFETY: this memory is not shared yet, and has room for the samples of all parts.
      unsafe (memory.start + next).initialize(
        from: part.memory.start + part.start, count: part.width * part.height)
      next += part.width * part.height
    }
  }

  /// Returns memory of the rows before row `y` to the system, unless other planes share it.
  ///
  /// - Precondition: These rows are not read again.
  mutating func discardRows(before y: Int) {
    guard isKnownUniquelyReferenced(&memory) else { return }
    memory.discard(before: start + y * width)
  }

  /// Copies rows to the first rows.
  mutating func moveToStart(_ rows: Range<Int>) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= height)
    // SAFETY: `self` is the only owner of this memory, in which both ranges are; they may overlap.
    let start = unsafe ownedStart()
    unsafe start.update(from: start + rows.lowerBound * width, count: rows.count * width)
  }

  /// Returns some rows, which share memory with this plane.
  package func strip(rows: Range<Int>) -> Plane<Sample> {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= height)
    return Plane(
      width: width, height: rows.count, memory: memory, start: start + rows.lowerBound * width)
  }

  /// Returns the samples of row `y`, left to right.
  ///
  /// - Precondition: `y` is at least 0 and less than the height.
  @_lifetime(borrow self)
  public func row(_ y: Int) -> Span<Sample> { span.extracting(y * width..<(y + 1) * width) }

  /// Returns the samples of row `y`, left to right, for writing.
  ///
  /// Memory that other planes share is copied first, all rows of it.
  ///
  /// - Precondition: `y` is at least 0 and less than the height.
  @_lifetime(&self)
  public mutating func mutableRow(_ y: Int) -> MutableSpan<Sample> {
    let range = y * width..<(y + 1) * width
    let all = mutableSpan()
    return all._consumingExtracting(range)
  }

  /// All samples, row by row, without padding.
  public var span: Span<Sample> {
    @_lifetime(borrow self) get {
      // SAFETY: `self` keeps the memory alive, and shared memory is not written.
      let samples = unsafe Span(_unsafeElements: buffer)
      return unsafe _overrideLifetime(samples, borrowing: self)
    }
  }

  /// Returns all samples, row by row, without padding, for writing.
  ///
  /// Memory that other planes share is copied first.
  @_lifetime(&self)
  public mutating func mutableSpan() -> MutableSpan<Sample> {
    // SAFETY: `self` keeps the memory alive, and is now its only owner.
    let samples = unsafe MutableSpan(
      _unsafeElements: UnsafeMutableBufferPointer(start: ownedStart(), count: width * height))
    return unsafe _overrideLifetime(samples, mutating: &self)
  }

  /// All samples, valid as long as the plane exists.
  private var buffer: UnsafeMutableBufferPointer<Sample> {
    // SAFETY: `init` checked that they are inside the memory.
    unsafe UnsafeMutableBufferPointer(start: memory.start + start, count: width * height)
  }

  /// The first sample, in memory that is not shared with other planes.
  mutating func ownedStart() -> UnsafeMutablePointer<Sample> {
    if !isKnownUniquelyReferenced(&memory) {
      let copy = SampleMemory<Sample>(count: width * height)
      // SAFETY: both have room for all samples.
      unsafe copy.start.initialize(from: memory.start + start, count: copy.count)
      (memory, start) = (copy, 0)
    }
    // SAFETY: as for `buffer`.
    return unsafe memory.start + start
  }
}

extension Plane: Equatable where Sample: Equatable {
  public static func == (first: Plane, second: Plane) -> Bool {
    // SAFETY: both planes live until the comparison ends.
    unsafe first.width == second.width && first.height == second.height
      && first.buffer.elementsEqual(second.buffer)
  }
}

/// Samples of an image, or of a strip of its rows: planes in memory, as stored.
public struct ImagePlanes: Sendable {
  /// The planes, all of one sample type.
  public enum Planes: Sendable {
    /// Code values in the low bits, for depths from 1 to 16.
    case integer([Plane<UInt16>])
    /// Linear values or signal in single precision.
    case float([Plane<Float>])
    /// Bit patterns of IEEE 754 binary16.
    case half([Plane<UInt16>])
  }

  /// Size, components, sample type and alpha.
  public let layout: ImageLayout
  /// Planes in the order of `ImageLayout.Components`, alpha last.
  public package(set) var planes: Planes {
    didSet { Self.check(planes, against: layout) }
  }

  /// Makes an image from planes.
  ///
  /// - Precondition: Count, sample type and sizes of the planes are those of `layout`.
  package init(layout: ImageLayout, planes: Planes) {
    Self.check(planes, against: layout)
    self.layout = layout
    self.planes = planes
  }

  private static func check(_ planes: Planes, against layout: ImageLayout) {
    if let mismatch = planes.mismatch(with: layout) { preconditionFailure(mismatch.message) }
  }
}

extension ImagePlanes.Planes {
  /// The first difference between these planes and a layout; `nil` if they match.
  func mismatch(with layout: ImageLayout) -> ImageError? {
    let sizes: [(width: Int, height: Int)]
    switch (self, layout.samples) {
    case (.integer(let planes), .integer(let bits)):
      guard (1...16).contains(bits) else { return ImageError(.depthInvalid, ["bits": bits]) }
      sizes = planes.map { ($0.width, $0.height) }
    case (.half(let planes), .half): sizes = planes.map { ($0.width, $0.height) }
    case (.float(let planes), .float): sizes = planes.map { ($0.width, $0.height) }
    default:
      return ImageError(
        .invalidArgument, "the sample type of the planes differs from that of the layout")
    }
    guard sizes.count == layout.planeCount else {
      return ImageError(
        .invalidArgument, "{count plane} for a layout of {expected}",
        ["count": sizes.count, "expected": layout.planeCount])
    }
    for (index, size) in sizes.enumerated() {
      let wanted = layout.planeSize(index)
      guard size == wanted else {
        return ImageError(
          .invalidArgument, "plane {plane} has {size sample}; the layout specifies {expected}",
          [
            "plane": index, "size": .size(size.width, size.height),
            "expected": .size(wanted.width, wanted.height),
          ])
      }
    }
    return nil
  }
}

extension ImagePlanes {
  /// The rows of several images of equal layouts except for their height, in memory of their own.
  package init(joining parts: [ImagePlanes]) {
    let layout = parts[0].layout.strip(height: parts.reduce(0) { $0 + $1.layout.height })
    func joined<Sample>(_ planes: (Planes) -> [Plane<Sample>]?) -> [Plane<Sample>] {
      let all = parts.compactMap { planes($0.planes) }
      return (0..<layout.planeCount).map { index in Plane(joining: all.map { $0[index] }) }
    }
    switch parts[0].planes {
    case .integer:
      self.init(
        layout: layout,
        planes: .integer(joined { if case .integer(let planes) = $0 { planes } else { nil } }))
    case .float:
      self.init(
        layout: layout,
        planes: .float(joined { if case .float(let planes) = $0 { planes } else { nil } }))
    case .half:
      self.init(
        layout: layout,
        planes: .half(joined { if case .half(let planes) = $0 { planes } else { nil } }))
    }
  }
}
