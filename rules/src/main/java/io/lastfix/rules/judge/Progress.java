package io.lastfix.rules.judge;

import java.util.List;

/**
 * How far a device is in a sequence.
 *
 * @param inside a bit for each step, from the lowest on: whether the device counts as inside the
 *     step's fence; only of steps with {@code entered} and {@code left}
 * @param starts at index i the timestamp of the newest record with which i + 1 steps have begun, in
 *     epoch milliseconds; none greater than the one before. It ends with the first number of steps
 *     for which there is none
 */
public record Progress(int inside, List<Long> starts) {
  /** Copies the list. */
  public Progress {
    starts = List.copyOf(starts);
  }
}
