// SPDX-License-Identifier: Apache-2.0
import CPlatform
import ImageFiles
import Testing

@Suite("SHA-256") struct SHA256Tests {
  /// Source: FIPS 180-4 examples (NIST), and 10 000 times "a".
  @Test(arguments: [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ("aaaaaaaaaa", 1000, "27dd1f61b867b6a0f6e9d8a41c43231de52107e53ae424de8f847b821db4b711"),
  ])
  func published(text: String, count: Int, digest: String) {
    var pieces = SHA256()
    for _ in 0..<count { pieces.update(Array(text.utf8)) }
    let whole = (0..<count).flatMap { _ in text.utf8 }
    #expect(SHA256.hexadecimal(whole) == digest)
    #expect(pieces.hexadecimal() == digest)
  }

  @Test(arguments: [1, 55, 56, 63, 64, 65, 119, 120, 128]) func piecesOfAnySize(size: Int) {
    let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var digest = SHA256()
    for start in stride(from: 0, to: message.count, by: size) {
      digest.update(Array(message[start..<min(start + size, message.count)]))
    }
    #expect(digest.hexadecimal() == SHA256.hexadecimal(message))
  }

  /// The instructions of the processor and words give the same state.
  @Test func anyProcessor() {
    let blocks = (0..<9 * 64).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 3) }
    var states = Array(repeating: (1...8).map { UInt32($0) &* 0x9e37_79b9 }, count: 2)
    unsafe platform_sha256_add(&states[0], blocks, 9)
    unsafe platform_sha256_add_by_words(&states[1], blocks, 9)
    #expect(states[0] == states[1])
    #expect(states[0] != (1...8).map { UInt32($0) &* 0x9e37_79b9 })
  }
}
