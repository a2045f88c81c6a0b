// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRCore
internal import ImageFiles
internal import Platform

/// One input and its output.
struct BatchJob: Sendable {
  let input: BatchInput
  /// The path of the output, or the error that prevented naming it.
  var output: Result<String, Failure>
  /// Sizes of the images of the input, if its output is named after them.
  var extent: ImageExtent?
  /// The output among several of the input.
  var variant: OutputVariant?
  /// Size of the output in pixels, if it is named after it.
  var size: (width: Int, height: Int)?
}

/// The inputs of a command with the names of their outputs.
struct BatchJobList {
  private(set) var jobs: [BatchJob] = []

  /// Collects inputs and names outputs.
  ///
  /// An input whose output is that of an earlier one fails alone.
  ///
  /// - Throws: The failure that ends the command before any work: a list that cannot be read, or an
  ///   output that is an input.
  init(_ verb: some BatchVerb) throws {
    let batch = verb.batch
    var list = try InputList(verb.inputPaths, batch, limits: Execution.current.limits)
    if verb.pairsInputs { try list.pair() }
    if !verb.rawKeys.isEmpty, verb.hasManyInputs { try list.requireRaw() }
    let template = batch.name ?? .usual
    let isInPlace =
      verb.isInPlace && batch.outDir == nil && batch.name == nil && verb.target.given == nil
    for (index, input) in list.inputs.enumerated() {
      // Names that depend on the size require that the file is read.
      if template.needsSize || verb.makesSet, batch.shard?.contains(input.name) == false {
        continue
      }
      guard !isInPlace, verb.target.given == nil else {
        jobs.append(BatchJob(input: input, output: .success(verb.target.given ?? input.path)))
        continue
      }
      var extent: ImageExtent?
      do throws(Failure) {
        if template.needsSize || verb.makesSet {
          extent = try during(.reading, input.path) { () throws(ImageError) in
            try ImageExtent(path: input.path)
          }
        }
      } catch {
        jobs.append(BatchJob(input: input, output: .failure(error)))
        continue
      }
      var made: Set<OutputVariant> = []
      for variant in verb.variants {
        let single = verb.makesSet ? verb.making(variant) : verb
        let suffix: String
        do {
          suffix = try single.outputSuffix(of: input.path)
        } catch let error as ImageError {
          jobs.append(BatchJob(input: input, output: .failure(Failure(error))))
          break
        }
        var values = OutputName.Values(
          folder: batch.outDir == nil ? "" : input.folder,
          stem: input.path.fileName.withoutFileSuffix,
          suffix: suffix, sourceSuffix: input.path.fileSuffix, index: index + 1)
        var job = BatchJob(input: input, output: .success(""), extent: extent)
        if verb.makesSet { job.variant = variant }
        do throws(Failure) {
          if let extent { job.size = try Self.outputSize(of: extent, input.path, single) }
          values.size = job.size
          if variant.longSide != nil, let size = job.size {
            // Sizes above that of the image are one file.
            let length = max(size.width, size.height)
            guard made.insert(OutputVariant(format: variant.format, longSide: length)).inserted
            else { continue }
            values.stem += "-\(length)"
          }
          let folder = batch.outDir ?? input.path.folder
          job.output = .success(BatchInput(path: template.path(values), below: folder).path)
        } catch {
          job.output = .failure(error)
        }
        jobs.append(job)
      }
    }
    try checkOutputs(
      isInPlace: isInPlace, records: [batch.resume, batch.filesFrom].compactMap(\.self))
    jobs += list.unreadable.map { BatchJob(input: $0.folder, output: .failure($0.failure)) }
    if let shard = batch.shard { jobs.removeAll { !shard.contains($0.input.name) } }
  }

  private static func outputSize(
    of extent: ImageExtent, _ path: String, _ verb: some BatchVerb
  ) throws(Failure) -> (width: Int, height: Int) {
    try during(.reading, path) { () throws(ImageError) in
      do { return try verb.outputSize(of: extent.primary) } catch {
        throw error as? ImageError ?? ImageError(.argumentsInvalid, ["message": "\(error)"])
      }
    }
  }

