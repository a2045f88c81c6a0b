// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import Platform
internal import Synchronization

/// The bytes of a file, read on demand: samples stay on disk until they are decoded.
///
/// The source is a file, an array, `Data`, or any other type that conforms to `ByteProvider`.
/// Copies share the bytes; a file stays open as long as a copy exists.
public struct ByteSource: Sendable {
  private enum Storage: Sendable {
    case memory([UInt8])
    case provider(any ByteProvider)
  }

  private let storage: Storage
  /// Size of reads that are checked against the budget, in bytes.
  private static let largeRead = 1 << 20
  /// Number of bytes.
  public let count: Int

  /// Creates a source of bytes that a caller provides, for instance from a network.
  ///
  /// Ranges below 2^20 bytes are read in blocks of this size, the last four of which are kept, so
  /// that opening a file usually takes one or two requests; larger ranges are requested as they
  /// are.
  ///
  /// - Parameter provider: The bytes; a negative `count` is read as 0.
  public init(_ provider: some ByteProvider) { self.init(unbuffered: ReadAhead(provider)) }

  /// Creates a source of bytes that an asynchronous function reads, for instance from a network.
  ///
  /// ```swift
  /// let file = ByteSource(count: size) { try await server.bytes(of: name, in: $0) }
  /// ```
  ///
  /// Parsers wait for the function on their thread, so call the library by its asynchronous functions, or
  /// by an `Execution`, from actors and tasks: the function runs on a thread of its own, but must not wait
  /// for an actor that waits for it, nor for new tasks (`Task { }`) while synchronous calls occupy all
  /// threads of Swift's pool.
  ///
  /// Bytes are read in pieces as from a `ByteProvider`; the function is cancelled with the operation.
  ///
  /// - Parameters:
  ///   - count: Number of bytes of the file.
  ///   - read: Returns exactly the bytes in a range within `0..<count`; its errors end the operation.
  public init(count: Int, read: @escaping @Sendable (Range<Int>) async throws -> Data) {
    self.init(AsynchronousFile(count: count, read: read))
  }

  /// Creates a source of bytes in memory.
  public init(_ data: Data) { self.init(unbuffered: DataFile(data: data)) }

  /// Creates a source whose provider gets every read.
  package init(unbuffered provider: some ByteProvider) {
    storage = .provider(provider)
    count = max(provider.count, 0)
  }

  /// Creates a source of bytes in memory, for instance standard input or an item of another file.
  public init(_ bytes: [UInt8]) {
    storage = .memory(bytes)
    count = bytes.count
  }

  /// Opens the file at `path`.
  ///
  /// Its size is that at the time of opening.
  ///
  /// - Throws: `.missingInput` if the file does not exist or the path contains a NUL,
  ///   `.inputOutput` if it cannot be opened or is a folder, a pipe or a device.
  public init(path: String) throws(ImageError) { self.init(unbuffered: try OpenFile(path: path)) }

  /// Opens the file at a path of C, whose bytes need not be UTF-8.
  ///
  /// - Throws: As `init(path:)`.
  @unsafe package init(cPath: UnsafePointer<CChar>) throws(ImageError) {
    let (descriptor, size) = try unsafe OpenFile.open(cPath: cPath)
    self.init(openFile: descriptor, count: size)
  }

  /// Creates a source of an open file, which it closes.
  package init(openFile descriptor: Int32, count: Int) {
    self.init(unbuffered: OpenFile(descriptor, count: count))
  }

  /// Opens a regular file without reading it.
  ///
  /// - Returns: The descriptor, which the caller closes, and the size.
  /// - Throws: As `init(path:)`.
  package static func open(_ path: String) throws(ImageError) -> (descriptor: Int32, size: Int) {
    try OpenFile.open(path)
  }

  /// Creates a source of the bytes of an edited file that has not been written.
  ///
  /// Unchanged ranges are read from the source of the edited file.
  public init(_ bytes: SplicedBytes) { self.init(unbuffered: SplicedFile(bytes.flattened)) }

  /// The edited file that the bytes are of; `nil` for other sources.
  var editedFile: SplicedFile? {
    guard case .provider(let provider) = storage else { return nil }
    return provider as? SplicedFile
  }

