// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// The control groups of Linux that contain this process, of both versions.
///
/// Source: cgroups(7); Linux, Control Group v2, cpu.max and memory.max.
struct ControlGroup {
  /// The lines of /proc/self/cgroup: "0::/path" in version 2; "9:memory:/path" in version 1.
  let membership: String
  /// The folder where the file systems of control groups are mounted.
  let root: String

  /// The groups of this process.
  static var current: ControlGroup {
    ControlGroup(membership: text("/proc/self/cgroup"), root: "/sys/fs/cgroup")
  }

  /// Limits of memory in bytes.
  var memoryLimits: [Int] {
    folders(of: "memory").flatMap { folder in
      ["memory.max", "memory.limit_in_bytes"].compactMap { file in
        Self.words(in: "\(folder)/\(file)").first.flatMap { Int($0) }
      }
    }
  }

  /// Limits of processor time, in processors, rounded up.
  var processorLimits: [Int] {
    folders(of: "cpu").compactMap { folder in
      var words = Self.words(in: "\(folder)/cpu.max")
      if words.isEmpty {
        words = ["cpu.cfs_quota_us", "cpu.cfs_period_us"].flatMap { file in
          Self.words(in: "\(folder)/\(file)")
        }
      }
      // A quota of "max" or -1 is none.
      guard words.count == 2, let quota = Double(words[0]), let period = Double(words[1]),
        quota > 0, period > 0
      else { return nil }
      return Int(exactly: (quota / period).rounded(.up))
    }
  }

  /// Folders of the groups that control a resource, the innermost first.
  ///
  /// A container sees its own group as the root.
  private func folders(of controller: String) -> [String] {
    membership.split(separator: "\n").flatMap { line -> [String] in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      let mount = fields[1].isEmpty ? root : "\(root)/\(controller)"
      guard fields[1].isEmpty || fields[1].split(separator: ",").contains(controller[...]) else {
        return []
      }
      var path = fields[2].split(separator: "/").map(String.init)
      var folders: [String] = []
      while true {
        folders.append(([mount] + path).joined(separator: "/"))
        guard path.popLast() != nil else { return folders }
      }
    }
  }

  private static func words(in path: String) -> [String] {
    text(path).split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// The text of a file; empty if it cannot be read.
  static func text(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
