// SPDX-License-Identifier: Apache-2.0
import Foundation
import GainMap
import HDRCore
import ImageFiles
import RAWDevelop
import Testing

@testable import HDRConversion

@Suite("Conversion request") struct ConversionRequestTests {
  /// A value of each field, other than that of a new request.
  static let fields: [String: String] = [
    "content": #""sdr""#, "copying": #""never""#, "gainMap.use": #""apply""#,
    "gainMap.headroomStops": "1", "gainMap.isRequired": "true", "gainMap.baseline": #""hdr""#,
    "gainMap.flavors": #"["iso"]"#, "gainMap.isExact": "true", "gainMap.quality": "50",
    "gainMap.scale": "4", "gainMap.componentCount": "1", "gainMap.depth": "10",
    "gainMap.targetError": "5", "gainMap.measurement": #""full""#,
    "companions.standard": #""sdr.png""#, "companions.gainMap": #""map.png""#,
    "companions.gainMapMetadata": #""map.json""#,
    "rendition.display": #"{"name": "phone"}"#, "rendition.headroomStops": "1",
    "rendition.level": #"{"standard": 1}"#, "rendition.toneMapping": #""clip""#,
    "rendition.gamutMapping": #""clip""#, "rendition.highlightDesaturation": "0.5",
    "rendition.exposure": "1", "geometry.crop": #"{"x": 0, "y": 0, "width": 8, "height": 4}"#,
    "geometry.longSide": "16", "geometry.width": "10", "geometry.height": "20",
    "geometry.isEnlarged": "true", "geometry.rotation": "90", "geometry.flip": #""horizontal""#,
    "geometry.orientation": #""bake""#, "color.transfer": #""hlg""#, "color.primaries": #""p3""#,
    "color.matrix": "1", "color.range": #""limited""#, "color.profile": #""adobergb""#,
    "color.signaling": #""both""#, "color.referenceWhite": "100", "color.imageState": #""scene""#,
    "coding.format": #""png""#, "coding.quality": "30", "coding.isLossless": "true",
    "coding.speed": "1", "coding.depth": "12", "coding.chroma": #""420""#,
    "coding.alpha": #""ignore""#,
    "metadata.contentLightLevel": #"{"maximum": 900, "maximumAverage": 90}"#,
    "metadata.masteringDisplay":
      #"{"primaries": "p3", "maximumLuminance": 1000, "minimumLuminance": 0.005}"#,
    "metadata.contentColorVolume": #"{"primaries": "p3", "maximumLuminance": 900}"#,
    "metadata.diffuseWhite": "150",
    "metadata.referenceEnvironment":
      #"{"surroundLuminance": 5, "surroundLight": {"x": 0.3, "y": 0.3}, "#
      + #""peripheryLuminance": 5, "peripheryLight": {"x": 0.3, "y": 0.3}}"#,
    "metadata.ambientEnvironment": #"{"illuminance": 10, "light": {"x": 0.3, "y": 0.3}}"#,
    "metadata.exif": #""drop""#, "metadata.xmp": #""drop""#, "metadata.icc": #"{"file": "a.icc"}"#,
    "metadata.codePoints": #""9/16/9""#, "metadata.orientation": "6", "metadata.item": "1",
    "metadata.adaptation": #""adaptive""#, "metadata.keepsMakerNotes": "true",
    "metadata.strip": #"["gps"]"#, "input.image": #""2""#,
    "input.assumed": #"{"transfer": "pq"}"#, "input.declared": #"{"range": "full"}"#,
    "input.appleCurve": #""bt709""#, "raw.isSceneLinear": "true", "raw.baselineExposure": "1",
    "raw.sceneExposure": "1", "raw.temperature": "4000", "raw.tint": "10",
    "raw.neutralLocation": "[3, 4]", "raw.highlights": #""keep""#, "raw.profile": #""adobe""#,
    "raw.shadowBias": "0.1", "raw.boost": "0.5", "raw.boostShadow": "0.5",
    "raw.localToneMap": "0.5", "raw.extendedDynamicRange": "0.5", "raw.sharpness": "0.5",
    "raw.luminanceNoiseReduction": "0.5", "raw.colorNoiseReduction": "0.5",
    "raw.moireReduction": "0.5", "raw.contrast": "0.5", "raw.detail": "0.5",
    "raw.suppressesHotPixels": "false", "raw.mapsGamut": "false", "raw.correctsLens": "false",
    "raw.appliesUserCrop": "false", "raw.scaleFactor": "0.5",
    "raw.localExposures": #"[{"matte": "sky", "stops": 1}]"#, "raw.isDraft": "true",
    "raw.isSalvaging": "true",
  ]

