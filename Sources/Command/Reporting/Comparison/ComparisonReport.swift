// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports

/// Result of `compare`.
struct ComparisonReport: ReportObject {
  static let schemaName = "comparison"
  let first: String
  let second: String
  let areIdentical: Bool
  /// Sizes of the upright images; `nil` if this build lacks a codec.
  let firstSize: SizeReport?
  let secondSize: SizeReport?
  /// Whether the larger image was resized for the comparison.
  let isResized: Bool?
  let pixels: PixelComparisonReport?
  let metadata: [MetadataComparison]
  let payloads: [PayloadReport]?
  let structure: StructureDifferenceReport?
  let limit: Double?
  /// Whether the mean Delta E ITP is at most `limit`, and both images have as many invalid pixels.
  let isWithinLimit: Bool?
  let firstNotices: [NoticeReport]
  let secondNotices: [NoticeReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case first, second, areIdentical, firstSize, secondSize, isResized, pixels
    case metadata = "properties"
    case payloads = "codedDataPairs"
    case structure = "structureDifference"
    case limit = "deltaEITPLimit"
    case isWithinLimit, firstNotices, secondNotices
  }

  init(
    _ one: ComparedFile, _ two: ComparedFile, pixels: ImageComparison.Result?,
    sizes: ComparedSizes?,
    limit: Double?
  ) throws(ImageError) {
    first = one.name
    second = two.name
    areIdentical = try FileDigest(one.file.source) == FileDigest(two.file.source)
    firstSize = sizes.map { SizeReport(width: $0.first.width, height: $0.first.height) }
    secondSize = sizes.map { SizeReport(width: $0.second.width, height: $0.second.height) }
    isResized = sizes.flatMap { sizes in sizes.common.map { _ in sizes.first != sizes.second } }
    let compared = pixels.map(PixelComparisonReport.init)
    self.pixels = compared
    metadata = MetadataComparison.entries(try one.metadata(), try two.metadata())
    if one.file.isEditable, two.file.isEditable {
      payloads = try PayloadPairing(try one.file.codedPayloads(), try two.file.codedPayloads())
        .entries.map(PayloadReport.init)
    } else {
      payloads = nil
    }
    structure =
      one.file.format == two.file.format
      ? StructureDifferenceReport(
        StructureDifference(try one.file.structure(), try two.file.structure())) : nil
    self.limit = limit
    let areIncomparable = sizes != nil && compared == nil
    isWithinLimit = limit.flatMap { limit in
      areIncomparable
        ? false
        : compared.map {
          $0.deltaEITP.mean <= limit && $0.firstNotNumbers == $0.secondNotNumbers
        }
    }
    firstNotices = (pixels?.firstNotices ?? one.contents.notices).map(NoticeReport.init)
    secondNotices = (pixels?.secondNotices ?? two.contents.notices).map(NoticeReport.init)
  }
}

/// Sizes of the two upright images.
struct ComparedSizes {
  typealias Size = (width: Int, height: Int)

  let first: Size
  let second: Size
  /// The size of the comparison; `nil` if the aspect ratios differ.
  let common: Size?

  init(_ first: Size, _ second: Size) {
    (self.first, self.second) = (first, second)
    common = ImageComparison.commonSize(first, second)
  }
}

/// Width and height, in pixels.
struct SizeReport: ReportObject {
  static let schemaName = "size"
  let width: Int
  let height: Int

  enum CodingKeys: String, CodingKey, CaseIterable { case width, height }

  var text: String { "\(width)x\(height)" }
}

/// Differences of pixels.
struct PixelComparisonReport: ReportObject {
  static let schemaName = "pixels"

  /// A difference in words.
  enum Visibility: String, Encodable {
    case equal
    case imperceptible
    case slight
    case clear

