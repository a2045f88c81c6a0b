// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import Platform

/// The inputs of a command, in order: arguments, then the lines of `--files-from`.
struct InputList {
  private(set) var inputs: [BatchInput] = []
  /// Folders whose files are not known.
  private(set) var unreadable: [(folder: BatchInput, failure: Failure)] = []

  /// Collects the inputs.
  ///
  /// - Parameters:
  ///   - arguments: Files, and with `--recursive` folders.
  ///   - options: Lists and recursion; the folder of outputs is not searched.
  ///   - limits: Limits on lists.
  /// - Throws: The failure that ends the command: a list that cannot be read, or no input.
  init(_ arguments: [String], _ options: BatchOptions, limits: ImageLimits) throws(Failure) {
    for argument in arguments {
      if options.recursive, Self.isFolder(argument) {
        addImages(below: argument, except: options.outDir)
      } else {
        inputs.append(BatchInput(argument: argument))
      }
    }
    if let list = options.filesFrom {
      let bytes = try during(.reading, list) { () throws(ImageError) in
        try openInput(list, limits: limits).allBytes()
      }
      inputs += Self.lines(bytes).map(BatchInput.init(listed:))
    }
    guard !inputs.isEmpty || !unreadable.isEmpty else { throw Failure(ImageError(.batchNoInput)) }
    distinguishNames()
  }

  /// Gives inputs that have the same name, below several folders, their paths as names.
  private mutating func distinguishNames() {
    let counts = inputs.reduce(into: [PathKey: Int]()) { counts, input in
      counts[PathKey(name: input.name), default: 0] += 1
    }
    for index in inputs.indices where counts[PathKey(name: inputs[index].name)] != 1 {
      inputs[index].name = inputs[index].path
    }
  }

  /// The lines of a list; those of text may end with CR and LF, and empty ones do not count.
  ///
  /// No name contains NUL: a list with one separates its names by it, as `find -print0` does.
  static func lines(_ bytes: [UInt8]) -> [String] {
    let endsWithNUL = bytes.contains(0)
    return bytes.split(separator: endsWithNUL ? 0 : 0x0A).compactMap { line in
      let text = !endsWithNUL && line.last == 0x0D ? line.dropLast() : line
      return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
  }

  private static func isFolder(_ path: String) -> Bool { FileIdentity(path)?.isFolder == true }

  /// Adds the image files below a folder, in the order of the bytes of their names.
  ///
  /// Hidden files and linked folders are left out.
  private mutating func addImages(below root: String, except outputs: String?) {
    let outputs = outputs.flatMap(FileIdentity.init)
    var found: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let path = BatchInput(path: folder, below: root).path
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
        let error = ImageError(.batchFolderNotReadable, ["detail": lastSystemError])
        unreadable.append((BatchInput(path: folder, below: root), Failure(error.inFile(path))))
        continue
      }
      for name in names where !name.hasPrefix(".") {
        let inner = folder.isEmpty ? name : "\(folder)/\(name)"
        let innerPath = BatchInput(path: inner, below: root).path
        if Self.isFolder(innerPath) {
          let isLink =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: innerPath)) != nil
          let isOutput = outputs != nil && FileIdentity(innerPath)?.isSameFile(as: outputs) == true
          if !isLink, !isOutput { folders.append(inner) }
        } else if Self.isImage(name) {
          found.append(inner)
        }
      }
    }
    inputs += found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { BatchInput(path: $0, below: root) }
  }

  /// Whether a name has the suffix of a format that can be read.
  static func isImage(_ name: String) -> Bool {
    FileFormat(suffix: name.fileSuffix) != nil || isRaw(name)
  }

  /// Whether a name has the suffix of a raw file.
  static func isRaw(_ name: String) -> Bool { rawSuffixes.contains(name.fileSuffix.lowercased()) }

  /// Suffixes of raw files by camera makers.
  private static let rawSuffixes: Set<String> = [
    "3fr", "arw", "cr2", "cr3", "crw", "dng", "erf", "fff", "iiq", "kdc", "mef", "mos", "mrw",
    "nef", "nrw", "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
  ]

  /// Fails if none of the inputs is a raw file.
  func requireRaw() throws(Failure) {
    guard !inputs.isEmpty, !inputs.contains(where: { Self.isRaw($0.path) }) else { return }
    throw Failure(ImageError(.rawOptionWithoutRaw, ["field": "--raw"]))
  }

  /// Combines each raw file with the processed image of the same name in its folder, which need not be an input.
  ///
  /// The pair has the position of the first of both. A JPEG takes precedence over HEIF.
  ///
  /// - Throws: The failure that ends the command: no raw file has such an image.
  mutating func pair() throws(Failure) {
    var companions: [PathKey: [String]] = [:]
    for input in inputs where Self.rank(input.path) != nil {
      companions[input.path.pairName, default: []].append(input.path)
    }
    let raws = Dictionary(
      inputs.filter { Self.isRaw($0.path) }.map { ($0.path.pairName, $0) },
      uniquingKeysWith: { first, _ in first })
    var seen: Set<PathKey> = []
    inputs = inputs.compactMap { input in
      let name = input.path.pairName
      let listed = companions[name]?.min { Self.rank($0) ?? 0 < Self.rank($1) ?? 0 }
      // Other images of the same name are inputs of their own.
      guard var raw = raws[name], input == raw || input.path == listed,
        let companion = listed ?? Self.imageOfCamera(for: raw.path)
      else { return input }
      guard seen.insert(name).inserted else { return nil }
      raw.companion = companion
      return raw
    }
    guard seen.isEmpty, let raw = raws.values.map(\.path).min() else { return }
    throw Failure(ImageError(.batchCompanionMissing, ["name": raw.fileName.withoutFileSuffix]))
  }

  /// The processed image of the name of a raw file, in its folder.
  private static func imageOfCamera(for raw: String) -> String? {
    processedSuffixes.flatMap { [$0.uppercased(), $0] }
      .map { "\(raw.withoutFileSuffix).\($0)" }
      .first { FileIdentity($0)?.isFolder == false }
  }

  /// Suffixes of images that cameras write with raw files, the preferred one first.
  private static let processedSuffixes = ["jpg", "jpeg", "heic", "heif", "hif"]

  private static func rank(_ path: String) -> Int? {
    processedSuffixes.firstIndex(of: path.fileSuffix.lowercased())
  }
}

