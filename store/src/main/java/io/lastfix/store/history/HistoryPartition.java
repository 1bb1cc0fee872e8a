package io.lastfix.store.history;

import java.io.Serializable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One History collection and its period, parsed from its name: {@code <prefix>_2026_11}, {@code
 * <prefix>_2026_11_20} or {@code <prefix>_2026_11_20_13}, in UTC.
 *
 * @param collection name of the collection
 * @param start first instant of the period
 * @param end first instant after the period
 */
public record HistoryPartition(String collection, Instant start, Instant end)
    implements Serializable {
  /** Orders by start; if two start together, the longer one comes first. */
  public static final Comparator<HistoryPartition> OLDEST_FIRST =
      Comparator.comparing(HistoryPartition::start).thenComparing(HistoryPartition::collection);

  /** Parses the name of a collection; empty if it is not a partition with that prefix. */
  public static Optional<HistoryPartition> parse(String prefix, String collection) {
    if (!collection.startsWith(prefix + "_")) {
      return Optional.empty();
    }
    String[] parts = collection.substring(prefix.length() + 1).split("_", -1);
    if (parts.length < 2 || parts.length > 4 || parts[0].length() != 4) {
      return Optional.empty();
    }
    int[] numbers = {0, 1, 1, 0};
    for (int i = 0; i < parts.length; i++) {
      if ((i > 0 && parts[i].length() != 2)
          || !parts[i].chars().allMatch(c -> c >= '0' && c <= '9')) {
        return Optional.empty();
      }
      numbers[i] = Integer.parseInt(parts[i]);
    }
    try {
      LocalDateTime start = LocalDateTime.of(numbers[0], numbers[1], numbers[2], numbers[3], 0);
      ChronoUnit period =
          switch (parts.length) {
            case 2 -> ChronoUnit.MONTHS;
            case 3 -> ChronoUnit.DAYS;
            default -> ChronoUnit.HOURS;
          };
      return Optional.of(
          new HistoryPartition(
              collection,
              start.toInstant(ZoneOffset.UTC),
              start.plus(1, period).toInstant(ZoneOffset.UTC)));
    } catch (DateTimeException e) {
      // A month 13 or a day 32: the collection is not a partition.
      return Optional.empty();
    }
  }

  /** Returns those of some collections that are partitions with that prefix, the oldest first. */
  public static List<HistoryPartition> parseAll(String prefix, List<String> collections) {
    return collections.stream()
        .flatMap(collection -> parse(prefix, collection).stream())
        .sorted(OLDEST_FIRST)
        .toList();
  }

  /** Returns true if the partition can contain records of {@code [from, to)}. */
  public boolean overlaps(Instant from, Instant to) {
    return start.isBefore(to) && end.isAfter(from);
  }
}
