// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import ImageFiles

extension DNGFile {
  /// A mask in the crop of the developed image, without its orientation.
  ///
  /// - Throws: Errors of `decode(_:limits:)`.
  func croppedMatte(
    _ matte: RawMatte, limits: ImageLimits, appliesUserCrop: Bool = true
  ) throws(ImageError) -> Plane<UInt16> {
    let parameters = try DevelopmentParameters(
      self, limits: limits, appliesUserCrop: appliesUserCrop)
    let coverage = try decode(matte, limits: limits)
    let part = parameters.part(of: (coverage.width, coverage.height))
    return Plane(width: part.width, height: part.height) { output in
      for y in part.rows {
        let row = coverage.row(y)
        for x in part.columns { output.append(row[x]) }
      }
    }
  }
}

extension DevelopmentParameters {
  /// The part of a mask over the active area that the crop shows.
  func part(of size: (width: Int, height: Int)) -> RawArea {
    func range(_ start: Int, _ count: Int, _ whole: Int, _ samples: Int) -> Range<Int> {
      let scale = Double(samples) / Double(whole)
      let first = min(Int(clamping: (Double(start) * scale).rounded()), samples - 1)
      let end = min(Int(clamping: (Double(start + count) * scale).rounded()), samples)
      return first..<max(end, first + 1)
    }
    let area = levels.activeArea
    let origin = boundsOrigin
    let columns = range(origin.x + crop.x, crop.width, area.width, size.width)
    let rows = range(origin.y + crop.y, crop.height, area.height, size.height)
    return RawArea(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }
}

extension DNGFile {
  /// The semantic masks as auxiliary images of the developed image, with the 8 bits that readers
  /// expect of mattes.
  ///
  /// Masks without a URN get the URN of Apple's matte of the same meaning, if there is one.
  ///
  /// - Throws: Errors that end the whole job.
  func auxiliaries(
    limits: ImageLimits, appliesUserCrop: Bool = true
  ) throws(ImageError) -> (found: [AuxiliaryImage], notices: [Notice]) {
    var (mattes, notices) = try self.mattes(limits: limits)
    mattes.removeAll { matte in
      guard matte.urn == nil else { return false }
      notices.append(
        Notice(
          .dropped, "not copied: mask '{matte}' (other formats have no type for it)",
          ["matte": matte.name]))
      return true
    }
    guard !mattes.isEmpty,
      let parameters = try ifReadable(
        try DevelopmentParameters(
          self, limits: limits, salvages: true, appliesUserCrop: appliesUserCrop))
    else { return ([], notices) }
    let found = mattes.compactMap { matte -> AuxiliaryImage? in
      guard let urn = matte.urn else { return nil }
      let part = parameters.part(of: (matte.width, matte.height))
      let layout = ImageLayout(
        width: part.width, height: part.height, components: .gray, samples: .integer(bits: 8))
      let image = Image(
        ImageDescription(layout: layout, color: .data, orientation: parameters.orientation)
      ) { () throws(ImageError) in
        let coverage = try croppedMatte(matte, limits: limits, appliesUserCrop: appliesUserCrop)
        return PlanesReader(ImagePlanes(layout: layout, planes: .integer([coverage.eightBits])))
      }
      return AuxiliaryImage(type: urn, image: image)
    }
    return (found, notices)
  }
}

extension Plane<UInt16> {
  /// Samples of 16 bits, rounded to 8.
  fileprivate var eightBits: Plane<UInt16> {
    let samples = span
    return Plane(width: width, height: height) { output in
      for index in samples.indices {
        output.append(UInt16((Int(samples[index]) * 255 + 32_767) / 65_535))
      }
    }
  }
}

extension RawMatte {
  /// URN of the auxiliary image type in HEIF; `nil` if there is none.
  var urn: String? {
    guard !name.lowercased().hasPrefix("urn:") else { return name }
    return switch shortName {
    case "portraiteffects", "portrait": "urn:com:apple:photo:2018:aux:portraiteffectsmatte"
    case "skin": "urn:com:apple:photo:2019:aux:semanticskinmatte"
    case "hair": "urn:com:apple:photo:2019:aux:semantichairmatte"
    case "teeth": "urn:com:apple:photo:2019:aux:semanticteethmatte"
    case "glasses": "urn:com:apple:photo:2020:aux:semanticglassesmatte"
    case "sky": "urn:com:apple:photo:2020:aux:semanticskymatte"
    default: nil
    }
  }
}

extension DNGFile {
  /// Decodes the semantic masks of color tables.
  ///
  /// - Parameters:
  ///   - names: Names of masks; the first mask of a name is used.
  ///   - limits: Limits of masks.
  ///   - damage: Receives errors of damaged masks, which are dropped.
  /// - Returns: The masks of the file, by name.
  /// - Throws: Errors that end the whole job.
  func lookMasks(
    _ names: Set<String>, limits: ImageLimits, damage: inout [ImageError]
  ) throws(ImageError) -> [String: Plane<UInt16>] {
    var masks: [String: Plane<UInt16>] = [:]
    guard !names.isEmpty else { return masks }
    var seen: Set<String> = []
    for matte in try mattes(limits: limits).found
    where names.contains(matte.name) && seen.insert(matte.name).inserted {
      do throws(ImageError) {
        masks[matte.name] = try decode(matte, limits: limits)
      } catch {
        guard !error.endsJob else { throw error }
        damage.append(error)
      }
    }
    return masks
  }

