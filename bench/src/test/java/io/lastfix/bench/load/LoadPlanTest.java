package io.lastfix.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadPlanTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void aPlanReachesTheOtherProcessUnchanged() throws IOException {
    LoadPlan plan =
        LoadPlan.heartbeats(
            URI.create("http://127.0.0.1:8480"), "token", 10, 60, 315, 60, Path.of("/tmp/silent"));

    assertThat(JSON.readValue(JSON.writeValueAsString(plan), LoadPlan.class)).isEqualTo(plan);
  }

  @Test
  void aResultComesBackUnchanged() throws IOException {
    LoadResult result = new LoadResult(9, 2, Map.of(202, 9L, 503, 2L, 0, 1L), 3, 1, 2, 3, 0.5);

    assertThat(JSON.readValue(JSON.writeValueAsString(result), LoadResult.class)).isEqualTo(result);
  }

  @Test
  void whateverIsNotASuccessIsAFailure() {
    LoadResult result =
        new LoadResult(9, 2, Map.of(201, 1L, 202, 9L, 503, 2L, 0, 1L), 3, 1, 2, 3, 0.5);

    assertThat(result.failures()).isEqualTo(2 + 1 + 3);
    assertThat(result.perSecond()).isEqualTo(4.5);
  }
}
