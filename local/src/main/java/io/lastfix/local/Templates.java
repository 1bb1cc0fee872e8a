package io.lastfix.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.Properties;

/** The settings files of the servers, stored beside this class. */
final class Templates {
  private Templates() {}

  static void write(String name, Path target) throws IOException {
    try (InputStream in = open(name)) {
      Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Returns the file with the values in its places, which are those of {@link String#format}. */
  static String filled(String name, Object... values) throws IOException {
    try (InputStream in = open(name)) {
      return new String(in.readAllBytes(), UTF_8).formatted(values);
    }
  }

  /** Returns the properties of the file. */
  static Properties properties(String name) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = open(name)) {
      properties.load(in);
    }
    return properties;
  }

  private static InputStream open(String name) {
    return Objects.requireNonNull(Templates.class.getResourceAsStream(name), name);
  }
}
