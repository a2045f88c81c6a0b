internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#endif

/// Memory for samples, which planes, their copies and their strips share.
// SAFETY: nothing here changes after `init`; what `start` points at is written only by a plane that
// has this object alone (`isKnownUniquelyReferenced`), so that nobody reads meanwhile.
@safe final class SampleMemory<Sample: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// Not initialized until a plane has been, and written only by one that has it alone.
  let start: UnsafeMutablePointer<Sample>
  let count: Int
  private let block: MemoryBlock

  init(count: Int) {
    self.count = count
    block = MemoryBlock.take(byteCount: count * MemoryLayout<Sample>.stride)
    // SAFETY: the block has room for `count` samples, and is aligned to cache lines.
    unsafe start = block.start.bindMemory(to: Sample.self, capacity: count)
  }

  deinit { block.giveBack() }
}

/// A piece of memory; those of images and strips do not return to the system, but wait for the next
/// plane that needs as much.
///
/// Linux clears a page when it is first touched, and with its small pages that takes as long as all
/// arithmetic on an image; looking them up for each access costs a tenth more. So large pieces ask for
/// large pages, and no piece is fresh for long.
// SAFETY: a piece is owned by one `SampleMemory`, or by `idle` behind its lock; both are constants.
@safe private struct MemoryBlock: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  let byteCount: Int

  private static let largePage = 1 << 21
  /// From here on pieces wait, in sizes so coarse that strips and planes of one image fit.
  private static let smallestIdle = 1 << 18
  private static let coarseness = 1 << 16
  /// Idle memory at most: three planes of 16 megapixels.
  private static let largestIdle = 96 << 20
  /// Those that came last are last.
  private static let idle = Mutex<[MemoryBlock]>([])

  /// A piece of at least some bytes, which hold anything.
  static func take(byteCount: Int) -> MemoryBlock {
    guard byteCount >= smallestIdle else { return MemoryBlock(byteCount: byteCount, alignment: 64) }
    let isLarge = byteCount >= 2 * largePage
    let unit = isLarge ? largePage : coarseness
    let rounded = (byteCount + unit - 1) / unit * unit
    let waiting = idle.withLock { idle in
      idle.lastIndex { $0.byteCount == rounded }.map { idle.remove(at: $0) }
    }
    if let waiting { return waiting }
    let block = MemoryBlock(byteCount: rounded, alignment: isLarge ? largePage : 64)
    #if canImport(Glibc)
    // SAFETY: advice does not change what the memory holds.
    if isLarge { unsafe _ = madvise(block.start, rounded, MADV_HUGEPAGE) }
    #endif
    return block
  }

  private init(byteCount: Int, alignment: Int) {
    self.byteCount = byteCount
    // SAFETY: `giveBack`, which the owner calls once, deallocates it or hands it on.
    unsafe start = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: alignment)
  }

  /// Lets the piece wait, instead of those that have waited longest.
  func giveBack() {
    guard (Self.smallestIdle...Self.largestIdle).contains(byteCount) else {
      // SAFETY: allocated by `init`; its owner, which calls this when it ends, was the last.
      return unsafe start.deallocate()
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
    // SAFETY: they were allocated by `init`, and are in nobody's hands since they left `idle`.
    for block in replaced { unsafe block.start.deallocate() }
  }
}
