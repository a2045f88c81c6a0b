// SPDX-License-Identifier: Apache-2.0
internal import CPlatform
internal import Platform
internal import Synchronization

/// Memory for samples, shared among planes, their copies and their strips.
// SAFETY: the memory at `start` and `discardedByteCount` are written only by a plane that is the
// unique owner of this object (`isKnownUniquelyReferenced`), so concurrent reads are excluded; all
// else is constant after `init`.
@safe final class SampleMemory<Sample: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// Uninitialized until a plane initializes it; written only by its unique owner.
  let start: UnsafeMutablePointer<Sample>
  let count: Int
  private let block: MemoryBlock
  /// The budget that the bytes are debited from.
  private let budget: Execution.Budget?
  /// Size of the discarded memory, at the start.
  private var discardedByteCount = 0

  init(count: Int) {
    self.count = count
    let byteCount = count * MemoryLayout<Sample>.stride
    budget = Execution.currentBudget
    budget?.occupy(byteCount)
    block = MemoryBlock.take(byteCount: byteCount)
    // SAFETY: the block has room for `count` samples, and is aligned to cache lines.
    unsafe start = block.start.bindMemory(to: Sample.self, capacity: count)
  }

  /// Returns large pages of the samples before index `end` to the system; these samples are undefined
  /// afterwards.
  func discard(before end: Int) {
    let byteCount = block.wholePages(before: end * MemoryLayout<Sample>.stride)
    guard byteCount > discardedByteCount else { return }
    block.discard(discardedByteCount..<byteCount)
    budget?.vacate(byteCount - discardedByteCount)
    discardedByteCount = byteCount
  }

  deinit {
    budget?.vacate(count * MemoryLayout<Sample>.stride - discardedByteCount)
    block.giveBack()
    if let budget { freeIdleSampleMemory(near: budget) }
  }
}

/// Frees idle memory if a budget is nearly exhausted.
func freeIdleSampleMemory(near budget: Execution.Budget) {
  if budget.isNearLimit(keeping: MemoryBlock.largestIdle) { MemoryBlock.freeIdle() }
}

/// Frees idle memory between steps of a job whose planes differ in size, so that it is not reused.
package func freeIdleMemory() {
  MemoryBlock.freeIdle()
  platform_return_freed_memory()
}

/// Returns memory that libraries and arrays have freed to the system.
package func returnFreedMemory() { platform_return_freed_memory() }

/// A block of memory; large blocks are kept for reuse by the next plane of equal size.
///
/// Linux clears a page when it is first accessed, and with small pages that takes as long as all
/// arithmetic on an image; their address translation costs another tenth. Large blocks therefore
/// request huge pages, and blocks are reused.
// SAFETY: a block is owned by one `SampleMemory`, or by `idle` behind its lock; both are constants.
@safe private struct MemoryBlock: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  let byteCount: Int
  /// The allocated memory, in which the block begins at a cache line.
  private let allocation: UnsafeMutableRawPointer

  private static let largePage = 1 << 21
  private static let cacheLine = 64
  /// Minimum size of kept blocks; sizes are rounded so that strips and planes of one image match.
  private static let smallestIdle = 1 << 18
  private static let coarseness = 1 << 16
  /// Limit of idle memory: three planes of 16 megapixels.
  static let largestIdle = 96 << 20
  /// Idle blocks, most recent last.
  private static let idle = Mutex<[MemoryBlock]>([])

  /// Returns a block of at least `byteCount` bytes, with undefined contents.
  static func take(byteCount: Int) -> MemoryBlock {
    guard byteCount >= smallestIdle else { return MemoryBlock(byteCount: byteCount) }
    let isLarge = byteCount >= 2 * largePage
    let unit = isLarge ? largePage : coarseness
    let rounded = (byteCount + unit - 1) / unit * unit
    let waiting = idle.withLock { idle in
      idle.lastIndex { $0.byteCount == rounded }.map { idle.remove(at: $0) }
    }
    if let waiting { return waiting }
    let block = MemoryBlock(byteCount: rounded, alignment: isLarge ? largePage : cacheLine)
    if isLarge { unsafe adviseLargePages(block.start, byteCount: rounded) }
    return block
  }

  private init(byteCount: Int, alignment: Int = cacheLine) {
    self.byteCount = byteCount
    // SAFETY: deallocated by `giveBack`, which the owner calls once, or kept for reuse.
    guard alignment == Self.cacheLine else {
      unsafe allocation = .allocate(byteCount: byteCount, alignment: alignment)
      unsafe start = allocation
      return
    }
    // The C library of Debian 12 does not reuse memory that was allocated with an alignment: each strip
    // of an image had new pages.
    unsafe allocation = .allocate(byteCount: byteCount + alignment, alignment: 1)
    unsafe start = allocation.alignedUp(toMultipleOf: alignment)
  }

  /// Size of the large pages before an offset; 0 for a small block.
  func wholePages(before offset: Int) -> Int {
    byteCount >= 2 * Self.largePage ? offset / Self.largePage * Self.largePage : 0
  }

  /// Returns some of its large pages to the system.
  func discard(_ pages: Range<Int>) {
    // SAFETY: the pages are inside the block, whose owner does not read them again.
    unsafe discardPages(start + pages.lowerBound, byteCount: pages.count)
  }

  /// Frees all idle blocks.
  static func freeIdle() {
    let freed = idle.withLock { idle in
      defer { idle = [] }
      return idle
    }
    // SAFETY: allocated by `init`, and without an owner since they were removed from `idle`.
    for block in freed { unsafe block.allocation.deallocate() }
  }

  /// Keeps the block for reuse; the oldest idle blocks are freed to stay within the limit.
  func giveBack() {
    guard (Self.smallestIdle...Self.largestIdle).contains(byteCount) else {
      // SAFETY: allocated by `init`; its only owner calls this at the end of its lifetime.
      return unsafe allocation.deallocate()
    }
    let replaced = Self.idle.withLock { idle in
      idle.append(self)
      var excess = idle.reduce(-Self.largestIdle) { $0 + $1.byteCount }
      let oldest = Array(
        idle.prefix { block in
          defer { excess -= block.byteCount }
          return excess > 0
        })
      idle.removeFirst(oldest.count)
      return oldest
    }
    // SAFETY: allocated by `init`, and without an owner since they were removed from `idle`.
    for block in replaced { unsafe block.allocation.deallocate() }
  }
}
