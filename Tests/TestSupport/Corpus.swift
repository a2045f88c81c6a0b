// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import HDRCore
public import ImageFiles

/// Camera and encoder files for tests, which are not part of the repository.
///
/// The folder is specified by the environment variable `HDR_CORPUS`; by default it is
/// `../shared/corpus`, relative to the package. Tests that need it are skipped if it is missing.
public enum Corpus {
  public static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["HDR_CORPUS"] { return URL(filePath: path) }
    return URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "../shared/corpus").standardized
  }()

  public static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  /// Paths of the files in some folders, as `folder/name`.
  public static func files(in folders: [String], extensions: [String]? = nil) -> [String] {
    folders.flatMap { name -> [String] in
      let entries = try? FileManager.default.contentsOfDirectory(
        atPath: folder.appending(path: name).path)
      return (entries ?? []).sorted().filter { entry in
        extensions.map { $0.contains((entry as NSString).pathExtension) } ?? true
      }.map { "\(name)/\($0)" }
    }
  }

  public static func path(_ name: String) -> String { folder.appending(path: name).path }

  public static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  public static func source(_ name: String) throws(ImageError) -> ByteSource {
    try ByteSource(path: path(name))
  }
}
