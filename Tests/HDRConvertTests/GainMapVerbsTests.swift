// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import Command

@Suite("Options of gain map verbs") struct GainMapVerbsTests {
  /// Options without effect are refused.
  @Test(arguments: [
    "gainmap flatten a.jpg -o b.jpg --jobs 2", "gainmap flatten a.jpg -o b.jpg --assume pq",
    "gainmap flatten a.jpg -o b.jpg --progress none",
    "gainmap extract a.jpg -o b.jpg --assume pq", "gainmap extract a.jpg -o b.jpg --progress none",
    "gainmap apply a.jpg -o b.avif --gainmap apply", "tag a.jpg --progress none",
    "extract a.jpg -o b --exif --jobs 2", "remux a.jpg -o b.jpg --flavors iso --quality 50",
    "remux a.jpg -o b.jpg --flavors iso --exact --gainmap-quality 50",
    "remux a.jpg -o b.jpg --rotate 90 --speed 3",
  ])
  func withoutEffect(words: String) {
    #expect(throws: (any Error).self) {
      _ = try HDRConvert.parseAsRoot(words.split(separator: " ").map(String.init))
    }
  }

  @Test(arguments: [
    "gainmap flatten a.jpg -o b.jpg --max-pixels 40M", "gainmap extract a.jpg -o b.png --jobs 2",
    "gainmap swap a.avif -o b.jpg --allow-reencode --json", "gainmap apply a.jpg -o b.avif",
    "gainmap swap a.jpg -o b.jpg --progress none",
    "remux a.jpg -o b.jpg --flavors iso --progress bar",
    "gainmap join --baseline a.jpg --map m.jpg -o b.jpg --progress none",
    "a.jpg -o b.jpg --gainmap keep --resize 100",
    "remux a.jpg -o b.avif --flavors iso --allow-reencode --quality 50",
    "remux a.jpg -o b.jpg --flavors iso --exact --speed 3",
  ])
  func withEffect(words: String) throws {
    _ = try HDRConvert.parseAsRoot(words.split(separator: " ").map(String.init))
  }
}
