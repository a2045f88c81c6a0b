// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Memory of the machine that this process may use.
enum MachineMemory {
  /// Physical memory, or a smaller limit of the control group or of the process, in bytes.
  static var available: Int {
    let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    let limits = ProcessLimits()
    return (ControlGroup.current.memoryLimits + [limits.addresses, limits.data].compactMap(\.self))
      .filter { $0 > 0 }.reduce(physical, min)
  }
}
