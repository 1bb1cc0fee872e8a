package io.lastfix.it.operate;

import io.lastfix.cluster.Installation;
import io.lastfix.upgrade.ChangedLocationJob;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** The jar of a later release: today's, with {@link ChangedLocationJob} as its main class. */
final class ChangedJar {
  private ChangedJar() {}

  /** Makes it in that folder. */
  static Path make(Path directory) throws IOException, URISyntaxException {
    Path jar = directory.resolve("changed-location-job.jar");
    Files.copy(Installation.jobJar(), jar, StandardCopyOption.REPLACE_EXISTING);
    Class<?> main = ChangedLocationJob.class;
    Path classes = Path.of(main.getResource(main.getSimpleName() + ".class").toURI()).getParent();
    try (FileSystem zip = FileSystems.newFileSystem(jar);
        Stream<Path> files = Files.list(classes)) {
      Path packageInJar = zip.getPath(main.getPackageName().replace('.', '/'));
      Files.createDirectories(packageInJar);
      for (Path file : files.toList()) {
        Files.copy(file, packageInJar.resolve(file.getFileName().toString()));
      }
      Manifest manifest = new Manifest();
      manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, main.getName());
      try (OutputStream out = Files.newOutputStream(zip.getPath("META-INF", "MANIFEST.MF"))) {
        manifest.write(out);
      }
    }
    return jar;
  }
}
