internal import CLibFuzzer
internal import Foundation
internal import FuzzTargets

/// Runs one target: `fuzz TARGET [options and folders of libFuzzer]`; without a target, lists them.
@main struct Fuzz {
  /// Maximum processor time for one input, in nanoseconds.
  private static let longest: UInt64 = 1_000_000_000

  nonisolated(unsafe) private static var target = FuzzTarget.heif

  static func main() {
    guard CommandLine.argc > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1]) else {
      print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
      return
    }
    // SAFETY: no other code runs yet.
    unsafe self.target = target
    // libFuzzer gets the program name and the arguments after the target name.
    // SAFETY: there are at least two arguments; they live as long as the program.
    unsafe CommandLine.unsafeArgv[1] = CommandLine.unsafeArgv[0]
    var count = CommandLine.argc - 1
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      unsafe CommandLine
      .unsafeArgv.advanced(by: 1)
    exit(unsafe LLVMFuzzerRunDriver(&count, &arguments) { unsafe Fuzz.run($0, $1) })
  }

  private static func run(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    // SAFETY: libFuzzer passes `size` bytes, and runs inputs sequentially.
    let (bytes, target) = unsafe ([UInt8](UnsafeBufferPointer(start: data, count: size)), target)
    let start = processor_time()
    do { try target.run(bytes) } catch { fatalError("\(error)") }
    let time = processor_time() - start
    if time > longest { fatalError("\(time / 1_000_000) ms for one input") }
    return 0
  }
}