  /// Returns a copy of the bytes in `range`.
  ///
  /// - Parameter range: Offsets in the file.
  /// - Returns: Exactly as many bytes as the range contains.
  /// - Throws: `.truncated` if the range exceeds the file, `.inputOutput` if it cannot be read or
  ///   the provider returns another number of bytes, `.limitExceeded` for more than 2^20 bytes that
  ///   exceed the memory budget of `Execution.current`.
  public func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw ImageError(
        .truncated, "truncated: needs {end byte}; the file has {size byte}",
        ["end": range.upperBound, "size": count],
        at: .init(offset: range.lowerBound))
    }
    if range.count > Self.largeRead {
      try Execution.current.budget.require(memory: range.count, for: "bytes of the file")
    }
    switch storage {
    case .memory(let bytes): return Array(bytes[range])
    case .provider(let provider):
      let bytes: [UInt8]
      do throws(ImageError) {
        bytes = try callingProgram { () throws(any Error) in try provider.bytes(in: range) }
      } catch {
        throw error.location.offset == nil ? error.at(.init(offset: range.lowerBound)) : error
      }
      guard bytes.count == range.count else {
        throw ImageError(
          .inputOutput, "{needed byte} requested, {available byte} provided",
          ["needed": range.count, "available": bytes.count],
          at: .init(offset: range.lowerBound))
      }
      return bytes
    }
  }

  /// Returns all bytes.
  ///
  /// - Throws: `.inputOutput` and `.limitExceeded` as `bytes(in:)`; never for bytes in memory.
  public func allBytes() throws(ImageError) -> [UInt8] {
    if case .memory(let bytes) = storage { return bytes }
    return try bytes(in: 0..<count)
  }

  /// Whether some bytes are the same range of the same file as those of another source.
  ///
  /// Edited files keep ranges of the file that they were made from.
  func hasSameOrigin(_ range: Range<Int>, as other: ByteSource, _ otherRange: Range<Int>) -> Bool {
    guard let found = origin(of: range), let expected = other.origin(of: otherRange) else {
      return false
    }
    return found == expected
  }

  /// The file that some bytes are stored in, and their range in it; `nil` for bytes in memory and
  /// if edits inserted some of them.
  private func origin(of range: Range<Int>) -> (ObjectIdentifier, Range<Int>)? {
    guard case .provider(let provider) = storage, 0 <= range.lowerBound, range.upperBound <= count
    else { return nil }
    guard let edited = provider as? SplicedFile else {
      let isClass = type(of: provider) is any AnyObject.Type
      return isClass ? (ObjectIdentifier(provider as AnyObject), range) : nil
    }
    guard let (source, kept) = edited.kept(range) else { return nil }
    return source.origin(of: kept)
  }

  /// Returns at most the first `length` bytes of the file, for format detection; empty if negative.
  ///
  /// - Throws: As `bytes(in:)`.
  package func prefix(_ length: Int) throws(ImageError) -> [UInt8] {
    try bytes(in: 0..<max(min(length, count), 0))
  }
}

extension ByteSource: CustomStringConvertible {
  /// The number of bytes.
  public var description: String { "\(count) bytes" }
}

/// A file that stays open during the lifetime of its sources.
private final class OpenFile: ByteProvider {
  private let descriptor: Int32
  let count: Int

  convenience init(path: String) throws(ImageError) {
    let (descriptor, size) = try Self.open(path)
    self.init(descriptor, count: size)
  }

  init(_ descriptor: Int32, count: Int) { (self.descriptor, self.count) = (descriptor, count) }

  /// Opens a regular file.
  static func open(_ path: String) throws(ImageError) -> (descriptor: Int32, size: Int) {
    // The name would end there.
    guard !path.utf8.contains(0) else {
      throw ImageError(.inputNotFound, ["detail": "the path contains a NUL"], at: .init(file: path))
    }
    // SAFETY: the C string lives for the call.
    return try regularFile(unsafe Platform.open(path, flags), path)
  }

  /// Opens a regular file, whose name need not be UTF-8.
  @unsafe static func open(
    cPath: UnsafePointer<CChar>
  ) throws(ImageError) -> (descriptor: Int32, size: Int) {
    // SAFETY: the caller's C string lives for the call.
    let path = unsafe String(cString: cPath)
    return try regularFile(unsafe Platform.open(cPath, flags), path)
  }

  /// Without `O_NONBLOCK`, opening a named pipe blocks until it has a writer; regular files ignore it.
  private static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK

