package io.lastfix.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class GoalsTest {
  @Test
  void theGoalsOfThisBuildAreThoseOfTheFile() {
    Goals goals = Goals.ofThisBuild();

    assertThat(goals.ingest()).isEqualTo(new Goals.Ingest(0.85, 0.95, 1.2, 1.35, 50));
    assertThat(goals.query()).isEqualTo(new Goals.Query(1_000, 20, 0.5));
    assertThat(goals.freshness()).isEqualTo(new Goals.Freshness(150, 350));
    assertThat(goals.burst()).isEqualTo(new Goals.Burst(0, 0, 0.9));
    assertThat(goals.memory()).isEqualTo(new Goals.Memory(100, 0.1, 1.1, 1.2));
    assertThat(goals.decoders()).isEqualTo(new Goals.Decoders(0.4));
    assertThat(goals.located()).isEqualTo(new Goals.Located(1.1));
    assertThat(goals.analytics()).isEqualTo(new Goals.Analytics(1_500, 0.9, 150_000));
    assertThat(goals.connect()).isEqualTo(new Goals.Connect(3));
    assertThat(goals.gateway()).isEqualTo(new Goals.Gateway(150, 500, 50, 60, 0, 0, 50, 1.9));
  }

  @Test
  void oneMessageNamesEveryWrongKey() throws IOException {
    String wrong =
        file()
            .replace("uniform-rate-share: 0.85", "uniform-rate-share: fast")
            .replace("p99-millis: 20", "p99-millis: 0")
            .replace("per-second: 1000", "per-second: 0.5")
            .replace("restarts: 0", "restarts: -1")
            .replace("speed-share: 0.4", "speed-shares: 0.4");

    assertThatThrownBy(() -> Goals.parse(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "goals.yaml: ingest.uniform-rate-share: expected a number above 0, found \"fast\";"
                + " query.per-second: expected a whole number, found 0.5;"
                + " query.p99-millis: expected a number above 0, found 0;"
                + " burst.restarts: expected a number of 0 or more, found -1;"
                + " decoders.speed-share: missing;"
                + " decoders.speed-shares: unknown key");
  }

  @Test
  void aFileThatIsNotYamlIsRefusedAsSuch() {
    assertThatThrownBy(() -> Goals.parse("ingest: [1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("goals.yaml is not YAML: ");
  }

  private static String file() throws IOException {
    try (InputStream in = Goals.class.getResourceAsStream("goals.yaml")) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
