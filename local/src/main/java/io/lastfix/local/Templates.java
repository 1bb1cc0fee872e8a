package io.lastfix.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/** The constant settings files of the servers, stored beside this class. */
final class Templates {
  private Templates() {}

  static void write(String name, Path target) throws IOException {
    try (InputStream in = Objects.requireNonNull(Templates.class.getResourceAsStream(name), name)) {
      Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
