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
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Compares the settings of two commands without storing their values. Its text is a salt, a colon,
 * and {@code key=hash} for each key, separated by commas; the hash is the first half of a SHA-256
 * over salt, key and value, as hexadecimal digits.
 */
public final class SettingsFingerprint {
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 16;
  private static final HexFormat HEX = HexFormat.of();
  private static final Pattern COMMA = Pattern.compile(",");

  private SettingsFingerprint() {}

  /** The fingerprint of these settings, with a new salt. */
  public static String of(Map<String, String> settings) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return hashes(salt, settings).entrySet().stream()
        .map(hash -> hash.getKey() + "=" + hash.getValue())
        .collect(Collectors.joining(",", HEX.formatHex(salt) + ":", ""));
  }

  /** Returns whether the fingerprint belongs to these settings. */
  public static boolean matches(String fingerprint, Map<String, String> settings) {
    return differing(fingerprint, settings).isEmpty();
  }

  /** Returns the keys that have another value than in the fingerprint, or only one of them has. */
  public static SortedSet<String> differing(String fingerprint, Map<String, String> settings) {
    byte[] salt = HEX.parseHex(fingerprint, 0, 2 * SALT_BYTES);
    Map<String, String> former =
        COMMA
            .splitAsStream(fingerprint.substring(2 * SALT_BYTES + 1))
            .filter(hash -> hash.contains("="))
            .map(hash -> hash.split("=", 2))
            .collect(Collectors.toMap(hash -> hash[0], hash -> hash[1]));
    Map<String, String> present = hashes(salt, settings);
    SortedSet<String> keys = new TreeSet<>(former.keySet());
    keys.addAll(present.keySet());
    keys.removeIf(key -> former.containsKey(key) && former.get(key).equals(present.get(key)));
    return keys;
  }

  private static TreeMap<String, String> hashes(byte[] salt, Map<String, String> settings) {
    TreeMap<String, String> hashes = new TreeMap<>();
    settings.forEach(
        (key, value) -> {
          MessageDigest digest = Sha256.create();
          digest.update(salt);
          add(digest, key);
          add(digest, value);
          hashes.put(key, HEX.formatHex(Arrays.copyOf(digest.digest(), HASH_BYTES)));
        });
    return hashes;
  }

  /** Adds the text with its length, so that different settings never form the same input. */
  private static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    digest.update(bytes);
  }
}
