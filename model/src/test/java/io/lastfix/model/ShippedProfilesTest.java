package io.lastfix.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShippedProfilesTest {
  @TempDir private Path folder;

  @Test
  void everyFileOfTheFolderShips() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("..", "config", "profiles"))) {
      assertThat(ShippedProfiles.names())
          .isSorted()
          .containsExactlyInAnyOrderElementsOf(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(name -> name.endsWith(".yaml"))
                  .map(name -> name.replace(".yaml", ""))
                  .toList());
    }
  }

  @Test
  void aProfileIsOpenedByItsName() throws IOException {
    for (String name : ShippedProfiles.names()) {
      assertThat(ShippedProfiles.open(name))
          .hasSameContentAs(
              Files.newInputStream(Path.of("..", "config", "profiles", name + ".yaml")));
    }
    assertThat(ShippedProfiles.open("other")).isNull();
  }

  @Test
  void profilesAreFoundInFoldersAndJarsWithBlanksInTheirNames() throws IOException {
    Path classes = folder.resolve("a folder");
    Path profiles = Files.createDirectories(classes.resolve("io/lastfix/profiles"));
    Files.writeString(profiles.resolve("b.yaml"), "");
    Files.writeString(profiles.resolve("README.md"), "");
    Path jar = folder.resolve("a jar.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (String entry :
          List.of("io/lastfix/profiles/", "io/lastfix/profiles/c.yaml", "profiles/x.yaml")) {
        out.putNextEntry(new JarEntry(entry));
      }
    }

    URL[] urls = {classes.toUri().toURL(), jar.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, null)) {
      assertThat(ShippedProfiles.names(loader)).containsExactly("b", "c");
    }
  }
}
