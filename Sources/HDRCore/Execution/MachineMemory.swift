// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Memory of the machine that this process may use.
enum MachineMemory {
  /// Physical memory, or a smaller limit of the control group or of the process, in bytes.
  static var available: Int {
    let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    return (groupLimits + processLimits).filter { $0 > 0 }.reduce(physical, min)
  }

  /// Limits of the control groups that contain the process, of both versions.
  ///
  /// A container sees its own group as the root.
  private static var groupLimits: [Int] {
    text("/proc/self/cgroup").split(separator: "\n").flatMap { line -> [Int] in
      // "0::/path" in version 2; "9:memory:/path" in version 1.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      let (root, file) =
        fields[1].isEmpty
        ? ("/sys/fs/cgroup", "memory.max")
        : ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
      guard fields[1].isEmpty || fields[1].split(separator: ",").contains("memory") else {
        return []
      }
      var path = fields[2].split(separator: "/")
      var limits: [Int] = []
      while true {
        let folder = ([root] + path.map(String.init)).joined(separator: "/")
        limits += number(in: text("\(folder)/\(file)")[...]).map { [$0] } ?? []
        guard path.popLast() != nil else { return limits }
      }
    }
  }

  /// Soft limits of addresses and data, as `ulimit` sets them.
  private static var processLimits: [Int] {
    text("/proc/self/limits").split(separator: "\n").compactMap { line in
      guard let name = ["Max address space", "Max data size"].first(where: line.hasPrefix) else {
        return nil
      }
      return number(in: line.dropFirst(name.count))
    }
  }

  /// The first word, if it is a number and not "max" or "unlimited".
  private static func number(in text: Substring) -> Int? {
    text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
  }

  private static func text(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
