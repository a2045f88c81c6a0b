// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Command

@Suite("File names in remedies") struct FileNamesTests {
  @Test(arguments: [
    ("photo.jpg", "photo.jpg"), ("a/b-c_1.heic", "a/b-c_1.heic"),
    ("my photo.jpg", "'my photo.jpg'"),
    ("it's.jpg", "'it'\\''s.jpg'"), ("$x.jpg", "'$x.jpg'"), ("", "''"),
    ("~/x.jpg", "'~/x.jpg'"), ("=ls", "'=ls'"), ("été.jpg", "'été.jpg'"),
    ("-x.jpg", "./-x.jpg"), ("-x y.jpg", "'./-x y.jpg'"), ("-", "-"),
  ])
  func asArgument(name: String, argument: String) { #expect(name.asArgument == argument) }

  @Test func besideOthers() {
    #expect("a/photo.jpg".named("hdr", suffix: "avif") == "a/photo-hdr.avif")
    #expect("photo.jpg".named("kept") == "photo-kept.jpg")
    #expect("-".named("hdr", suffix: "png") == "out-hdr.png")
  }

  @Test(arguments: [
    (
      "a/x.exr", "make it: hdrconvert IN -o IN-hdr.avif",
      "make it: hdrconvert a/x.exr -o a/x-hdr.avif"
    ),
    ("x y.exr", "hdrconvert IN -o IN-sdr.jpg, then", "hdrconvert 'x y.exr' -o 'x y-sdr.jpg', then"),
    ("x.exr", "--flavors iso", "--flavors iso"),
  ])
  func about(file: String, remedy: String, expected: String) {
    #expect(remedy.about(file: file) == expected)
    #expect(remedy.about(file: nil) == remedy)
  }

  @Test(arguments: [
    (["d1/a.exr", "d2/a.exr", "b.exr"], ["d1/a.exr", "d2/a.exr", "b.exr"]),
    (["/x/d/a.exr", "/y/d/a.exr", "/y/c.exr"], ["x/d/a.exr", "y/d/a.exr", "c.exr"]),
    (["a.exr", "d/a.exr", "a.exr"], ["a.exr", "d/a.exr", "a.exr"]),
    (["standard input", "p/q.heic"], ["standard input", "q.heic"]),
  ])
  func namesKeepWhatTellsThemApart(paths: [String], names: [String]) {
    #expect(paths.distinctNames == names)
  }
}
