package io.lastfix.store.query;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.CountQueries.GroupSum;
import java.time.Instant;
import java.util.List;

/** Counts as JSON. */
public final class CountJson {
  private CountJson() {}

  /** The sums of groups over a range. */
  public static ObjectNode ofSums(TimeRange range, CountBy by, List<GroupSum> sums) {
    ObjectNode answer = about(range, by);
    answer.putArray("groups").addAll(sums.stream().map(CountJson::of).toList());
    return answer;
  }

  /**
   * The windows of a range.
   *
   * @param more whether there are more than these
   */
  public static ObjectNode ofWindows(
      TimeRange range, CountBy by, List<WindowCount> counts, boolean more) {
    ObjectNode answer = about(range, by);
    answer.putArray("windows").addAll(counts.stream().map(CountJson::of).toList());
    return answer.put("more", more);
  }

  /** The sum of a group. */
  public static ObjectNode of(GroupSum sum) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("k", sum.key())
        .put("n", sum.n())
        .put("windows", sum.windows())
        .put("open", sum.open())
        .put("batch", sum.fromHistory())
        .put("newest", Instant.ofEpochMilli(sum.newestMillis()).toString());
  }

  /** The count of a window and group. */
  public static ObjectNode of(WindowCount count) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("w", Instant.ofEpochMilli(count.windowMillis()).toString())
        .put("k", count.key())
        .put("n", count.n())
        .put("state", count.state().text())
        .put("rev", count.rev());
  }

  /** The fields of an answer that say what it is about. */
  public static ObjectNode about(TimeRange range, CountBy by) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("from", range.from().toString())
        .put("to", range.to().toString())
        .put("by", by.text());
  }
}
