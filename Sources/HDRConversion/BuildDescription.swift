// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Build options and platform of the program, for reports of defects.
package struct BuildDescription: Sendable {
  /// Whether the compiler optimized: "release" or "debug".
  package let configuration: String
  /// Version of the Swift compiler.
  package let compiler: String
  /// Architecture of the processor, such as "x86_64".
  package let processor: String
  /// Instruction set of the selected kernels.
  package let instructionSet: String
  /// Name and version of the operating system.
  package let system: String
  /// Number of threads that jobs use by default.
  package let threads: Int
  /// Memory that jobs use at most by default, in bytes.
  package let memoryLimit: Int

  /// This program on this machine.
  package static var current: Self {
    #if DEBUG
    let configuration = "debug"
    #else
    let configuration = "release"
    #endif
    #if compiler(>=6.4)
    let compiler = "Swift 6.4 or later"
    #elseif compiler(>=6.3)
    let compiler = "Swift 6.3"
    #else
    let compiler = "Swift 6.2"
    #endif
    return Self(
      configuration: configuration, compiler: compiler, processor: architecture,
      instructionSet: kernelInstructionSet, system: systemName(), threads: Execution().threads,
      memoryLimit: Execution.Budget.defaultMemory)
  }

  /// The version of the program, the build and the machine, in two lines.
  package static var versionText: String {
    let build = Self.current
    return """
      hdrconvert \(toolVersion)
      \(build.configuration) build, \(build.compiler), \(build.processor), \
      kernels for \(build.instructionSet), \(build.system)
      """
  }
}