  /// JSON of a request with fields, such as `coding.quality`.
  static func json(_ fields: [String: String]) -> [UInt8] {
    var parts: [String: [String]] = [:]
    var entries: [String] = []
    for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
      let names = field.split(separator: ".").map(String.init)
      if names.count == 1 {
        entries.append("\"\(field)\": \(value)")
      } else {
        parts[names[0], default: []].append("\"\(names[1])\": \(value)")
      }
    }
    entries += parts.sorted { $0.key < $1.key }.map { part, values in
      "\"\(part)\": {\(values.joined(separator: ", "))}"
    }
    return Array("{\(entries.joined(separator: ", "))}".utf8)
  }

  /// Each field is read and written, and the list above has all fields.
  @Test func fieldsAreReadAndWritten() throws {
    let request = try ConversionRequest(json: Self.json(Self.fields))
    #expect(request.givenFields == Self.fields.keys.sorted())
    #expect(try ConversionRequest(json: request.json()) == request)
    let parts = Mirror(reflecting: request).children.filter {
      Mirror(reflecting: $0.value).displayStyle == .struct
    }
    let names = parts.flatMap { part in
      Mirror(reflecting: part.value).children.map { "\(part.label ?? "").\($0.label ?? "")" }
    }
    #expect(Set(names + ["content", "copying"]) == Set(Self.fields.keys))
    #expect(ConversionRequest().givenFields.isEmpty)
    let empty = try String(decoding: ConversionRequest().json(), as: UTF8.self)
    #expect(empty.filter { !$0.isWhitespace } == "{}")
  }

  /// The contents of files are a name, or bytes; both are read as text, too.
  @Test func filesAreNamesOrBytes() throws {
    let named = try ConversionRequest(json: Self.json(["color.profile": #""a.icc""#]))
    #expect(named.color.profile == .name("a.icc"))
    let bytes = try ConversionRequest(json: Self.json(["metadata.xmp": #"{"base64": "AQI="}"#]))
    #expect(bytes.metadata.xmp == .value(.bytes([1, 2])))
    #expect(try ConversionRequest(json: bytes.json()) == bytes)
  }

  /// Values that are those of a new request are read as well.
  @Test func usualValuesAreRead() throws {
    let json = #"{"content": "automatic", "copying": "automatic", "coding": {}}"#
    #expect(try ConversionRequest(json: Array(json.utf8)) == ConversionRequest())
  }

  @Test(arguments: [
    (#"{"coding": {"qualty": 3}}"#, "coding.qualty"), (#"{"codings": {}, "x": 1}"#, "x"),
    (#"{"colour": {}}"#, "colour"),
    (#"{"coding": {"quality": "high"}}"#, "coding.quality"),
    (#"{"rendition": {"exposure": 0.5}, "coding": {"quality": 85.5}}"#, "coding.quality"),
    ("[]", "request"), ("", "request"),
    (#"{"coding": {"format": "gif"}}"#, "coding.format"),
    (#"{"metadata": {"contentLightLevel": {"maximum": 3}}}"#, "metadata.contentLightLevel"),
    (#"{"color": {"primaries": "p4"}}"#, "color.primaries"),
  ])
  func errorsNameTheField(json: String, field: String) {
    let error = #expect(throws: ImageError.self) { try ConversionRequest(json: Array(json.utf8)) }
    #expect(error?.category == .invalidArgument)
    #expect(error?.parameters["field"] == .text(field), "\(error?.message ?? "")")
  }

  /// Errors of enumerations contain the value, and not the name of a type.
  @Test(arguments: [
    (#"{"content": "best"}"#, "'best' is not one of its values"),
    (#"{"metadata": {"strip": ["place"]}}"#, "'place' is not one of its values"),
    (#"{"metadata": {"orientation": 9}}"#, "9 is not one of its values"),
    (#"{"coding": {"format": "gif"}}"#, "'gif' is not the name of a format"),
    (#"{"metadata": {"codePoints": "9"}}"#, "it does not have the form 9/16/9/full"),
    (#"{"metadata": {"exif": {"base64": "%"}}}"#, "it is not Base64"),
  ])
  func errorsExplainText(json: String, cause: String) {
    let error = #expect(throws: ImageError.self) { try ConversionRequest(json: Array(json.utf8)) }
    #expect(error?.parameters["cause"] == .text(cause), "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("coding.quality", "101"), ("coding.speed", "-1"), ("coding.depth", "9"),
    ("gainMap.scale", "3"), ("geometry.rotation", "45"), ("geometry.longSide", "0"),
    ("rendition.exposure", "33"), ("raw.boost", "2"), ("raw.neutralLocation", "[1]"),
    ("metadata.diffuseWhite", "0"), ("gainMap.targetError", "0"),
    ("metadata.contentLightLevel", #"{"maximum": 100, "maximumAverage": 200}"#),
    ("input.assumed", #"{"referenceWhite": 0}"#),
  ])
  func rangesAreChecked(field: String, value: String) throws {
    let request = try ConversionRequest(json: Self.json([field: value]))
    let error = #expect(throws: ImageError.self) { try request.check() }
    guard case .text(let named)? = error?.parameters["field"] else {
      Issue.record("no field")
      return
    }
    #expect(named.hasPrefix(field))
  }

  @Test(arguments: [
    (["geometry.longSide", "geometry.width", "geometry.height"], "geometry.longSide"),
    (["rendition.display", "rendition.headroomStops"], "rendition.display"),
    (["geometry.width"], "geometry.width"), (["color.profile", "color.transfer"], "color.profile"),
    (["raw.isDraft", "raw.sharpness"], "raw.isDraft"),
    (["companions.gainMapMetadata"], "companions.gainMapMetadata"),
    (["content", "gainMap.flavors"], "gainMap.flavors"),
    (["content", "gainMap.headroomStops"], "content"),
    (["rendition.level", "gainMap.headroomStops"], "rendition.level"),
  ])
  func contradictionsAreNamed(fields: [String], field: String) throws {
    let given = Self.fields.filter { fields.contains($0.key) }
    let error = #expect(throws: ImageError.self) {
      try ConversionRequest(json: Self.json(given)).check()
    }
    #expect(error?.parameters["field"] == .text(field))
  }

  /// Parts of a color that only the other use of a color has, and parts of a display with a name.
  @Test(arguments: [
    (#"{"input": {"assumed": {"range": "full"}}}"#, "input.assumed"),
    (#"{"input": {"assumed": {"matrix": 9}}}"#, "input.assumed"),
    (#"{"input": {"declared": {"referenceWhite": 100}}}"#, "input.declared"),
    (#"{"rendition": {"display": {"name": "phone", "peakLuminance": 9}}}"#, "rendition.display"),
    (#"{"gainMap": {"use": "drop", "headroomStops": 1}}"#, "gainMap.use"),
    (#"{"gainMap": {"use": "drop", "baseline": "alternate"}}"#, "gainMap.baseline"),
    (#"{"content": "gainMap", "gainMap": {"use": "keep"}}"#, "content"),
    (#"{"content": "sdr", "copying": "required"}"#, "content"),
    (#"{"metadata": {"masteringDisplay": "measure"}}"#, "metadata.masteringDisplay"),
  ])
  func partsWithoutEffect(json: String, field: String) throws {
    let request = try ConversionRequest(json: Array(json.utf8))
    let error = #expect(throws: ImageError.self) { try request.check() }
    #expect(error?.parameters["field"] == .text(field))
  }

  /// NaN and infinity are in no range.
  @Test func numbersThatAreNone() {
    for value in [Double.nan, .infinity, -.infinity] {
      var request = ConversionRequest()
      request.rendition.exposure = value
      #expect(throws: ImageError.self) { try request.check() }
      request = ConversionRequest()
      request.gainMap.headroomStops = value
      #expect(throws: ImageError.self) { try request.check() }
      request = ConversionRequest()
      request.metadata.diffuseWhite = .value(value)
      #expect(throws: ImageError.self) { try request.check() }
    }
  }
}
