/// One component of a picture, with value semantics.
///
/// Rows run top to bottom without padding. `Sample` is `Float` for light, `UInt16` as stored.
public struct Plane<Sample: BitwiseCopyable & Sendable>: Sendable {
  public let width: Int
  public let height: Int
  internal var samples: [Sample]

  /// A plane in which each sample is `value`.
  public init(width: Int, height: Int, filledWith value: Sample) {
    precondition(width > 0 && height > 0, "a plane has at least one sample")
    self.width = width
    self.height = height
    self.samples = [Sample](repeating: value, count: width * height)
  }

  /// A plane of which `body` initializes all samples, row after row without padding.
  public init<Failure: Error>(
    width: Int, height: Int,
    initializingWith body: (_ samples: inout OutputSpan<Sample>) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(width > 0 && height > 0, "a plane has at least one sample")
    let count = width * height
    self.width = width
    self.height = height
    self.samples = try [Sample](capacity: count, initializingWith: body)
    precondition(samples.count == count, "the initializer left samples out")
  }

  /// A plane of its own of some rows of another one.
  init(width: Int, samples: ArraySlice<Sample>) {
    precondition(!samples.isEmpty, "a plane has at least one sample")
    self.width = width
    height = samples.count / width
    self.samples = Array(samples)
  }

  /// The samples of row `y`, left to right.
  @_lifetime(borrow self)
  public func row(_ y: Int) -> Span<Sample> {
    samples.span.extracting(y * width..<(y + 1) * width)
  }

  /// The samples of row `y`, left to right, for writing.
  @_lifetime(&self)
  public mutating func mutableRow(_ y: Int) -> MutableSpan<Sample> {
    let range = y * width..<(y + 1) * width
    let all = samples.mutableSpan
    return all._consumingExtracting(range)
  }

  /// All samples, row after row without padding.
  public var span: Span<Sample> {
    @_lifetime(borrow self) get { samples.span }
  }

  /// All samples, row after row without padding, for writing.
  @_lifetime(&self)
  public mutating func mutableSpan() -> MutableSpan<Sample> { samples.mutableSpan }
}

extension Plane: Equatable where Sample: Equatable {}
