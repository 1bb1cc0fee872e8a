package io.lastfix.cli.common;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
public final class BuildVersion implements IVersionProvider {
  /** For instance {@code 1.0.0}; classes outside of a jar have none. */
  public static String number() {
    String version = BuildVersion.class.getPackage().getImplementationVersion();
    return version == null ? "(development build)" : version;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"lastfix " + number()};
  }
}
