package io.lastfix.cluster.submission;

import io.lastfix.kit.digest.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares the settings of two commands without storing them: a salted SHA-256 over every key and
 * value, in any order. Its text is the salt and the hash, as hexadecimal digits separated by a
 * colon.
 */
public final class SettingsFingerprint {
  private static final int SALT_BYTES = 16;
  private static final HexFormat HEX = HexFormat.of();

  private SettingsFingerprint() {}

  /** The fingerprint of these settings, with a new salt. */
  public static String of(Map<String, String> settings) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return text(salt, settings);
  }

  /** Returns whether the fingerprint belongs to these settings. */
  public static boolean matches(String fingerprint, Map<String, String> settings) {
    int colon = fingerprint.indexOf(':');
    return colon == 2 * SALT_BYTES
        && fingerprint.equals(text(HEX.parseHex(fingerprint, 0, colon), settings));
  }

  private static String text(byte[] salt, Map<String, String> settings) {
    MessageDigest digest = Sha256.create();
    digest.update(salt);
    new TreeMap<>(settings)
        .forEach(
            (key, value) -> {
              add(digest, key);
              add(digest, value);
            });
    return HEX.formatHex(salt) + ":" + HEX.formatHex(digest.digest());
  }

  /** Adds the text with its length, so that different settings never form the same input. */
  private static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    digest.update(bytes);
  }
}
