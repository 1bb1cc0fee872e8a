package io.lastfix.operate.size;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects which figures a value is computed from. */
final class Basis {
  private final Figures figures;
  private final Set<String> measured = new LinkedHashSet<>();
  private final Set<String> assumed = new LinkedHashSet<>();
  private final Set<String> set = new LinkedHashSet<>();

  Basis(Figures figures) {
    this.figures = figures;
  }

  /** The figure's value; the figure becomes part of the basis. */
  double of(String key) {
    Figure figure = figures.get(key);
    if (figure.isSet()) {
      set.add(key);
    } else if (figure.measured() != null) {
      measured.add(figure.measured());
    } else {
      assumed.add(key);
    }
    return figure.value();
  }

  /** Adds whatever another value is computed from. */
  Basis and(Basis other) {
    measured.addAll(other.measured);
    assumed.addAll(other.assumed);
    set.addAll(other.set);
    return this;
  }

  /** Adds lines whose own basis is not repeated. */
  Basis andLinesAbove() {
    assumed.add("the lines above");
    return this;
  }

  @Override
  public String toString() {
    List<String> words = new ArrayList<>();
    if (!assumed.isEmpty()) {
      words.add("assumed: " + String.join(", ", assumed));
    }
    if (!measured.isEmpty()) {
      words.add("measured: " + String.join(", ", measured));
    }
    if (!set.isEmpty() || words.isEmpty()) {
      words.add(set.isEmpty() ? "given" : "given: " + String.join(", ", set));
    }
    return String.join("; ", words);
  }
}
