#if canImport(Glibc)
internal import Glibc
#endif

extension UnsafeMutableBufferPointer {
  /// Asks the system for large pages behind this memory, which is about to be written.
  ///
  /// Linux clears fresh memory page by page when it is first touched; with its small pages that
  /// takes as long as all arithmetic on a picture. Elsewhere, and for little memory, nothing happens.
  func preferLargePages() {
    #if canImport(Glibc)
    guard count * MemoryLayout<Element>.stride >= 1 << 22 else { return }
    let pageSize = sysconf(CInt(_SC_PAGESIZE))
    guard pageSize > 0 else { return }
    let page = UInt(bitPattern: baseAddress) & ~UInt(pageSize - 1)
    // SAFETY: advice does not change what the memory holds.
    unsafe _ = madvise(
      UnsafeMutableRawPointer(bitPattern: page), count * MemoryLayout<Element>.stride, MADV_HUGEPAGE
    )
    #endif
  }
}
