// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ItemImage {
  /// The first coded item that the image is derived from; the item itself if it is coded.
  package var firstCodedID: UInt32 {
    switch source {
    case .coded: id
    case .identity(let input): input.firstCodedID
    case .grid(_, let parts), .overlay(_, let parts): parts[0].firstCodedID
    }
  }
}

extension HEIFFile {
  /// The ITU-T T.35 messages in the bitstream of an image, or of the first input of a derived
  /// image.
  ///
  /// Unreadable bitstream headers are reported in a notice.
  ///
  /// - Throws: Errors that end the whole job.
  package func registeredMessages(
    of image: ItemImage, notices: inout [Notice]
  ) throws(ImageError) -> [[UInt8]] {
    do throws(ImageError) {
      return try registeredMessages(of: image.firstCodedID)
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(
        Notice(.bitstreamMessagesUnreadable, ["cause": error], at: error.location))
      return []
    }
  }
}
