package io.lastfix.cluster.submission;

import io.lastfix.kit.digest.Sha256;
import java.io.IOException;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipException;

/**
 * A jar of the jobs.
 *
 * @param path where it is
 * @param sha256 of its content, as hexadecimal digits
 * @param version that its build wrote into it
 */
public record JobJar(Path path, String sha256, String version) {
  private static final int SHOWN_DIGITS = 12;

  /**
   * Reads a jar.
   *
   * @throws IOException if it cannot be read, or is no jar
   */
  public static JobJar of(Path path) throws IOException {
    return new JobJar(path, Sha256.hex(path), version(path));
  }

  private static String version(Path path) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      Manifest manifest = jar.getManifest();
      String version =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
      return version == null ? "unknown version" : version;
    } catch (ZipException e) {
      throw new IOException(path + " is no jar, so nothing was changed: " + e.getMessage(), e);
    }
  }

  /** Returns whether both have the same content. */
  public boolean isSameAs(JobJar other) {
    return sha256.equals(other.sha256);
  }

  /** For the user: the version, and enough of the digest to tell two builds of it apart. */
  @Override
  public String toString() {
    return "%s (sha256 %s, %s)".formatted(version, sha256.substring(0, SHOWN_DIGITS), path);
  }
}
