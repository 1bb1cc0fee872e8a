package io.lastfix.cluster.submission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsFingerprintTest {
  private static final Map<String, String> SETTINGS =
      Map.of("mongo.uri", "mongodb://user:correct-horse@a/", "job.parallelism", "2");

  @Test
  void theOrderOfTheKeysDoesNotMatter() {
    Map<String, String> ordered = new LinkedHashMap<>();
    ordered.put("mongo.uri", SETTINGS.get("mongo.uri"));
    ordered.put("job.parallelism", "2");

    assertThat(SettingsFingerprint.matches(SettingsFingerprint.of(SETTINGS), ordered)).isTrue();
  }

  @Test
  void anotherValueAnotherKeyAndAMissingKeyAreNoticed() {
    String fingerprint = SettingsFingerprint.of(SETTINGS);

    assertThat(SettingsFingerprint.matches(fingerprint, with("mongo.uri", "mongodb://b/")))
        .isFalse();
    assertThat(SettingsFingerprint.matches(fingerprint, with("kafka.group-id", "g"))).isFalse();
    assertThat(SettingsFingerprint.matches(fingerprint, Map.of("job.parallelism", "2"))).isFalse();
  }

  @Test
  void equalSettingsHaveNotTheSameTextTwiceAndNoneCanBeRead() {
    String fingerprint = SettingsFingerprint.of(SETTINGS);

    assertThat(fingerprint)
        .isNotEqualTo(SettingsFingerprint.of(SETTINGS))
        .matches("[0-9a-f]{32}:[0-9a-f]{64}");
  }

  private static Map<String, String> with(String key, String value) {
    Map<String, String> settings = new LinkedHashMap<>(SETTINGS);
    settings.put(key, value);
    return settings;
  }
}
