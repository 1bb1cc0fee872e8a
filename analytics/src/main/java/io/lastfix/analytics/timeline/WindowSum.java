package io.lastfix.analytics.timeline;

/**
 * A sum of changes.
 *
 * @param count of what is counted
 * @param devices of the devices that did it
 */
public record WindowSum(int count, int devices) {
  static final WindowSum ZERO = new WindowSum(0, 0);
  static final WindowSum WITHHELD = new WindowSum(-1, -1);

  WindowSum plus(WindowSum other) {
    return new WindowSum(count + other.count, devices + other.devices);
  }
}
