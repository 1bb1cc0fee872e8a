package io.lastfix.cluster.submission;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** Jars for tests, with nothing but a version. */
final class JobJarExample {
  private static final FileTime EPOCH = FileTime.fromMillis(0);

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
        JarOutputStream jar = new JarOutputStream(out)) {
      // With the time of now, two jars of the same version would differ after a second or two.
      jar.putNextEntry(new ZipEntry(JarFile.MANIFEST_NAME).setLastModifiedTime(EPOCH));
      manifest.write(jar);
      jar.closeEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }
}
