// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import Command

#if PNG
@Suite("Limits of the command") struct LimitTests {
  /// Does not write output; with more memory, the same command can succeed (75).
  @Test(arguments: [["--memory-limit", "10K"], ["--max-pixels", "4095"]])
  func overALimit(option: [String]) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("hdrconvert-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let input = folder.appendingPathComponent("in.png")
    let output = folder.appendingPathComponent("out.png")
    let format = ImageLayout(
      width: 64, height: 64, components: .rgb, samples: .integer(bits: 16))
    let plane = Plane<UInt16>(width: 64, height: 64, filledWith: 1)
    let image = OutputImage(
      Image(
        ImagePlanes(layout: format, planes: .integer([plane, plane, plane])),
        CICP(primaries: .bt2020, transfer: .pq)))
    try Data(image.encoded(as: .png, options: EncoderOptions())).write(to: input)
    let arguments = [input.path, "-o", output.path, "--quiet"]
    let failure = #expect(throws: Failure.self) {
      try Convert.parse(arguments + option).run()
    }
    #expect(failure?.exitCode == (option[0] == "--memory-limit" ? 75 : 65))
    #expect(failure?.remedy.contains(option[0]) == true)
    #expect(!FileManager.default.fileExists(atPath: output.path))
    try Convert.parse(arguments).run()
    #expect(FileManager.default.fileExists(atPath: output.path))
  }
}
#endif
