// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Prints what kernels, fused paths and whole conversions cost.
///
/// `swift run -c release Benchmarks [--json] [GROUP...] [PATH-OF-HDRCONVERT]`: with the path of a release
/// build of the command, its memory is measured, too; groups are `--kernels`, `--paths`, `--maps`,
/// `--renditions`, `--raw` and `--cancellation`, without the name of one all of them. These machines are
/// noisy: compare the ratios. `scripts/benchmark` compares them with other programs.
///
/// Goals are for two cores: "on two cores" is the processor time of a run with two threads, shared by two,
/// which is the elapsed time if nothing else runs and both threads have as much to do. The lines below
/// it are the elapsed times with one thread and with two.
@main struct Benchmarks {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if let task = arguments.first.flatMap(ChildTask.init(rawValue:)), let argument = arguments.last
    {
      return try task.run(argument)
    }
    var results: [Measurement] = []
    if let command = arguments.first(where: { !$0.hasPrefix("--") }) {
      results += try measureConversions(command: command)
    }
    let groups = ["--kernels", "--paths", "--maps", "--renditions", "--raw", "--cancellation"]
    let wantsAll = arguments.allSatisfy { !groups.contains($0) }
    func wants(_ group: String) -> Bool { wantsAll || arguments.contains(group) }
    let scene = try Scene()
    if wants("--kernels") { results += measureKernels() }
    if wants("--paths") { results += try measureFusedPaths(scene) }
    if wants("--maps") { results += try measureGainMaps(scene) }
    if wants("--renditions") {
      results += try measureRenditions(scene) + measureRendering(scene)
    }
    if wants("--raw") { results += try measureRawFiles() }
    if wants("--cancellation") { results += try measureCancellation() }
    guard !arguments.contains("--json") else {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return print(String(decoding: try encoder.encode(results), as: UTF8.self))
    }
    for result in results {
      let name = result.name.padding(toLength: 54, withPad: " ", startingAt: 0)
      let value = String(format: "%9.3f ", result.value)
      let ratio = result.copies.map { String(format: "  %6.1f copies", $0) } ?? ""
      let verdict = result.goal.map {
        String(format: "  %@ of %.2f", result.value <= $0 ? "pass" : "FAIL", $0)
      }
      print(name + value + result.unit + (verdict ?? ratio))
    }
  }
}
