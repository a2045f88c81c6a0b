// SPDX-License-Identifier: Apache-2.0
internal import CShims
package import HDRCore
internal import Platform

/// Memory that this process shares with one other: the samples that a decoder process returns.
///
/// Its size is final, so that the other process cannot make it shorter.
// SAFETY: the mapping is constant after `init`, and lives as long as this object. The parent reads
// it only after the decoder process has replied; what a compromised process writes later changes
// samples, not memory safety.
@safe package final class SharedMemory: @unchecked Sendable {
  let descriptor: Int32
  /// First byte.
  package let start: UnsafeMutableRawPointer
  /// Number of bytes.
  package let count: Int
  private let reservation: Execution.Reservation?

  /// Allocates memory, debited from the budget of the current operation.
  ///
  /// - Throws: `.limitExceeded` if the budget or the system does not have as much.
  package init(count: Int) throws(ImageError) {
    reservation = try Execution.current.budget.reserve(memory: count, for: "shared samples")
    let descriptor = sandbox_memory(max(count, 1))
    guard descriptor >= 0 else { throw Self.unavailable }
    self.descriptor = descriptor
    guard let start = unsafe sandbox_map(descriptor, max(count, 1)) else {
      sandbox_close(descriptor)
      throw Self.unavailable
    }
    unsafe self.start = start
    self.count = count
  }

  /// Maps the memory that the parent allocated; takes ownership of the descriptor.
  init(received descriptor: Int32, count: Int) throws(ImageError) {
    reservation = nil
    self.descriptor = descriptor
    guard let start = unsafe sandbox_map(descriptor, max(count, 1)) else {
      sandbox_close(descriptor)
      throw Self.unavailable
    }
    unsafe self.start = start
    self.count = count
  }

  deinit {
    // SAFETY: nothing else refers to the mapping.
    unsafe sandbox_unmap(start, max(count, 1))
    sandbox_close(descriptor)
  }

  private static var unavailable: ImageError {
    ImageError(.outOfMemory, ["library": "shared samples"])
  }

  /// Copies bytes to the beginning of `target`.
  ///
  /// - Precondition: Both contain `size` bytes from their offset on.
  package func copy<Sample: BitwiseCopyable>(
    from offset: Int = 0, to target: inout [Sample], byteCount size: Int
  ) {
    precondition(offset >= 0 && size >= 0 && offset <= count - size)
    precondition(size <= target.count * MemoryLayout<Sample>.stride)
    // SAFETY: checked above.
    unsafe target.withUnsafeMutableBytes { target in
      guard let first = target.baseAddress else { return }
      unsafe first.copyMemory(from: start + offset, byteCount: size)
    }
  }

  /// Copies all elements of `source` to an offset.
  ///
  /// - Precondition: The memory contains as many bytes from the offset on.
  package func store<Sample: BitwiseCopyable>(_ source: [Sample], at offset: Int = 0) {
    let size = source.count * MemoryLayout<Sample>.stride
    precondition(offset >= 0 && offset <= count - size)
    // SAFETY: checked above.
    unsafe source.withUnsafeBytes { source in
      guard let first = source.baseAddress else { return }
      unsafe (start + offset).copyMemory(from: first, byteCount: size)
    }
  }
}
