// SPDX-License-Identifier: Apache-2.0
/// Exports the system's interfaces that all modules use: the C library and the essentials of
/// Foundation.
///
/// On Linux, the whole of Foundation would link ICU with its tables of languages and regions (47 MB as
/// a static library), which no module needs, and would load them each time a program starts.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif

#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Darwin
#endif

/// Whether file names that differ in case only are names of the same file, as on the default volumes of
/// macOS.
#if canImport(Darwin)
package let fileNamesIgnoreCase = true
#else
package let fileNamesIgnoreCase = false
#endif

extension stat {
  /// The time of the last modification.
  package var modificationTime: timespec {
    #if canImport(Darwin)
    st_mtimespec
    #else
    st_mtim
    #endif
  }
}

/// Requests large pages for a block of memory, if the system has such a request.
package func adviseLargePages(_ start: UnsafeMutableRawPointer, byteCount: Int) {
  #if canImport(Glibc)
  // SAFETY: advice does not change the contents of memory.
  unsafe _ = madvise(start, byteCount, MADV_HUGEPAGE)
  #endif
}

/// Returns whole pages of memory to the system; their contents are undefined until they are written
/// again.
package func discardPages(_ start: UnsafeMutableRawPointer, byteCount: Int) {
  #if canImport(Darwin)
  let advice = MADV_FREE
  #else
  let advice = MADV_DONTNEED
  #endif
  // SAFETY: the caller owns the memory, and does not read it before it is written.
  unsafe _ = madvise(start, byteCount, advice)
}

/// Runs `body` on a thread of its own.
///
/// - Returns: Whether the system has one more thread.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  let work = unsafe Unmanaged.passRetained(ThreadBody(body))
  #if canImport(Darwin)
  var thread: pthread_t?
  #else
  var thread = pthread_t()
  #endif
  // SAFETY: the thread takes the reference to its work.
  let status = unsafe pthread_create(&thread, nil, { unsafe runThread($0) }, work.toOpaque())
  guard status == 0 else {
    unsafe work.release()
    return false
  }
  #if canImport(Darwin)
  if let thread { unsafe pthread_detach(thread) }
  #else
  pthread_detach(thread)
  #endif
  return true
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context = unsafe context else { return nil }
  // SAFETY: `startThread` passes a reference that is released here alone.
  let work = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
  work.run()
  return nil
}

/// Soft limits of this process, as `ulimit` sets them, in bytes; `nil` without a limit.
package struct ProcessLimits: Sendable {
  /// Size of the address space.
  package let addresses = limit(RLIMIT_AS)
  package let data = limit(RLIMIT_DATA)
  package let stack = limit(RLIMIT_STACK)

  package init() {}

  #if canImport(Glibc)
  private static func limit(_ resource: __rlimit_resource) -> Int? {
    limit(Int32(bitPattern: resource.rawValue))
  }
  #endif

  private static func limit(_ resource: Int32) -> Int? {
    var value = rlimit()
    // SAFETY: `value` lives for the call.
    // No limit is the largest number, which has another value on each system.
    guard unsafe getrlimit(resource, &value) == 0, value.rlim_cur < 1 << 62 else { return nil }
    return Int(clamping: value.rlim_cur)
  }
}

/// Name and version of the operating system, such as "Debian GNU/Linux 12 (bookworm)".
///
/// Without a name, that of the kernel or of macOS with its version.
package func systemName() -> String {
  let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
  let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
  if let name { return name.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } }
  #if canImport(Darwin)
  let system = "macOS"
  #else
  let system = "Linux"
  #endif
  let version = ProcessInfo.processInfo.operatingSystemVersion
  return "\(system) \(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
}

/// Architecture of the processor for which the program was compiled.
#if arch(x86_64)
package let architecture = "x86_64"
#elseif arch(arm64)
package let architecture = "arm64"
#else
package let architecture = "other"
#endif

/// `Int64(value)` for `init(clamping:)` of `HDRCore`, where the conversion is deprecated.
///
/// - Precondition: The value is in -2^63..<2^63.
@inlinable
public func truncatedToInt64(_ value: Double) -> Int64 { Int64(value) }

/// `UInt64(value)`; see `truncatedToInt64`.
///
/// - Precondition: The value is in 0..<2^64.
@inlinable
public func truncatedToUInt64(_ value: Double) -> UInt64 { UInt64(value) }