    /// A Delta E ITP of 1 is just noticeable under the most critical conditions.
    init(_ difference: LightComparison.Statistics) {
      switch (difference.percentile95, difference.percentile99) {
      case _ where difference.maximum == 0: self = .equal
      case (_, ..<1): self = .imperceptible
      case (..<5, ..<20): self = .slight
      default: self = .clear
      }
    }
  }

  let width: Int
  let height: Int
  let visibility: Visibility
  let deltaEITP: DifferenceReport
  /// In dB; `nil` for equal images, whose ratio is infinite.
  let pu21PSNR: Double?
  let pqPSNR: Double?
  let firstLight: LightReport
  let secondLight: LightReport
  /// Pixels that are not a number (NaN), which count as black.
  let firstNotNumbers: Int
  let secondNotNumbers: Int
  let firstGainMap: AppliedGainMapReport?
  let secondGainMap: AppliedGainMapReport?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case width, height, visibility, deltaEITP
    case pu21PSNR = "pu21PSNRDecibels"
    case pqPSNR = "pqPSNRDecibels"
    case firstLight = "firstLightLevels"
    case secondLight = "secondLightLevels"
    case firstNotNumbers = "firstNaNPixels"
    case secondNotNumbers = "secondNaNPixels"
    case firstGainMap = "firstAppliedGainMap"
    case secondGainMap = "secondAppliedGainMap"
  }

  init(_ result: ImageComparison.Result) {
    let difference = result.difference
    width = result.width
    height = result.height
    visibility = Visibility(difference.deltaE)
    deltaEITP = DifferenceReport(difference.deltaE)
    pu21PSNR = difference.pu21PSNR.isFinite ? difference.pu21PSNR : nil
    pqPSNR = difference.pqPSNR.isFinite ? difference.pqPSNR : nil
    firstLight = LightReport(difference.first)
    secondLight = LightReport(difference.second)
    firstNotNumbers = difference.firstClipping.notANumber
    secondNotNumbers = difference.secondClipping.notANumber
    firstGainMap = result.firstGainMap.map(AppliedGainMapReport.init)
    secondGainMap = result.secondGainMap.map(AppliedGainMapReport.init)
  }
}

/// Delta E ITP over all pixels.
struct DifferenceReport: ReportObject {
  static let schemaName = "deltaEITP"
  let mean: Double
  var percentile95: Double?
  let percentile99: Double
  var maximum: Double?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case mean, percentile95, percentile99, maximum
  }
}

extension DifferenceReport {
  init(_ statistics: LightComparison.Statistics) {
    self.init(
      mean: statistics.mean, percentile95: statistics.percentile95,
      percentile99: statistics.percentile99, maximum: statistics.maximum)
  }
}

/// An applied gain map.
struct AppliedGainMapReport: ReportObject {
  static let schemaName = "appliedGainMap"
  let flavor: String
  let headroomStops: Double
  /// Share of the gain: 0 is the baseline image, 1 the alternate image.
  let weight: Double

  enum CodingKeys: String, CodingKey, CaseIterable { case flavor, headroomStops, weight }

  init(_ gainMap: AppliedGainMap) {
    flavor = gainMap.weight.flavor.rawValue
    headroomStops = gainMap.weight.display.stops
    weight = gainMap.weight.value
  }
}

/// Coded data of one or both files.
struct PayloadReport: ReportObject {
  static let schemaName = "codedDataPair"
  let first: String?
  let second: String?
  let bytes: Int
  let sha256: String

  enum CodingKeys: String, CodingKey, CaseIterable { case first, second, bytes, sha256 }

  init(_ entry: PayloadPairing.Entry) {
    first = entry.first
    second = entry.second
    bytes = entry.byteCount
    sha256 = entry.sha256
  }
}

/// Parts that only one of the files contains.
struct StructureDifferenceReport: ReportObject {
  static let schemaName = "structureDifference"
  let onlyInFirst: [PartReport]
  let onlyInSecond: [PartReport]