  /// Fails for an output that is another file's input, or the journal or the list of the inputs, and marks
  /// inputs whose output is that of an earlier one.
  private mutating func checkOutputs(isInPlace: Bool, records: [String]) throws(Failure) {
    var inputOfOutput: [OutputKey: String] = [:]
    let keysOfRecords = records.map { (key: OutputKey($0), file: FileIdentity($0), path: $0) }
    var inputOfFile: [[UInt64]: String] = [:]
    for job in jobs {
      for path in job.input.files {
        guard let file = FileIdentity(path) else { continue }
        if let other = inputOfFile.updateValue(path, forKey: file.key), isInPlace {
          throw Failure(
            ImageError(.batchSameOutput, ["first": other, "second": path, "output": path]))
        }
      }
    }
    for (index, job) in jobs.enumerated() {
      guard let output = try? job.output.get() else { continue }
      let (key, file) = (OutputKey(output), FileIdentity(output))
      if let other = inputOfOutput[key] {
        let error = ImageError(
          .batchSameOutput, ["first": other, "second": job.input.path, "output": output])
        jobs[index].output = .failure(Failure(error))
        continue
      }
      inputOfOutput[key] = job.input.path
      for record in keysOfRecords {
        guard
          record.key == key || record.file.map({ $0.isSameFile(as: file) }) == true
        else { continue }
        throw Failure(ImageError(.outputIsInput, ["output": output, "input": record.path]))
      }
      if !isInPlace, let file, let input = inputOfFile[file.key] {
        throw Failure(ImageError(.outputIsInput, ["output": output, "input": input]))
      }
    }
  }
}

/// Sizes of the images of a file, from its structure.
struct ImageExtent: Sendable {
  /// Width and height of the upright primary image.
  let primary: (width: Int, height: Int)
  /// Number of pixels of the largest image.
  let mostPixels: Int

  /// Parses the structure of a file.
  ///
  /// - Throws: Errors of the structure.
  init(path: String) throws(ImageError) {
    let execution = Execution.current
    var alone = execution
    alone.budget = Execution.Budget(within: execution.budget)
    let contents = try alone.run { () throws(ImageError) in
      try ImageFile(
        parsing: try ByteSource(path: path), options: OpeningOptions(limits: execution.limits)
      ).contents()
    }
    primary = contents.primary.uprightSize
    mostPixels =
      contents.images.map {
        $0.uprightSize.width.multipliedReportingOverflow(by: $0.uprightSize.height).partialValue
      }.max() ?? 0
  }
}

/// A template for the names of outputs, such as `{dir}/{stem}-{width}.{ext}`.
struct OutputName: Hashable, Sendable, ExpressibleByArgument {
  enum Placeholder: String, CaseIterable {
    /// Folder of the input below the folder that was given.
    case dir
    /// Name of the input without folders and suffix.
    case stem
    /// Suffix of the output.
    case ext
    /// Suffix of the input.
    case source
    /// Width of the output, in pixels.
    case width
    case height
    /// Number of the input, from 1.
    case index
  }

  private enum Part: Hashable {
    case text(String)
    case placeholder(Placeholder)
  }

  /// The values of the placeholders for one input.
  struct Values {
    var folder: String
    var stem: String
    var suffix: String
    var sourceSuffix: String
    var index: Int
    /// Required if `needsSize`.
    var size: (width: Int, height: Int)?
  }

  private let parts: [Part]

  /// The default: `{dir}/{stem}.{ext}`.
  static let usual = OutputName(parts: [
    .placeholder(.dir), .text("/"), .placeholder(.stem), .text("."), .placeholder(.ext),
  ])

  private init(parts: [Part]) { self.parts = parts }

  /// Parses a template; `nil` for an unknown placeholder, an unpaired brace or an empty template.
  init?(argument: String) {
    var parts: [Part] = []
    var rest = argument[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}"),
        let placeholder = Placeholder(rawValue: String(rest[rest.index(after: brace)..<end]))
      else { return nil }
      if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
      parts.append(.placeholder(placeholder))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    guard !parts.isEmpty else { return nil }
    self.parts = parts
  }

  /// Whether names depend on the size of the image.
  var needsSize: Bool {
    parts.contains(.placeholder(.width)) || parts.contains(.placeholder(.height))
  }

  /// The path for one input, relative to the folder of the outputs, without empty components.
  func path(_ values: Values) -> String {
    let text = parts.map { part in
      switch part {
      case .text(let text): text
      case .placeholder(.dir): values.folder
      case .placeholder(.stem): values.stem
      case .placeholder(.ext): values.suffix
      case .placeholder(.source): values.sourceSuffix
      case .placeholder(.index): "\(values.index)"
      case .placeholder(.width): "\(values.size?.width ?? 0)"
      case .placeholder(.height): "\(values.size?.height ?? 0)"
      }
    }.joined()
    let path = values.suffix.isEmpty && text.hasSuffix(".") ? String(text.dropLast()) : text
    return path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}

/// One of several outputs of an input: its format, and the length of its longer side.
struct OutputVariant: Codable, Hashable, Sendable {
  /// The format as `--to` names it.
  var format: String?
  /// Length in pixels, which does not enlarge; `nil` for the size of a single output.
  var longSide: Int?
}
