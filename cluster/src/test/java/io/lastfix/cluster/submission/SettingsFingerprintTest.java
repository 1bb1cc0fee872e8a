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

    assertThat(SettingsFingerprint.differing(SettingsFingerprint.of(SETTINGS), ordered)).isEmpty();
  }

  @Test
  void anotherValueAnotherKeyAndAMissingKeyAreNamed() {
    String fingerprint = SettingsFingerprint.of(SETTINGS);

    assertThat(SettingsFingerprint.differing(fingerprint, with("mongo.uri", "mongodb://b/")))
        .containsExactly("mongo.uri");
    assertThat(SettingsFingerprint.differing(fingerprint, with("kafka.group-id", "g")))
        .containsExactly("kafka.group-id");
    assertThat(SettingsFingerprint.differing(fingerprint, Map.of("job.parallelism", "3")))
        .containsExactly("job.parallelism", "mongo.uri");
    assertThat(SettingsFingerprint.differing(SettingsFingerprint.of(Map.of()), SETTINGS))
        .containsExactly("job.parallelism", "mongo.uri");
  }

  @Test
  void equalSettingsHaveNotTheSameTextTwiceAndNoneCanBeRead() {
    String fingerprint = SettingsFingerprint.of(SETTINGS);

    assertThat(fingerprint)
        .isNotEqualTo(SettingsFingerprint.of(SETTINGS))
        .matches("[0-9a-f]{32}:[0-9a-f]{64}:job.parallelism=[0-9a-f]{4},mongo.uri=[0-9a-f]{4}");
  }

  private static Map<String, String> with(String key, String value) {
    Map<String, String> settings = new LinkedHashMap<>(SETTINGS);
    settings.put(key, value);
    return settings;
  }
}