  enum CodingKeys: String, CodingKey, CaseIterable { case onlyInFirst, onlyInSecond }

  init(_ difference: StructureDifference) {
    onlyInFirst = difference.onlyInFirst.map(PartReport.init)
    onlyInSecond = difference.onlyInSecond.map(PartReport.init)
  }
}

/// A part of a file that the other does not contain.
struct PartReport: ReportObject {
  static let schemaName = "part"
  let path: String
  let fields: [FieldReport]
  let count: Int

  enum CodingKeys: String, CodingKey, CaseIterable { case path, fields, count }

  init(_ part: StructureDifference.Part) {
    path = part.path
    fields = part.fields.map(FieldReport.init)
    count = part.count
  }
}

/// A property of both images.
struct MetadataComparison: ReportObject {
  static let schemaName = "property"
  let name: String
  let first: String?
  let second: String?
  let isSame: Bool

  enum CodingKeys: String, CodingKey, CaseIterable { case name, first, second, isSame }

  /// The name of the property with all values of gain map metadata.
  static let gainMapNumbers = "gain map values"

  /// Properties of an image by name.
  typealias Properties = [(name: String, value: String)]

  /// The properties of either file, in the order of the first.
  static func entries(_ first: Properties, _ second: Properties) -> [MetadataComparison] {
    var names = first.map(\.name)
    names += second.map(\.name).filter { !names.contains($0) }
    return names.map { name in
      let one = first.first { $0.name == name }?.value
      let two = second.first { $0.name == name }?.value
      return MetadataComparison(name: name, first: one, second: two, isSame: one == two)
    }
  }
}

extension ComparedFile {
  /// The properties of the image.
  ///
  /// - Throws: Errors of parsing the metadata.
  func metadata() throws(ImageError) -> MetadataComparison.Properties {
    let primary = contents.primary
    var properties: MetadataComparison.Properties = [
      ("format", contents.format.title + (contents.variant.map { " (\($0))" } ?? "")),
      ("image", primary.layoutText),
      ("encoding", primary.codingText),
      ("orientation", primary.orientation.text),
    ]
    if let color = primary.color {
      properties.append(
        ("color", "\(color.encoding.primaries.title), \(color.encoding.transfer.title)"))
    }
    properties += DescriptionReport(primary.light, primary.color?.encoding).lines
    let blocks = try metadataBlocks()
    for (name, bytes) in [("ICC", blocks.profile), ("Exif", blocks.exif), ("XMP", blocks.xmp)] {
      guard let bytes else { continue }
      properties.append(
        (name, "\(bytes.count) bytes, SHA-256 \(SHA256.hexadecimal(bytes).prefix(12))"))
    }
    if let map = contents.gainMaps.first {
      properties.append(("gain map", map.lines(explains: false).joined(separator: "; ")))
      let numbers = map.description?.numbers ?? []
      properties.append(
        (
          MetadataComparison.gainMapNumbers,
          numbers.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
        ))
    }
    let others = contents.images.dropFirst().filter { $0.role != .gainMap }
    if others.count > 5 {
      properties.append(("also contains", "\(others.count) other images"))
    } else if !others.isEmpty {
      properties.append(("also contains", others.map(\.briefText).joined(separator: "; ")))
    }
    return properties
  }

  private typealias Blocks = (profile: [UInt8]?, exif: [UInt8]?, xmp: [UInt8]?)

  /// Blocks of metadata, verbatim; `nil` for those that a missing codec would extract.
  private func metadataBlocks() throws(ImageError) -> Blocks {
    if file.isEditable {
      let summary = try file.metadataSummary()
      return (summary.profile, summary.exif, summary.xmp)
    }
    do throws(ImageError) {
      let document = try SourceImage.open(file)
      return (document.declaredColor.icc, document.exif, document.xmp)
    } catch  where error.category == .missingCodec {
      return (nil, nil, nil)
    }
  }
}
