// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Memory of the machine that this process may use.
enum MachineMemory {
  /// Physical memory, or a smaller limit of the control group or of the process, in bytes.
  static var available: Int {
    let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    return (ControlGroup.current.memoryLimits + processLimits).filter { $0 > 0 }
      .reduce(physical, min)
  }

  /// Soft limits of addresses and data, as `ulimit` sets them.
  private static var processLimits: [Int] {
    ControlGroup.text("/proc/self/limits").split(separator: "\n").compactMap { line in
      guard let name = ["Max address space", "Max data size"].first(where: line.hasPrefix) else {
        return nil
      }
      // A word of "unlimited" is none.
      return line.dropFirst(name.count).split(whereSeparator: \.isWhitespace).first
        .flatMap { Int($0) }
    }
  }
}
