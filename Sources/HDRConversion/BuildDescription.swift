// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
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

/// Seconds that stages of a conversion take, as measured on the machine of `Documentation/Speed.md`
/// with two threads.
///
/// Only their ratios matter: they are the shares of the progress that the stages take.
enum ExpectedTime {
  /// The time until the first row of an image can be read.
  ///
  /// Images that are decoded row by row leave it to the next stage.
  static func reading(_ image: SourceImage) -> Double {
    image.image.layout.megapixels * (image.isDeveloped ? 0.15 : 0.03)
  }

  /// The time to measure or convert an image.
  static func converting(_ layout: ImageLayout) -> Double { layout.megapixels * 0.05 }

  /// The time to encode an image after an edit.
  ///
  /// - Parameters:
  ///   - layout: Its layout before the edit.
  ///   - edit: Crop, size and rotation.
  ///   - format: Format of the file.
  ///   - options: Options of the encoder.
  /// - Returns: Seconds.
  static func encoding(
    _ layout: ImageLayout, _ edit: GeometryEdit, as format: FileFormat, _ options: EncoderOptions
  ) -> Double {
    var layout = layout
    let parameters = try? edit.parameters(
      width: layout.width, height: layout.height, orientation: .upright,
      limits: Execution.current.limits)
    if let size = parameters?.resampling {
      (layout.width, layout.height) = (size.width, size.height)
    }
    return format.traits.encodingTime(of: layout, options)
  }
}
