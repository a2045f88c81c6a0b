public import HDRCore
public import ImageContainers

extension ContainerFile {
  /// What lies beside the picture and its gain map: mattes, depth, films.
  var companions: [String] {
    var names = auxiliaryPictures.filter { !$0.type.hasSuffix(":aux:hdrgainmap") }.map(\.name)
    names.removeAll { ["gainmap", "primary", "alpha"].contains($0) }
    return names + attachments
  }

  /// Says what does not go with a picture.
  static func leftBehind(_ names: [String]) -> [Notice] {
    guard !names.isEmpty else { return [] }
    return [
      Notice(
        .lost,
        "what lies beside the picture, since it belongs to its old coding: "
          + names.joined(separator: ", "))
    ]
  }
}

extension PictureDocument {
  /// What does not follow a picture of a file into another one, beside what notices of the conversion
  /// name.
  ///
  /// - Parameters:
  ///   - source: The file; of a kind without such things, there is nothing to say.
  ///   - limits: For its parser.
  /// - Returns: A notice with the names, or none.
  public static func leftBehind(in source: ByteSource, limits: ImageLimits) -> [Notice] {
    guard let file = try? ContainerFile(parsing: source, limits: limits) else { return [] }
    return ContainerFile.leftBehind(file.companions)
  }
}
