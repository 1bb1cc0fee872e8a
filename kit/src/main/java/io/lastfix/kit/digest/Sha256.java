package io.lastfix.kit.digest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 (FIPS 180-4), which every Java platform provides ({@link MessageDigest}). The audit's
 * {@code HistoryLayout} has its own line, because a proof shares no code with what it proves.
 */
public final class Sha256 {
  private Sha256() {}

  /**
   * Creates a digest of nothing yet; it is for one thread, and can be used again after a result.
   */
  public static MessageDigest create() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }

  /** Returns the digest of a text in UTF-8: 32 bytes. */
  public static byte[] of(String text) {
    return create().digest(text.getBytes(UTF_8));
  }

  /** Returns the digest of bytes as 64 hexadecimal digits in lower case. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(create().digest(bytes));
  }

  /** Returns the digest of a text in UTF-8 as 64 hexadecimal digits in lower case. */
  public static String hex(String text) {
    return hex(text.getBytes(UTF_8));
  }

  /**
   * Returns the digest of a file as 64 hexadecimal digits in lower case.
   *
   * @throws IOException if the file cannot be read
   */
  public static String hex(Path file) throws IOException {
    MessageDigest digest = create();
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