extension String {
  /// The path without suffix, by which raw files and processed images belong together.
  fileprivate var pairName: PathKey { PathKey(withoutFileSuffix) }
}

/// One of many inputs.
struct BatchInput: Hashable, Sendable {
  /// The path that opens the file.
  let path: String
  /// The name in journals and of `--shard`: the path as it was given, or the path below the folder
  /// that was given, unless several inputs have that.
  var name: String
  /// The folder below the one that was given, for the names of outputs.
  let folder: String
  /// The SDR image that belongs to a raw file.
  var companion: String?

  /// A file that was named, whose output lies directly in the folder of outputs, unless `/./` in the
  /// path separates the part that is kept below it.
  init(argument path: String) { self.init(path: path, keepingFolders: false) }

  /// A line of a list, whose folders are kept; `/./` begins the part that is kept.
  init(listed path: String) { self.init(path: path, keepingFolders: true) }

  /// A file below a folder that was given.
  init(path name: String, below folder: String) {
    path = folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    self.name = name
    self.folder = name.folder
  }

  private init(path: String, keepingFolders: Bool) {
    guard let marker = path.firstRange(of: "/./") else {
      self.path = path
      name = path
      // Outputs never leave the folder of outputs.
      let parts = path.folder.split(separator: "/").filter { $0 != "." }
      folder = keepingFolders && !parts.contains("..") ? parts.joined(separator: "/") : ""
      return
    }
    let kept = path[marker.upperBound...].split(separator: "/").filter { $0 != "." }
    let name = kept.joined(separator: "/")
    self.path = path[..<marker.lowerBound] + "/" + name
    self.name = name
    folder = kept.contains("..") ? "" : name.folder
  }

  /// The path with `/./` before the part that the output keeps, for `--files-from`.
  var listed: String { listed(path) }

  /// The path of the SDR image, likewise.
  var listedCompanion: String? { companion.map(listed) }

  private func listed(_ path: String) -> String {
    let kept = folder.isEmpty ? path.fileName : "\(folder)/\(path.fileName)"
    guard path.hasSuffix("/" + kept) else { return path }
    return path.dropLast(kept.count + 1) + "/./" + kept
  }
}
