package io.lastfix.store.query.numbers;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.CountQueries.GroupSum;
import java.time.Instant;
import java.util.List;

/** Counts as JSON. */
public final class CountJson {
  private CountJson() {}

  /**
   * The sums of the groups of a range.
   *
   * @param about {@link #about} them
   */
  public static ObjectNode ofSums(ObjectNode about, List<GroupSum> sums) {
    about.putArray("groups").addAll(sums.stream().map(CountJson::of).toList());
    return about;
  }

  /**
   * The windows of a range.
   *
   * @param about {@link #about} them
   */
  public static ObjectNode ofWindows(ObjectNode about, List<WindowCount> counts) {
    about.putArray("windows").addAll(counts.stream().map(CountJson::of).toList());
    return about;
  }

  /** The sum of a group. */
  public static ObjectNode of(GroupSum sum) {
    Completeness windows = sum.windows();
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("k", sum.key())
            .put("n", sum.n())
            .put("windows", windows.results())
            .put("open", windows.open())
            .put("batch", windows.batch());
    windows.newest().ifPresent(newest -> node.put("newest", newest.toString()));
    return node;
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

  /**
   * What counts are about, and how complete they are.
   *
   * @param more whether there are more than are shown
   * @param all of all windows and groups of the range
   */
  public static ObjectNode about(TimeRange range, CountBy by, boolean more, Completeness all) {
    return ResultJson.complete(ResultJson.about(range, by.text()), more, all, false);
  }
}
