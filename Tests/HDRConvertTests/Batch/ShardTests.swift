// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Command

@Suite("Shards") struct ShardTests {
  /// Source: test vectors of the FNV page of Landon Curt Noll.
  @Test(
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)])
  func hash(text: String, value: UInt64) { #expect(text.fnv1a == value) }

  @Test(arguments: [1, 2, 7]) func partsAreDisjointAndComplete(count: Int) throws {
    let shards = try (1...count).map { try #require(Shard(argument: "\($0)/\(count)")) }
    for index in 0..<200 {
      #expect(shards.count { $0.contains("2024/IMG_\(index).HEIC") } == 1)
    }
  }

  @Test(arguments: ["0/4", "5/4", "1", "1/0", "a/b", "-1/4", "1/4/2", "", "1/"])
  func wrongParts(text: String) { #expect(Shard(argument: text) == nil) }

  @Test func numbersOfJobs() {
    let array = [
      "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "5",
    ]
    #expect(Shard(environment: array) == Shard(argument: "3/4"))
    let steps = array.merging(["SLURM_ARRAY_TASK_STEP": "2"]) { $1 }
    #expect(Shard(environment: steps) == Shard(argument: "2/4"))
    let indexed = ["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "3"]
    #expect(Shard(environment: indexed) == Shard(argument: "1/3"))
    #expect(Shard(environment: ["JOB_COMPLETION_INDEX": "0"]) == nil)
    #expect(Shard(environment: [:]) == nil)
  }
}
