package io.lastfix.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The record profiles that ship with Lastfix: the files of {@code config/profiles}, which the build
 * puts on the class path. Whatever has to list them asks here, so that a new file is enough to ship
 * another one.
 */
public final class ShippedProfiles {
  private static final String FOLDER = "io/lastfix/profiles/";
  private static final String SUFFIX = ".yaml";
  private static final ClassLoader LOADER = ShippedProfiles.class.getClassLoader();
  private static final List<String> NAMES = read();

  private ShippedProfiles() {}

  /**
   * Returns the names of all, in alphabetical order: those of their files, without {@code .yaml}. A
   * profile's topic is its name behind the prefix of the location topics.
   */
  public static List<String> names() {
    return NAMES;
  }

  /** Opens the YAML of a profile; null if none of that name ships. The caller closes it. */
  public static @Nullable InputStream open(String name) {
    return LOADER.getResourceAsStream(FOLDER + name + SUFFIX);
  }

  private static List<String> read() {
    try {
      List<String> names = names(LOADER);
      if (names.isEmpty()) {
        throw new IllegalStateException(
            "no profile is in "
                + FOLDER
                + " on the class path: was the jar packed again without it?");
      }
      return names;
    } catch (IOException e) {
      throw new UncheckedIOException("the shipped profiles cannot be listed", e);
    }
  }

  /** Lists the profiles in every folder and jar of a class path. */
  static List<String> names(ClassLoader loader) throws IOException {
    SortedSet<String> names = new TreeSet<>();
    for (URL folder : Collections.list(loader.getResources(FOLDER))) {
      for (String file : files(folder)) {
        if (file.endsWith(SUFFIX)) {
          names.add(file.substring(0, file.length() - SUFFIX.length()));
        }
      }
    }
    return List.copyOf(names);
  }

  private static List<String> files(URL folder) throws IOException {
    URLConnection connection = folder.openConnection();
    if (connection instanceof JarURLConnection inJar) {
      // The JVM would share a cached file with others that read the jar, and this one is closed.
      inJar.setUseCaches(false);
      try (JarFile jar = inJar.getJarFile()) {
        return jar.stream()
            .map(entry -> entry.getName())
            .filter(name -> name.startsWith(FOLDER))
            .map(name -> name.substring(FOLDER.length()))
            .toList();
      }
    }
    try (Stream<Path> files = Files.list(Path.of(URI.create(folder.toString())))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
