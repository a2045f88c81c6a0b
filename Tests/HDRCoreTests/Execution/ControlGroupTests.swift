// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HDRCore

@Suite("Limits of control groups") final class ControlGroupTests {
  private let root = FileManager.default.temporaryDirectory
    .appendingPathComponent("hdrconvert-groups-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: root) }

  private func write(_ text: String, to name: String) throws {
    let file = root.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func group(_ membership: String) -> ControlGroup {
    ControlGroup(membership: membership, root: root.path)
  }

  /// The limits of all groups that contain the process count.
  @Test func version2() throws {
    try write("max 100000\n", to: "cpu.max")
    try write("150000 100000\n", to: "pod/cpu.max")
    try write("400000 100000\n", to: "pod/one/cpu.max")
    try write("max\n", to: "pod/memory.max")
    try write("1073741824\n", to: "pod/one/memory.max")
    let group = group("0::/pod/one\n")
    #expect(group.processorLimits == [4, 2])
    #expect(group.memoryLimits == [1 << 30])
  }

  @Test func version1() throws {
    try write("-1\n", to: "cpu/cpu.cfs_quota_us")
    try write("100000\n", to: "cpu/cpu.cfs_period_us")
    try write("200000\n", to: "cpu/job/cpu.cfs_quota_us")
    try write("100000\n", to: "cpu/job/cpu.cfs_period_us")
    try write("536870912\n", to: "memory/job/memory.limit_in_bytes")
    let group = group("4:cpu,cpuacct:/job\n9:memory:/job\n1:name=systemd:/x\n")
    #expect(group.processorLimits == [2])
    #expect(group.memoryLimits == [512 << 20])
  }

  @Test(arguments: ["", "no group", "0::/", "4:cpu:/a"])
  func noLimits(membership: String) throws {
    try write("0 0\n", to: "cpu.max")
    try write("nonsense\n", to: "memory.max")
    #expect(group(membership).processorLimits.isEmpty && group(membership).memoryLimits.isEmpty)
  }
}
