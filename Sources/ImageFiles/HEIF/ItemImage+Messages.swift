package import HDRCore
package import ImageContainers

extension ItemImage {
  /// The item that is coded first, of those that the picture is made from.
  package var firstCodedID: UInt32 {
    switch source {
    case .coded: id
    case .identity(let input): input.firstCodedID
    case .grid(_, let parts), .overlay(_, let parts): parts[0].firstCodedID
    }
  }
}

extension HEIFFile {
  /// The messages of ITU-T T.35 in the bitstream of a picture, or of the first that it is made from.
  ///
  /// A bitstream whose headers cannot be read gives a notice.
  package func registeredMessages(of picture: ItemImage, notices: inout [Notice]) -> [[UInt8]] {
    do throws(ImageError) {
      return try registeredMessages(of: picture.firstCodedID)
    } catch {
      notices.append(
        Notice(.bitstreamMessagesUnreadable, ["cause": error], at: error.location))
      return []
    }
  }
}
