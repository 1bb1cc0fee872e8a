package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.local.MongoServer.MongoCache;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MongoCacheTest {
  private static final long GIBIBYTE = 1L << 30;

  @ParameterizedTest(name = "{0} GiB and {1} members: {2}")
  @CsvSource({"24, 1, 3.00", "24, 3, 1.00", "16, 3, 0.67", "4, 1, 0.50", "4, 7, 0.50"})
  void allMembersTogetherHaveAnEighthOfTheMemoryAndEachHalfAGibibyteAtLeast(
      int memory, int members, String expected) {
    assertThat(MongoCache.gibibytes(memory * GIBIBYTE, members)).isEqualTo(expected);
  }
}
