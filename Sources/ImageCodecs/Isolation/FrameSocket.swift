// SPDX-License-Identifier: Apache-2.0
internal import CShims
internal import HDRCore
internal import Platform

/// A message between this process and a decoder process.
struct Frame {
  enum Content: UInt8 {
    /// A call of a library, as JSON, with an optional descriptor of shared memory.
    case call = 1
    /// The result of a call, as JSON.
    case result
    /// The error of a call, as JSON.
    case failure
    /// A request for bytes of the input: offset and count.
    case read
    /// Bytes of the input.
    case bytes
    /// The bytes of the input cannot be read.
    case unreadable
  }

  /// Largest number of bytes, so that the other process cannot request memory.
  static let largestPayload = 1 << 20

  var content: Content
  var payload: [UInt8]
  /// Descriptor that came with the message, owned by the receiver.
  var descriptor: Int32?
}

/// One end of the connection with a decoder process.
final class FrameSocket {
  enum Failure: Error {
    /// The other process has ended.
    case closed
    case timedOut
    case cancelled
    /// The other process does not follow the protocol.
    case invalid
  }

  private let descriptor: Int32
  /// Time that remains for the other process; `nil` for any time.
  private var remaining: Duration?
  private static let headerSize = 8
  /// Interval at which cancellation is checked, in milliseconds.
  private static let interval: Int32 = 100

  /// Takes ownership of a descriptor.
  init(_ descriptor: Int32, timeLimit: Duration? = nil) {
    self.descriptor = descriptor
    remaining = timeLimit
  }

  deinit { sandbox_close(descriptor) }

  func send(
    _ content: Frame.Content, _ payload: [UInt8] = [], sharing memory: SharedMemory? = nil
  ) throws(Failure) {
    precondition(payload.count <= Frame.largestPayload)
    var bytes: [UInt8] = [content.rawValue, 0, 0, 0]
    bytes.reserveCapacity(Self.headerSize + payload.count)
    for shift in [0, 8, 16, 24] {
      bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
    }
    bytes += payload
    var (sent, shared) = (0, memory?.descriptor ?? -1)
    while sent < bytes.count {
      // SAFETY: the range is inside the array.
      let count = unsafe bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return -1 }
        return unsafe sandbox_send(descriptor, start + sent, bytes.count - sent, shared)
      }
      guard count >= 0 else { throw .closed }
      if count == 0 { try wait(forWriting: true) } else { shared = -1 }
      sent += count
    }
  }

  func receive() throws(Failure) -> Frame {
    var received: Int32 = -1
    do throws(Failure) {
      let header = try bytes(Self.headerSize, &received)
      let size = (4..<8).reduce(0) { $0 | Int(header[$1]) << (8 * ($1 - 4)) }
      guard let content = Frame.Content(rawValue: header[0]), size <= Frame.largestPayload else {
        throw .invalid
      }
      let payload = try bytes(size, &received)
      return Frame(content: content, payload: payload, descriptor: received < 0 ? nil : received)
    } catch {
      if received >= 0 { sandbox_close(received) }
      throw error
    }
  }

  private func bytes(_ count: Int, _ received: inout Int32) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      // SAFETY: the range is inside the array.
      let size = unsafe bytes.withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return -1 }
        return unsafe sandbox_receive(descriptor, start + filled, bytes.count - filled, &received)
      }
      guard size >= 0 else { throw .closed }
      if size == 0 { try wait(forWriting: false) }
      filled += size
    }
    return bytes
  }

  /// Waits for the other process.
  private func wait(forWriting isWriting: Bool) throws(Failure) {
    guard var remaining else {
      _ = sandbox_wait(descriptor, isWriting ? 1 : 0, -1)
      return
    }
    let clock = ContinuousClock()
    while true {
      let start = clock.now
      let isReady = sandbox_wait(descriptor, isWriting ? 1 : 0, Self.interval) == 1
      remaining -= clock.now - start
      self.remaining = remaining
      guard remaining > .zero else { throw .timedOut }
      if isReady { return }
      guard !Execution.current.isCancelled else { throw .cancelled }
    }
  }
}
