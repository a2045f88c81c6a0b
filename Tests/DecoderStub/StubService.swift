// SPDX-License-Identifier: Apache-2.0
package import HDRCore
package import ImageCodecs
package import ImageContainers
internal import Platform

/// A library that does what no codec should.
package final class StubService: DecoderService {
  /// Its functions.
  package enum Call: String, Codable, CaseIterable, Sendable {
    /// Returns the input.
    case echo
    /// Writes to address 0.
    case crash
    /// Fails as a library with an assertion does.
    case abort
    /// Does not return.
    case loop
    /// Reads the input again and again.
    case readForever
    /// Allocates memory until that fails, or 1 GiB, then fails an assertion.
    case allocate
    /// Ends the process.
    case exit
    case openFile
    case createFile
    case openSocket
    case execute
    case fork
    case killParent
    case changeLimit
    case mapExecutable
    /// Runs a thread, which codecs do as well.
    case startThread
  }

  /// The result of a system call, and bytes of the input.
  package struct Result: Codable, Sendable {
    /// The error of the system call; 0 for success.
    package var error: Int32 = 0
    package var bytes: [UInt8] = []
  }

  package static let library = "stub"
  package static let errorCodes: [ErrorCode] = []
  private let input: ByteSource

  package init(_ input: ByteSource) { self.input = input }

  package func perform(_ call: Call, _ memory: SharedMemory?) throws(ImageError) -> Result {
    errno = 0
    var result = Result()
    switch call {
    case .echo: result.bytes = try input.allBytes()
    // SAFETY: this ends the process, as intended.
    case .crash: unsafe UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case .abort: Platform.abort()
    case .loop: while errno == 0 {}
    case .readForever: while true { result.bytes = try input.allBytes() }
    case .allocate:
      var blocks: [[UInt8]] = []
      while blocks.count < 256 { blocks.append([UInt8](repeating: 1, count: 4 << 20)) }
      errno = blocks.reduce(0) { $0 &+ Int32($1[0]) }
      Platform.abort()
    case .exit: Platform._exit(0)
    default: result.error = systemCall(call) < 0 ? errno : 0
    }
    return result
  }

  private func systemCall(_ call: Call) -> Int {
    // SAFETY: all strings and structures live for the calls.
    switch call {
    case .openFile: return Int(unsafe open("/etc/passwd", O_RDONLY))
    case .createFile: return Int(unsafe open("/tmp/decoder-stub", O_WRONLY | O_CREAT, 0o600))
    #if canImport(Darwin)
    case .openSocket: return Int(socket(AF_INET, SOCK_STREAM, 0))
    #else
    case .openSocket: return Int(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    #endif
    case .execute:
      var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
      return Int(unsafe execv("/bin/true", &arguments))
    case .killParent: return Int(kill(getppid(), SIGKILL))
    #if canImport(Glibc)
    case .fork: return Int(Glibc.fork())
    case .changeLimit:
      var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
      return Int(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit))
    #endif
    case .mapExecutable:
      let start = unsafe mmap(
        nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      return unsafe start == MAP_FAILED ? -1 : 0
    case .startThread: return Int(thread())
    default: return 0
    }
  }

  private func thread() -> Int32 {
    #if canImport(Glibc)
    var thread = pthread_t()
    // SAFETY: the thread does nothing, and has ended before this function returns.
    let failure = unsafe pthread_create(&thread, nil, { _ in nil }, nil)
    guard failure == 0 else {
      errno = failure
      return -1
    }
    return pthread_join(thread, nil)
    #else
    return 0
    #endif
  }
}
