package io.lastfix.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * When Flink and MongoDB took checkpoints, in seconds from a moment on: put together of what was
 * seen from time to time. Thread-safe.
 */
final class CheckpointTimeline {
  /** From one second to another, which is not before it. */
  record Span(double from, double to) {
    double seconds() {
      return to - from;
    }
  }

  private final Map<Long, Span> flink = new TreeMap<>();
  private final List<Span> mongo = new ArrayList<>();
  private double mongoSince = Double.NaN;

  /**
   * A checkpoint of Flink's, of which more may be known now than when it was seen before.
   *
   * @param id its number
   */
  synchronized void flink(long id, double from, double to) {
    flink.put(id, new Span(from, Math.max(from, to)));
  }

  /** Whether MongoDB took a checkpoint at that second, which is after all that were told before. */
  synchronized void mongo(double second, boolean isRunning) {
    if (isRunning && Double.isNaN(mongoSince)) {
      mongoSince = second;
    } else if (!isRunning && !Double.isNaN(mongoSince)) {
      mongo.add(new Span(mongoSince, second));
      mongoSince = Double.NaN;
    }
  }

  /** What of Flink's checkpoints lies between 0 and that second. */
  synchronized List<Span> ofFlink(double end) {
    return within(List.copyOf(flink.values()), end);
  }

  /** What of MongoDB's lies between 0 and that second; one that was not seen to end goes on. */
  synchronized List<Span> ofMongo(double end) {
    List<Span> all = new ArrayList<>(mongo);
    if (!Double.isNaN(mongoSince)) {
      all.add(new Span(mongoSince, Math.max(mongoSince, end)));
    }
    return within(all, end);
  }

  private static List<Span> within(List<Span> spans, double end) {
    return spans.stream()
        .filter(span -> span.to() >= 0 && span.from() <= end)
        .map(span -> new Span(Math.max(0, span.from()), Math.min(end, span.to())))
        .toList();
  }
}
