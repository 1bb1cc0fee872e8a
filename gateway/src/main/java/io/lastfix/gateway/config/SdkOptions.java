package io.lastfix.gateway.config;

import io.lastfix.kit.config.Key;
import java.util.Map;
import org.semver4j.Semver;
import org.semver4j.range.RangeList;
import org.semver4j.range.RangeListFactory;

/**
 * Which releases of which clients may write.
 *
 * @param required whether a request has to name its client
 * @param ranges by client; a client without one may have any version
 */
public record SdkOptions(boolean required, Map<String, Range> ranges) {
  /**
   * Versions that are accepted.
   *
   * @param text as configured
   */
  public record Range(String text, RangeList versions) {
    /**
     * Reads a range in npm's notation.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Range of(String text) {
      RangeList versions;
      try {
        versions = RangeListFactory.create(text);
      } catch (RuntimeException e) {
        throw Key.expected("a range such as >=1.2.0 <3.0.0");
      }
      if (versions.get().isEmpty() || versions.get().stream().anyMatch(all -> all.isEmpty())) {
        throw Key.expected("a range such as >=1.2.0 <3.0.0");
      }
      return new Range(text, versions);
    }

    /** Returns whether a version is in the range. */
    public boolean contains(Semver version) {
      return versions.isSatisfiedBy(version);
    }
  }
}
