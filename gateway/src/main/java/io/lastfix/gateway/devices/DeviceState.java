package io.lastfix.gateway.devices;

/**
 * What an administrator decided about a device. A device without a decision has {@link #INITIAL}.
 *
 * @param generation of its valid secret, 1 or more; secrets of earlier ones are revoked
 * @param disabled true: the device is refused, whatever it signs with
 */
public record DeviceState(int generation, boolean disabled) {
  /** The first generation, not disabled. */
  public static final DeviceState INITIAL = new DeviceState(1, false);

  /** The greatest generation that a keyid can name. */
  static final int MAX_GENERATION = 99_999_999;

  /** Checks the generation. */
  public DeviceState {
    requireGeneration(generation);
  }

  static void requireGeneration(int generation) {
    if (generation < 1 || generation > MAX_GENERATION) {
      throw new IllegalArgumentException(
          "generation: expected 1 to %d, found %d".formatted(MAX_GENERATION, generation));
    }
  }

  /** With the next generation. */
  public DeviceState rotated() {
    return new DeviceState(generation + 1, disabled);
  }

  /** Disabled or not. */
  public DeviceState withDisabled(boolean value) {
    return new DeviceState(generation, value);
  }
}
