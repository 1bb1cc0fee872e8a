package io.lastfix.bench.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * When Flink and MongoDB took checkpoints, in seconds since a start, assembled from repeated polls.
 * Thread-safe.
 */
public final class CheckpointTimeline {
  /** A span of seconds; {@code to} is not before {@code from}. */
  public record Span(double from, double to) {
    /** Its length. */
    public double seconds() {
      return to - from;
    }
  }

  private final Map<Long, Span> flink = new TreeMap<>();
  private final List<Span> mongo = new ArrayList<>();
  private double mongoSince = Double.NaN;

  /**
   * Records a checkpoint of Flink's; a later poll replaces what an earlier one saw.
   *
   * @param id its number
   */
  public synchronized void flink(long id, double from, double to) {
    flink.put(id, new Span(from, Math.max(from, to)));
  }

  /**
   * Records whether MongoDB took a checkpoint at that second, which must be after those of all
   * earlier calls.
   */
  public synchronized void mongo(double second, boolean isRunning) {
    if (isRunning && Double.isNaN(mongoSince)) {
      mongoSince = second;
    } else if (!isRunning && !Double.isNaN(mongoSince)) {
      mongo.add(new Span(mongoSince, second));
      mongoSince = Double.NaN;
    }
  }

  /** Flink's checkpoints, clipped to 0 and {@code end}. */
  public synchronized List<Span> ofFlink(double end) {
    return within(List.copyOf(flink.values()), end);
  }

  /**
   * MongoDB's checkpoints, clipped to 0 and {@code end}. A checkpoint whose end was not seen lasts
   * until {@code end}.
   */
  public synchronized List<Span> ofMongo(double end) {
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
