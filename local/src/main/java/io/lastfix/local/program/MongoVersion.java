package io.lastfix.local.program;

import java.util.Optional;
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
   * Finds the version in the output of {@code --version}, after a text such as {@code db version
   * v}.
   */
  static Optional<MongoVersion> in(String output, String label) {
    Matcher matcher =
        Pattern.compile(Pattern.quote(label) + "(\\d+)\\.(\\d+)\\.(\\d+)").matcher(output);
    return matcher.find()
        ? Optional.of(
            new MongoVersion(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3))))
        : Optional.empty();
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
