package io.lastfix.expressions.generate;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The constants of a generated class, which takes them as arrays: none is a part of its source. */
public final class Constants {
  final List<String> texts = new ArrayList<>();
  final List<Long> longs = new ArrayList<>();
  final List<Double> doubles = new ArrayList<>();
  final List<Set<String>> textSets = new ArrayList<>();
  final List<List<Long>> longLists = new ArrayList<>();
  final List<List<Double>> doubleLists = new ArrayList<>();
  final List<ZoneId> zones = new ArrayList<>();

  Constants() {}

  /** Adds a constant to one of the lists, and returns its index. */
  static <T> int add(List<T> list, T constant) {
    list.add(constant);
    return list.size() - 1;
  }
}
