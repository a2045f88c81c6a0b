import Testing
import HDRCore
@Test func t() { #expect(Headroom(ratio: 2).stops == 1) }
