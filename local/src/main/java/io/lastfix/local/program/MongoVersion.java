package io.lastfix.local.program;

import io.lastfix.cluster.StackException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a mongod or mongos.
 *
 * @param major 6 in 6.0.5
 * @param minor 0 in 6.0.5
 * @param patch 5 in 6.0.5
 */
public record MongoVersion(int major, int minor, int patch) {
  /**
   * Finds the version in the output of {@code --version}.
   *
   * @param name the program's, for the message
   * @param label what stands before the word "version"
   * @throws StackException if there is none, because it is another program
   */
  static MongoVersion of(Path program, String name, String label, String output) {
    Matcher matcher = Pattern.compile(label + " version v(\\d+)\\.(\\d+)\\.(\\d+)").matcher(output);
    if (!matcher.find()) {
      throw new StackException(
          "%s is no %s: its --version shows no \"%s version\"".formatted(program, name, label));
    }
    return new MongoVersion(
        Integer.parseInt(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        Integer.parseInt(matcher.group(3)));
  }

  /** The name of the release, such as 6.0, as feature compatibility versions use it. */
  public String release() {
    return major + "." + minor;
  }

  /** Returns whether this release is older; patches do not count. */
  boolean isOfOlderReleaseThan(MongoVersion other) {
    return major == other.major ? minor < other.minor : major < other.major;
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
