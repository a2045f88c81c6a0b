// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore

extension GainMapInventory {
  /// Finds the gain map of a JPEG XL file, which is in a `jhgm` box.
  ///
  /// Compressed boxes are reported, but not read, in a build without Brotli.
  ///
  /// - Parameter file: The file.
  /// - Throws: Errors that end the whole job.
  package init(of file: JPEGXLFile) throws(ImageError) {
    var maps: [FoundGainMap] = []
    var notices: [Notice] = []
    // Above the number in real files, and a bound for malicious ones.
    for box in file.boxes(JPEGXLGainMapBox.boxType).prefix(16) {
      let location = ImageError.Location(path: ["jhgm"], offset: box.offset)
      if box.isCompressed, !Brotli.isAvailable {
        notices.append(
          Notice(
            .irregular, "gain map in a compressed box (brob), which this build does not decompress",
            at: location))
        continue
      }
      do throws(ImageError) {
        maps.append(try Self.map(try file.gainMapBox(box), at: box.offset, location, &notices))
      } catch {
        guard !error.endsJob else { throw error }
        notices.append(
          Notice(.gainMapUnreadable, ["cause": error], at: location))
      }
    }
    self.init(maps, notices: notices)
  }

  private static func map(
    _ box: JPEGXLGainMapBox, at offset: Int, _ location: ImageError.Location,
    _ notices: inout [Notice]
  ) throws(ImageError) -> FoundGainMap {
    var found: [Notice] = []
    let carrier = try FoundGainMap.Carrier(.iso, at: location) { () throws(ImageError) in
      guard box.version == 0 else {
        throw ImageError(.unsupportedValue, ["field": "version of 'jhgm'", "value": box.version])
      }
      return try ISO21496Payload(parsing: box.metadata, notices: &found).description
    }
    notices += found.map { $0.inside(location) }
    let header = try ifReadable(try box.imageHeader())
    let color = try? JPEGXLColorEncoding(parsing: box.colorEncoding)
    var alternate = FoundGainMap.AlternateImage(cicp: color?.cicp)
    if !box.compressedProfile.isEmpty {
      alternate.compressedICC = try ifReadable(try box.compressedProfile.bytes())
    }
    return FoundGainMap(
      location: .box(offset),
      layout: header.map { .init($0) },
      carriers: [carrier], alternate: alternate,
      objection: header == nil ? ImageError(.unsuitable, "its codestream is not readable") : nil)
  }
}
