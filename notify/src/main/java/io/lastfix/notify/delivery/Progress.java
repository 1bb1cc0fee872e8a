package io.lastfix.notify.delivery;

import java.util.Iterator;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * How far a partition is finished: all offsets below {@code next} but the open ones. Kafka has one
 * offset for it, the first open one, and a text beside it, which has the others. Without the text,
 * one alert that is tried for a day would make a restart deliver all alerts of that day again.
 *
 * @param next 0 or more
 * @param open below {@code next}
 */
record Progress(long next, SortedSet<Long> open) {
  /** Kafka's limit is 4,096 bytes (offset.metadata.max.bytes). */
  private static final int MOST_CHARACTERS = 3_000;

  /** More offsets than any window has. */
  private static final long MOST_OPEN = 1_000_000;

  /** {@code next} and the ranges of open offsets, relative to the committed offset. */
  private static final Pattern TEXT = Pattern.compile("1;(\\d{1,18});([0-9,-]+)");

  private static final Pattern RANGE = Pattern.compile("(\\d{1,18})(?:-(\\d{1,18}))?,");

  /** Returns what a commit says; one of another program says that all below its offset is done. */
  static Progress of(OffsetAndMetadata committed) {
    long offset = committed.offset();
    Matcher text = TEXT.matcher(String.valueOf(committed.metadata()));
    if (!text.matches()) {
      return new Progress(offset, new TreeSet<>());
    }
    SortedSet<Long> open = new TreeSet<>();
    Matcher ranges = RANGE.matcher(text.group(2));
    while (ranges.find()) {
      long first = Long.parseLong(ranges.group(1));
      long last = ranges.group(2) == null ? first : Long.parseLong(ranges.group(2));
      if (last - first + open.size() >= MOST_OPEN) {
        return new Progress(offset, new TreeSet<>());
      }
      for (long one = first; one <= last; one++) {
        open.add(offset + one);
      }
    }
    long next = offset + Long.parseLong(text.group(1));
    return open.isEmpty() || open.last() >= next
        ? new Progress(offset, new TreeSet<>())
        : new Progress(next, open);
  }

  /** Returns what to commit. */
  OffsetAndMetadata commit() {
    if (open.isEmpty()) {
      return new OffsetAndMetadata(next);
    }
    long offset = open.first();
    StringBuilder ranges = new StringBuilder();
    long end = next;
    Iterator<Long> all = open.iterator();
    long first = all.next();
    long last = first;
    while (true) {
      long after = all.hasNext() ? all.next() : -1;
      if (after == last + 1) {
        last = after;
        continue;
      }
      if (ranges.length() >= MOST_CHARACTERS) {
        // What does not fit is delivered again after a restart.
        end = first;
        break;
      }
      ranges.append(first - offset);
      if (last > first) {
        ranges.append('-').append(last - offset);
      }
      ranges.append(',');
      if (after < 0) {
        break;
      }
      first = after;
      last = after;
    }
    return new OffsetAndMetadata(offset, "1;" + (end - offset) + ";" + ranges);
  }
}
