package io.lastfix.local;

import io.lastfix.cluster.StackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.function.Function;

/** A secret that is drawn once for a stack, and kept in a file that only its owner may read. */
final class KeptSecret {
  private KeptSecret() {}

  /**
   * Reads the secret of a file, or draws one and keeps it there. An empty file, as a full disk
   * leaves it, holds none.
   *
   * @param bytes to draw
   * @param asText turns them into the file's content
   */
  static String read(Path file, int bytes, Function<byte[], String> asText) {
    try {
      if (!Files.exists(file) || Files.size(file) == 0) {
        byte[] drawn = new byte[bytes];
        new SecureRandom().nextBytes(drawn);
        // For its owner only, as all temporary files.
        Path whole =
            Files.createTempFile(file.getParent(), String.valueOf(file.getFileName()), null);
        Files.writeString(whole, asText.apply(drawn));
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw StackException.cannot("read or write " + file, e);
    }
  }
}
