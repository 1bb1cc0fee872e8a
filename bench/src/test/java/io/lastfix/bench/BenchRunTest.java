package io.lastfix.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.operate.bench.Benchmark;
import io.lastfix.operate.bench.Part;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BenchRunTest {
  @Test
  void theCommandFindsItOnTheClassPath() {
    assertThat(Benchmark.find()).isInstanceOf(BenchRun.class);
  }

  @ParameterizedTest
  @EnumSource
  void eachPartHasAClassOfItsName(Part part) {
    assertThat(BenchRun.of(part).getClass().getSimpleName())
        .isEqualToIgnoringCase(part.argument() + "Part");
  }
}
