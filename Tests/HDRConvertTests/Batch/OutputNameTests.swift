// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Command

@Suite("Names of outputs") struct OutputNameTests {
  private static func values(folder: String = "2024/may") -> OutputName.Values {
    OutputName.Values(
      folder: folder, stem: "IMG_1", suffix: "avif", sourceSuffix: "HEIC", index: 7,
      size: (width: 1200, height: 900))
  }

  @Test(arguments: [
    ("{dir}/{stem}.{ext}", "2024/may/IMG_1.avif"), ("{stem}-{width}.{ext}", "IMG_1-1200.avif"),
    ("{index}-{height}.{ext}", "7-900.avif"), ("all/{dir}/x.{ext}", "all/2024/may/x.avif"),
    ("{dir}//./{stem}", "2024/may/IMG_1"), ("{stem}-{source}.{ext}", "IMG_1-HEIC.avif"),
    ("plain", "plain"),
  ])
  func templates(text: String, path: String) throws {
    #expect(try #require(OutputName(argument: text)).path(Self.values()) == path)
  }

  @Test func suffixMayBeEmpty() {
    var values = Self.values()
    values.suffix = ""
    #expect(OutputName.usual.path(values) == "2024/may/IMG_1")
  }

  @Test func folderMayBeEmpty() {
    #expect(OutputName.usual.path(Self.values(folder: "")) == "IMG_1.avif")
  }

  @Test(arguments: ["", "{", "}", "{stem", "{unknown}.x", "a}b", "{}", "{stem}}"])
  func wrongTemplates(text: String) { #expect(OutputName(argument: text) == nil) }

  @Test(arguments: [("{stem}", false), ("{width}", true), ("a{height}", true)])
  func sizesAreReadIfNeeded(text: String, needsSize: Bool) throws {
    #expect(try #require(OutputName(argument: text)).needsSize == needsSize)
  }
}

@Suite("Inputs") struct BatchInputTests {
  /// The path that is opened, the name in journals, the kept folder, and the path for lists.
  @Test(arguments: [
    ("a/b.heic", "a/b.heic", "a/b.heic", "", "a/./b.heic"),
    ("b.heic", "b.heic", "b.heic", "", "b.heic"),
    ("r/./a/b.heic", "r/a/b.heic", "a/b.heic", "a", "r/./a/b.heic"),
    ("/r/./b.heic", "/r/b.heic", "b.heic", "", "/r/./b.heic"),
  ])
  func arguments(given: String, path: String, name: String, folder: String, listed: String) {
    let input = BatchInput(argument: given)
    #expect(input.path == path && input.name == name && input.folder == folder)
    #expect(input.listed == listed)
  }

  @Test(arguments: [
    ("a/b.heic", "a/b.heic", "a"), ("../b.heic", "../b.heic", ""), ("/r/b.heic", "/r/b.heic", "r"),
    ("r/./a/b.heic", "a/b.heic", "a"), ("./b.heic", "./b.heic", ""),
  ])
  func linesKeepTheirFolders(given: String, name: String, folder: String) {
    let input = BatchInput(listed: given)
    #expect(input.name == name && input.folder == folder)
  }

  /// A line of `journal --failed` gives the same output as the folder did.
  @Test(arguments: ["photos", "photos/", "/mnt/photos"])
  func listsContinueFolders(root: String) {
    let input = BatchInput(path: "2024/a.heic", below: root)
    let again = BatchInput(listed: input.listed)
    #expect(again.path == input.path && again.name == input.name && again.folder == input.folder)
  }

  @Test func listsAreLinesOrEndWithNUL() {
    #expect(InputList.lines(Array("a b\r\n\nc".utf8)) == ["a b", "c"])
    #expect(InputList.lines(Array("a\nb\0c\0".utf8)) == ["a\nb", "c"])
  }
}
