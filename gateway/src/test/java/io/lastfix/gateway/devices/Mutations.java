package io.lastfix.gateway.devices;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Small changes of a text. */
public final class Mutations {
  private Mutations() {}

  /**
   * Texts that differ from this one at one place: with a character more, with one less, and with
   * another one.
   *
   * @param at 0 to the text's length
   */
  public static List<String> at(int at, String whole, Random random) {
    char other = (char) (' ' + random.nextInt('~' - ' ' + 1));
    List<String> mutated = new ArrayList<>();
    mutated.add(whole.substring(0, at) + other + whole.substring(at));
    if (at < whole.length()) {
      mutated.add(whole.substring(0, at) + whole.substring(at + 1));
      mutated.add(
          whole.substring(0, at)
              + (char) (whole.charAt(at) ^ (1 << random.nextInt(7)))
              + whole.substring(at + 1));
      if (other != whole.charAt(at)) {
        mutated.add(whole.substring(0, at) + other + whole.substring(at + 1));
      }
    }
    mutated.removeIf(whole::equals);
    return mutated;
  }
}
