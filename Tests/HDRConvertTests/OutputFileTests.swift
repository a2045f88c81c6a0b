// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import Testing

@testable import Command

@Suite("Output file") final class OutputFileTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("hdrconvert-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test func appearsWhole() throws {
    try OutputFile(path: path("a"), mayReplace: false).write([1, 2, 3])
    #expect(try Data(contentsOf: folder.appendingPathComponent("a")) == Data([1, 2, 3]))
    #expect(try names == ["a"])
  }

  /// An input is recognized under any path; a missing file or a device is not an input.
  @Test func inputsAreNoOutputs() throws {
    try OutputFile(path: path("a"), mayReplace: false).write([1])
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "a")
    try FileManager.default.linkItem(atPath: path("a"), toPath: path("hard"))
    for name in ["a", "./a", "link", "hard"] {
      let file = OutputFile(path: folder.path + "/" + name, mayReplace: true)
      let failure = #expect(throws: Failure.self) {
        try OutputFile.ensureWritable([file], differingFrom: ["-", path("a")])
      }
      #expect(failure?.exitCode == 64)
    }
    for (output, inputs) in [
      (path("b"), [path("a"), path("b")]), ("-", ["-"]), ("/dev/null", ["/dev/null"]),
    ] {
      try OutputFile.ensureWritable(
        [OutputFile(path: output, mayReplace: true)], differingFrom: inputs)
    }
  }

  /// Two outputs under names of one file, whether it exists or not.
  @Test func outputsDiffer() throws {
    try OutputFile(path: path("a"), mayReplace: false).write([1])
    for (link, target) in [("link", "a"), ("new", "none"), ("sub", ".")] {
      try FileManager.default.createSymbolicLink(
        atPath: path(link), withDestinationPath: target)
    }
    for (first, second) in [
      ("a", "link"), ("link", "a"), ("new", "none"), ("b", "sub/b"), ("b", "./b"),
    ] {
      let outputs = [first, second].map {
        OutputFile(path: folder.path + "/" + $0, mayReplace: true)
      }
      let failure = #expect(throws: Failure.self) {
        try OutputFile.ensureWritable(outputs, differingFrom: [])
      }
      #expect(failure?.error.code.id == "output/same")
    }
    try OutputFile.ensureWritable(
      ["a", "b"].map { OutputFile(path: path($0), mayReplace: true) }, differingFrom: [])
  }

  /// Files that are replaced are there until all outputs are complete.
  @Test func replacedFilesAreRestored() throws {
    func write(_ name: String, other: String, _ meanwhile: () -> Void = {}) throws {
      let companion = OutputFile.Companion(
        file: OutputFile(path: path(other), mayReplace: true), bytes: [2])
      _ = try OutputFile(path: name, mayReplace: false).write(with: companion) {
        sink throws(ImageError) in
        try sink.write([1])
        meanwhile()
      }
    }
    try OutputFile(path: path("b"), mayReplace: false).write([9])
    // The name is created while the file is written.
    #expect(throws: ImageError.self) {
      try write(path("a"), other: "b") {
        _ = FileManager.default.createFile(atPath: path("a"), contents: Data([3]))
      }
    }
    #expect(try Data(contentsOf: folder.appendingPathComponent("b")) == Data([9]))
    if FileManager.default.fileExists(atPath: "/dev/full") {
      #expect(throws: ImageError.self) { try write("/dev/full", other: "b") }
      #expect(try Data(contentsOf: folder.appendingPathComponent("b")) == Data([9]))
    }
    #expect(try names == ["a", "b"])
    try write(path("c"), other: "b")
    #expect(try Data(contentsOf: folder.appendingPathComponent("b")) == Data([2]))
    #expect(try names == ["a", "b", "c"])
  }

  /// Links that other users made in a folder where all create files are not followed, as by Linux.
  @Test(.enabled(if: geteuid() == 0, "only root makes links of other users"))
  func linksOfOthersAreNotFollowed() throws {
    try OutputFile(path: path("a"), mayReplace: false).write([1])
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "a")
    // SAFETY: the C strings live for the calls.
    #expect(unsafe lchown(path("link"), 65_534, 65_534) == 0)
    let file = OutputFile(path: path("link"), mayReplace: true)
    try file.write([2])
    #expect(unsafe chmod(folder.path, 0o1777) == 0)
    #expect(throws: ImageError.self) { try file.check() }
    #expect(throws: ImageError.self) { try file.write([3]) }
    #expect(try Data(contentsOf: folder.appendingPathComponent("a")) == Data([2]))
    // The owner of the folder may.
    #expect(unsafe chown(folder.path, 65_534, 65_534) == 0)
    try file.write([4])
    #expect(try Data(contentsOf: folder.appendingPathComponent("a")) == Data([4]))
  }

  /// A backup that has to be a copy appears whole; an incomplete one of a killed command is removed.
  @Test func backupsAreWholeCopies() throws {
    try OutputFile(path: path("a"), mayReplace: false).write([1, 2, 3])
    let left = PartialFile.nameOfCopy(for: path("a.orig"))
    try Data([9]).write(to: URL(fileURLWithPath: left))
    try OutputFile(replacing: path("a"), isAllowed: false, keepsBackup: true).copyOriginal()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("a.orig"))) == Data([1, 2, 3]))
    #expect(try names == ["a", "a.orig"])
    let missing = OutputFile(replacing: path("b"), isAllowed: false, keepsBackup: true)
    #expect(throws: ImageError.self) { try missing.copyOriginal() }
    #expect(try names == ["a", "a.orig"])
  }

  /// A symbolic link is kept, and its target is replaced.
  @Test func linksStay() throws {
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("sub"), withIntermediateDirectories: true)
    try OutputFile(path: path("sub/a"), mayReplace: false).write([1])
    try FileManager.default.createSymbolicLink(
      atPath: path("sub/middle"), withDestinationPath: "a")
    try FileManager.default.createSymbolicLink(
      atPath: path("link"), withDestinationPath: "sub/middle")
    #expect(throws: ImageError.self) {
      try OutputFile(path: path("link"), mayReplace: false).write([2])
    }
    try OutputFile(path: path("link"), mayReplace: true).write([3])
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: path("link"))
    #expect(link == "sub/middle")
    #expect(try Data(contentsOf: folder.appendingPathComponent("sub/a")) == Data([3]))
    #expect(try names == ["link", "sub"])
    let inside = try FileManager.default.contentsOfDirectory(atPath: path("sub")).sorted()
    #expect(inside == ["a", "middle"])
  }

  @Test(arguments: [230, 250, 255]) func longNames(count: Int) throws {
    let name = String(repeating: "n", count: count - 4) + ".png"
    try OutputFile(path: path(name), mayReplace: false).write([7])
    #expect(try names == [name])
  }

  @Test func replacesOnlyWhenAllowed() throws {
    let file = OutputFile(path: path("a"), mayReplace: false)
    try file.write([1])
    #expect(throws: ImageError.self) { try file.check() }
    #expect(throws: ImageError.self) { try file.write([2]) }
    #expect(try Data(contentsOf: folder.appendingPathComponent("a")) == Data([1]))
    try OutputFile(path: path("a"), mayReplace: true).write([3])
    #expect(try Data(contentsOf: folder.appendingPathComponent("a")) == Data([3]))
    #expect(try names == ["a"])
  }

  /// Two files of one command are both created, or neither is.
  @Test func waitsForTheOther() throws {
    func write(_ name: String, other: String, _ meanwhile: () -> Void = {}) throws {
      let companion = OutputFile.Companion(
        file: OutputFile(path: path(other), mayReplace: false), bytes: [2])
      _ = try OutputFile(path: path(name), mayReplace: false).write(with: companion) {
        sink throws(ImageError) in
        try sink.write([1])
        meanwhile()
      }
    }
    #expect(throws: ImageError.self) { try write("a", other: "none/b") }
    #expect(try names.isEmpty)
    // The name is created while the file is written.
    #expect(throws: ImageError.self) {
      try write("a", other: "b") {
        _ = FileManager.default.createFile(atPath: path("a"), contents: Data([3]))
      }
    }
    #expect(try names == ["a"])
    #expect(try Data(contentsOf: folder.appendingPathComponent("a")) == Data([3]))
    try write("c", other: "b")
    #expect(try names == ["a", "b", "c"])
  }

  /// A failure of a pipe or a device also prevents the other file.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no device is full"))
  func waitsForADevice() throws {
    let companion = OutputFile.Companion(
      file: OutputFile(path: path("b"), mayReplace: false), bytes: [2])
    #expect(throws: ImageError.self) {
      _ = try OutputFile(path: "/dev/full", mayReplace: true).write(with: companion) {
        sink throws(ImageError) in
        try sink.write([1])
      }
    }
    #expect(try names.isEmpty)
  }

  @Test func keepsPermissions() throws {
    let file = OutputFile(path: path("a"), mayReplace: true)
    try file.write([1])
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path("a"))
    try file.write([2])
    let mode = try FileManager.default.attributesOfItem(atPath: path("a"))[.posixPermissions]
    #expect(mode as? Int == 0o640)
  }

  @Test func namesAMissingFolder() throws {
    let file = OutputFile(path: path("none/a"), mayReplace: false)
    let error = #expect(throws: ImageError.self) { try file.check() }
    #expect(error?.category == .cannotCreate)
    #expect(error?.location.file == path("none/a"))
    let remedy = error.flatMap { Remedies.remedy(against: $0, of: .current) }
    #expect(remedy == "mkdir -p \(path("none"))")
  }

  @Test func namesAFolder() throws {
    for mayReplace in [false, true] {
      let error = #expect(throws: ImageError.self) {
        try OutputFile(path: folder.path, mayReplace: mayReplace).check()
      }
      #expect(error?.code.id == "output/is-folder")
    }
  }

  /// Chunks larger and smaller than the buffer, and overwrites of flushed and of buffered bytes.
  @Test func piecesAndCorrections() throws {
    let large = [UInt8](repeating: 7, count: 3 << 20)
    let count = try OutputFile(path: path("a"), mayReplace: false).write {
      sink throws(ImageError) in
      try sink.write([1, 2, 3])
      try sink.write(large)
      try sink.write([4, 5])
      try sink.rewrite([9, 9], at: 2)
      try sink.rewrite([8], at: sink.count - 1)
      try sink.write([6])
    }
    let expected = [1, 2, 9, 9] + large.dropFirst() + [4, 8, 6]
    #expect(count == expected.count)
    #expect(try Data(contentsOf: folder.appendingPathComponent("a")) == Data(expected))
  }

  @Test func failuresLeaveNothing() throws {
    let failure = ImageError(ErrorCode("test", .codecFailure, "no more"))
    let error = #expect(throws: ImageError.self) {
      _ = try OutputFile(path: path("a"), mayReplace: false).write { sink throws(ImageError) in
        try sink.write([UInt8](repeating: 7, count: 3 << 20))
        throw failure
      }
    }
    #expect(error == failure)
    #expect(try names == [])
  }

  /// A pipe receives the corrected bytes.
  @Test func pipesGetWholeFiles() throws {
    let pipe = path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    // Opened for reading and writing, so that neither side blocks.
    let reader = unsafe open(pipe, O_RDWR)
    defer { close(reader) }
    let count = try OutputFile(path: pipe, mayReplace: true).write { sink throws(ImageError) in
      try sink.write([1, 2, 3])
      try sink.rewrite([0], at: 0)
    }
    #expect(count == 3)
    var bytes = [UInt8](repeating: 0xFF, count: 8)
    #expect(unsafe read(reader, &bytes, 8) == 3)
    #expect(bytes[..<3] == [0, 2, 3])
  }

  @Test func leavesDevicesInPlace() throws {
    try OutputFile(path: "/dev/null", mayReplace: true).write([1, 2, 3])
    var isFolder: ObjCBool = false
    #expect(unsafe FileManager.default.fileExists(atPath: "/dev/null", isDirectory: &isFolder))
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
    #expect(type as? FileAttributeType != .typeRegular)
  }
}