  /// Notices of color tables without a mask of their name.
  ///
  /// Source: DNG 1.7.1, RGBTables.
  func missing(_ names: Set<String>, _ limits: ImageLimits) throws(ImageError) -> [Notice] {
    guard !names.isEmpty else { return [] }
    let present = try mattes(limits: limits).found.map(\.name)
    return names.subtracting(present).sorted().map { name in
      Notice(.rawColorTableWithoutMask, ["mask": name])
    }
  }
}

extension DNGFile {
  /// The semantic masks of the file.
  ///
  /// - Parameter limits: Limits of a mask.
  /// - Returns: The readable masks, and notices of the others.
  /// - Throws: Errors that end the whole job.
  package func mattes(
    limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> (found: [RawMatte], notices: [Notice]) {
    var found: [RawMatte] = []
    var notices: [Notice] = []
    for image in images {
      do throws(ImageError) {
        if let matte = try RawMatte(image, limits: limits) { found.append(matte) }
      } catch {
        guard !error.endsJob else { throw error }
        notices.append(
          Notice(.dropped, "not readable: mask: {cause}", ["cause": error], at: error.location))
      }
    }
    return (found, notices)
  }

  /// Decodes a mask over the whole active area.
  ///
  /// - Parameters:
  ///   - matte: One of `mattes` of this file.
  ///   - limits: Limits of the samples.
  /// - Returns: Coverage of `width` by `height` samples of the matte, 0...65535; 65535 is full
  ///   coverage.
  /// - Throws: `.unsupported` for samples that cannot be decoded, `.malformed` and `.truncated` for
  ///   damaged samples, `.limitExceeded` for more samples than allowed.
  package func decode(
    _ matte: RawMatte, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> Plane<UInt16> {
    let layout = try RawLayout(of: matte.image, version: version, limits: limits)
    let decoder = RawChunkDecoder(layout, structure.source)
    let samples: RawSamples
    do throws(ImageError) {
      guard layout.planes == 1 else {
        throw ImageError(.unsupported, "mask of {count sample} per pixel", ["count": layout.planes])
      }
      guard matte.width * matte.height <= limits.memory / 2 else {
        throw ImageError(.rawSamplesLimitExceeded, ["limit": limits.memory])
      }
      var damage: [ImageError] = []
      samples = try decoder.decode(damage: &damage)
    } catch {
      throw matte.image.directory.path.reversed().reduce(error) { $0.inside($1) }
    }
    var coverage = Plane<UInt16>(width: matte.width, height: matte.height, filledWith: 0)
    let part = matte.storedPart
    let scale = 65_535 / Float(layout.largestCode)
    for y in 0..<part.height {
      var row = coverage.mutableRow(part.y + y)
      switch samples.rows {
      case .integer(let plane):
        let source = plane.row(y)
        for x in 0..<part.width {
          row[part.x + x] = UInt16(clamping: min(Float(source[x]) * scale, 65_535).rounded())
        }
      case .float(let plane):
        let source = plane.row(y)
        for x in 0..<part.width {
          // NaN becomes 0.
          row[part.x + x] = UInt16(clamping: (max(0, min(source[x], 1)) * 65_535).rounded())
        }
      }
    }
    return coverage
  }
}

/// A semantic mask of a DNG file: pixels of skin, hair, sky and others.
///
/// Source: DNG 1.7.1, chapter 2, "Semantic masks".
package struct RawMatte: Sendable {
  /// Name in the file; a URN in Apple's files.
  package let name: String
  /// Identifier that distinguishes masks of the same name; `nil` if missing.
  package let instance: String?
  /// Width over the active area, including parts that are not stored.
  package let width: Int
  /// Height over the active area, including parts that are not stored.
  package let height: Int
  /// The stored part; the mask is 0 outside.
  let storedPart: RawArea
  let image: DNGImage

  /// A short name: `portraiteffects`, `skin`, `hair`, `sky`, `teeth`, `glasses`; of an unknown name
  /// the part after the last colon, in lowercase.
  package var shortName: String { ImageFile.NamedAuxiliary(item: 0, type: name).name }

  /// Whether a name denotes this mask: the full name, its last part, or the short name, in any
  /// case; `portrait` denotes `portraiteffects`.
  package func isNamed(_ wanted: String) -> Bool {
    let wanted = wanted.lowercased()
    let name = name.lowercased()
    return name == wanted || name.hasSuffix(":\(wanted)") || shortName == wanted
      || wanted == "portrait" && shortName == "portraiteffects"
  }

  /// - Returns: `nil` for an image other than a semantic mask.
  /// - Throws: `.malformed` for a mask without a name, or with a stored part outside of the mask.
  init?(_ image: DNGImage, limits: ImageLimits) throws(ImageError) {
    guard image.role == .semanticMask else { return nil }
    let directory = image.directory
    guard let name = try directory.text(.semanticName) else {
      throw directory.error(.missingElement, .semanticName, ["element": "name of the mask"])
    }
    self.name = name
    self.image = image
    instance = try directory.text(.semanticInstanceID)
    // Top and left of the stored part, then width and height of the mask.
    let area = try directory.integers(.maskSubArea, atMost: 4)
    if let area {
      guard area.count == 4, image.width <= area[2], area[1] <= area[2] - image.width,
        image.height <= area[3], area[0] <= area[3] - image.height
      else {
        throw directory.error(
          .malformed, "mask of {area} with a stored part of {size}", .maskSubArea,
          ["area": "\(area)", "size": .size(image.width, image.height)])
      }
      (width, height) = (area[2], area[3])
      storedPart = RawArea(x: area[1], y: area[0], width: image.width, height: image.height)
    } else {
      (width, height) = (image.width, image.height)
      storedPart = RawArea(x: 0, y: 0, width: image.width, height: image.height)
    }
    do throws(ImageError) {
      try limits.check(width: width, height: height)
    } catch {
      throw directory.located(error, area == nil ? .imageWidth : .maskSubArea)
    }
  }
}

/// Tags of semantic masks.
///
/// Source: DNG 1.7.1.
extension TIFFTag {
  static let semanticName = TIFFTag(rawValue: 52_526)
  static let semanticInstanceID = TIFFTag(rawValue: 52_528)
  static let maskSubArea = TIFFTag(rawValue: 52_536)
}
