package io.lastfix.cluster.jvm;

import java.nio.file.Path;

/** The program {@code java} that runs this JVM. */
public final class JavaProgram {
  private JavaProgram() {}

  /** Returns its path, for the command line of another JVM. */
  public static String path() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
