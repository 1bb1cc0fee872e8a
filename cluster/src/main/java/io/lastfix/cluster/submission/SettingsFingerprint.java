package io.lastfix.cluster.submission;

import io.lastfix.kit.digest.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares the settings of two commands without storing them. Its text is a salt, a salted SHA-256
 * over every key and value, and {@code key=hint} for each key, separated by colons and commas. A
 * hint is two bytes of a hash: enough to name the setting that differs, and too little to guess a
 * password by.
 */
public final class SettingsFingerprint {
  private static final int SALT_BYTES = 16;
  private static final int HINT_BYTES = 2;
  private static final HexFormat HEX = HexFormat.of();

  private SettingsFingerprint() {}

  /** The fingerprint of these settings, with a new salt. */
  public static String of(Map<String, String> settings) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return "%s:%s:%s"
        .formatted(
            HEX.formatHex(salt),
            HEX.formatHex(hash(salt, settings)),
            hints(salt, settings).entrySet().stream()
                .map(hint -> hint.getKey() + "=" + hint.getValue())
                .collect(Collectors.joining(",")));
  }

  /**
   * Returns the keys that have another value than in the fingerprint, or only one of them has. If
   * the hints cannot tell them, these are all keys.
   */
  public static SortedSet<String> differing(String fingerprint, Map<String, String> settings) {
    String[] parts = fingerprint.split(":", 3);
    byte[] salt = HEX.parseHex(parts[0]);
    if (parts[1].equals(HEX.formatHex(hash(salt, settings)))) {
      return new TreeSet<>();
    }
    Map<String, String> former =
        Stream.of((parts.length > 2 ? parts[2] : "").split(",", -1))
            .filter(hint -> hint.contains("="))
            .map(hint -> hint.split("=", 2))
            .collect(Collectors.toMap(hint -> hint[0], hint -> hint[1]));
    Map<String, String> present = hints(salt, settings);
    SortedSet<String> keys = new TreeSet<>(former.keySet());
    keys.addAll(present.keySet());
    SortedSet<String> differing = new TreeSet<>(keys);
    differing.removeIf(key -> former.containsKey(key) && former.get(key).equals(present.get(key)));
    return differing.isEmpty() ? keys : differing;
  }

  private static Map<String, String> hints(byte[] salt, Map<String, String> settings) {
    Map<String, String> hints = new TreeMap<>();
    settings.forEach(
        (key, value) ->
            hints.put(
                key, HEX.formatHex(Arrays.copyOf(hash(salt, Map.of(key, value)), HINT_BYTES))));
    return hints;
  }

  private static byte[] hash(byte[] salt, Map<String, String> settings) {
    MessageDigest digest = Sha256.create();
    digest.update(salt);
    new TreeMap<>(settings)
        .forEach(
            (key, value) -> {
              add(digest, key);
              add(digest, value);
            });
    return digest.digest();
  }

  /** Adds the text with its length, so that different settings never form the same input. */
  private static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    digest.update(bytes);
  }
}