  /// The descriptor that the system returned for a path, and the size of its file.
  private static func regularFile(
    _ descriptor: Int32, _ path: String
  ) throws(ImageError) -> (descriptor: Int32, size: Int) {
    guard descriptor >= 0 else {
      let isMissing = errno == ENOENT || errno == ENOTDIR
      throw ImageError(
        isMissing ? .inputNotFound : ErrorCode(.inputOutput, "cannot open: {detail}"),
        ["detail": Self.lastError],
        at: .init(file: path))
    }
    var status = stat()
    // SAFETY: `status` lives for the call.
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw ImageError(isFolder ? .inputIsFolder : .inputIsNotAFile, at: .init(file: path))
    }
    return (descriptor, Int(status.st_size))
  }

  deinit { close(descriptor) }

  func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8] {
    var failure: ImageError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      while filled < range.count {
        // SAFETY: the buffer has `range.count` bytes, of which `filled` are written.
        let size = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, range.count - filled,
          off_t(range.lowerBound + filled))
        if size < 0 && errno == EINTR { continue }
        guard size > 0 else {
          failure = ImageError(
            size == 0
              ? ErrorCode(.inputOutput, "the file became shorter while it was read") : .readFailed,
            size == 0 ? [:] : ["detail": Self.lastError],
            at: .init(offset: range.lowerBound + filled))
          return
        }
        filled += size
      }
    }
    if let failure { throw failure }
    return bytes
  }

  private static var lastError: String {
    // SAFETY: the message is copied at once.
    unsafe String(cString: strerror(errno))
  }
}

/// Reads of a provider of a program in large blocks, the last of which are kept.
///
/// A parser reads some bytes here and there; on a network, each read costs a round trip.
final class ReadAhead: ByteProvider {
  private static let blockSize = 1 << 20
  private static let blockCount = 4

  private let provider: any ByteProvider
  let count: Int
  /// Bytes and their offsets, the last used first.
  private let blocks = Mutex<[(offset: Int, bytes: [UInt8])]>([])

  init(_ provider: some ByteProvider) {
    self.provider = provider
    count = max(provider.count, 0)
  }

  func bytes(in range: Range<Int>) throws -> [UInt8] {
    guard range.count < Self.blockSize else { return try provider.bytes(in: range) }
    if let kept = kept(range) { return kept }
    let block = range.lowerBound..<range.lowerBound + min(Self.blockSize, count - range.lowerBound)
    let bytes = try provider.bytes(in: block)
    // A provider that breaks its promise; the caller finds that there are too many or too few bytes.
    guard bytes.count <= block.count else { return bytes }
    guard bytes.count == block.count else { return Array(bytes.prefix(range.count)) }
    blocks.withLock { blocks in
      blocks = [(block.lowerBound, bytes)] + blocks.prefix(Self.blockCount - 1)
    }
    return Array(bytes.prefix(range.count))
  }

  private func kept(_ range: Range<Int>) -> [UInt8]? {
    blocks.withLock { blocks in
      let found = blocks.firstIndex {
        $0.offset <= range.lowerBound && range.upperBound <= $0.offset + $0.bytes.count
      }
      guard let found else { return nil }
      let block = blocks.remove(at: found)
      blocks.insert(block, at: 0)
      return Array(block.bytes[range.lowerBound - block.offset..<range.upperBound - block.offset])
    }
  }
}

/// Bytes that a caller provides, for a `ByteSource` to read.
///
/// Conform a type to this protocol to read from an archive, a network or a database. Requests come
/// in any order, and from several threads at a time while samples are decoded. A `ByteSource`
/// checks each range before the request, and extends small ones to a block of 2^20 bytes.
public protocol ByteProvider: Sendable {
  /// Number of bytes; requested once, when the source is created. A negative number counts as 0.
  var count: Int { get }

  /// Returns a copy of the bytes in `range`.
  ///
  /// - Parameter range: A range within `0..<count`.
  /// - Returns: Exactly as many bytes as the range contains; another number is an error of the
  ///   read.
  /// - Throws: Errors of any type, with which the operation ends: an `ImageError` as it is, others as one of
  ///   `.inputOutput` that contains their description.
  func bytes(in range: Range<Int>) throws -> [UInt8]
}

/// Bytes that an asynchronous function of a program reads.
struct AsynchronousFile: ByteProvider {
  let count: Int
  let read: @Sendable (Range<Int>) async throws -> Data

  func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8] {
    try Execution.current.waitForProgram { [read] in [UInt8](try await read(range)) }
  }
}

/// Bytes of `Data`.
struct DataFile: ByteProvider {
  let data: Data
  var count: Int { data.count }

  func bytes(in range: Range<Int>) -> [UInt8] {
    // The start index of a slice is not 0.
    [UInt8](data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound])
  }
}
