package io.lastfix.stack.submission;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Jars for tests, with nothing but a version. */
final class JobJarExample {
  private JobJarExample() {}

  /** A jar in that folder. */
  static Path in(Path directory) {
    return make(directory.resolve("job.jar"), "1.0");
  }

  /** A jar of that version. */
  static Path make(Path file, String version) {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      jar.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }
}
