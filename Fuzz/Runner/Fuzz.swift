// SPDX-License-Identifier: Apache-2.0
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

  /// Mutates the structure of a file for half of the seeds, numbers for a quarter, and single bytes for
  /// the others.
  fileprivate static func mutate(
    _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: UInt32
  ) -> Int {
    // SAFETY: libFuzzer passes a buffer of `limit` bytes, of which `size` are used.
    let buffer = unsafe UnsafeMutableBufferPointer(start: data, count: limit)
    if seed & 3 == 1 {
      var mutation = ValueMutation(seed: UInt64(seed))
      let mutated = unsafe mutation.apply(to: Array(buffer.prefix(size))).prefix(limit)
      _ = unsafe buffer.update(from: mutated)
      return mutated.count
    }
    guard seed & 1 == 0 else { return unsafe LLVMFuzzerMutate(data, size, limit) }
    var mutation = StructuredMutation(seed: UInt64(seed), limit: limit) { content in
      var changed = content + [UInt8](repeating: 0, count: 64)
      let capacity = changed.count
      // SAFETY: the array has `capacity` bytes.
      let count = unsafe changed.withUnsafeMutableBufferPointer {
        unsafe LLVMFuzzerMutate($0.baseAddress, content.count, capacity)
      }
      return Array(changed.prefix(count))
    }
    guard let mutated = unsafe mutation.apply(to: Array(buffer.prefix(size))) else {
      return unsafe LLVMFuzzerMutate(data, size, limit)
    }
    _ = unsafe buffer.update(from: mutated)
    return mutated.count
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

/// The custom mutator of libFuzzer.
@_cdecl("LLVMFuzzerCustomMutator")
func customMutator(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: UInt32
) -> Int {
  unsafe Fuzz.mutate(data, size, limit, seed)
}
