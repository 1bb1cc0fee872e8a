package io.lastfix.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.bench.MemoryPart.Held;
import io.lastfix.bench.measure.Goal;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MemoryPartTest {
  private static final List<Held> CELLS =
      List.of(
          held(1_000, 100_000, 5_000_000),
          held(11_000, 1_000_000, 7_000_000),
          held(101_000, 9_100_000, 25_000_000));
  private static final List<Held> USERS =
      List.of(held(1_000, 1_000_000, 5_000_000), held(101_000, 1_000_500, 5_100_000));

  @Test
  void whatAFurtherOneTakesIsReckonedFromTheSizeBefore() {
    JsonNode rows = MemoryPart.table(CELLS, USERS).toJson(new ObjectMapper());

    assertThat(rows.path(0).path("stateBytesPerFurther").isNull()).isTrue();
    assertThat(rows.path(1).path("stateBytesPerFurther").asDouble()).isEqualTo(90);
    assertThat(rows.path(2).path("heapBytesPerFurther").asDouble()).isEqualTo(200);
    assertThat(rows.path(4).path("of").asText()).isEqualTo("users");
    assertThat(rows.path(4).path("heapBytesPerFurther").asDouble()).isEqualTo(1);
  }

  @Test
  void aHeapElsewhereIsUnknown() {
    List<Held> elsewhere =
        List.of(new Held(1, 100, OptionalLong.empty()), new Held(2, 200, OptionalLong.empty()));

    JsonNode rows = MemoryPart.table(elsewhere, USERS).toJson(new ObjectMapper());

    assertThat(rows.path(1).path("stateBytesPerFurther").asDouble()).isEqualTo(100);
    assertThat(rows.path(1).path("heapBytes").isNull()).isTrue();
    assertThat(rows.path(1).path("heapBytesPerFurther").isNull()).isTrue();
  }

  @Test
  void theGoalsAreOfTheLargestSizesAndOfHowTheyGrew() {
    assertThat(MemoryPart.goals(new Goals.Memory(100, 0.1, 1.1, 1.2), CELLS, USERS))
        .extracting(Goal::what, Goal::found, Goal::outcome)
        .containsExactly(
            tuple("checkpoint bytes per cell, with 101,000 cells", 9_100_000 / 101_000.0, "yes"),
            tuple(
                "checkpoint bytes per further cell: largest catalogue, ratio to the smallest",
                1.0,
                "yes"),
            tuple(
                "heap bytes per further cell: largest catalogue, ratio to the smallest",
                1.0,
                "yes"),
            tuple("checkpoint bytes per further user", 0.005, "yes"));
  }

  private static Held held(int count, long stateBytes, long heapBytes) {
    return new Held(count, stateBytes, OptionalLong.of(heapBytes));
  }
}
