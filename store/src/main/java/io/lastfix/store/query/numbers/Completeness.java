package io.lastfix.store.query.numbers;

import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.BsonField;
import io.lastfix.kit.text.TimeText;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.NumberReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bson.Document;

/**
 * How complete some numbers are, and how new.
 *
 * @param results how many numbers there are
 * @param open how many can still change with each record
 * @param batch how many are computed from History
 * @param withheld how many have no number, as their groups are too small
 * @param newest the first instant of the newest window, or the newest begin; empty if there is none
 */
public record Completeness(
    long results, long open, long batch, long withheld, Optional<Instant> newest) {
  private static final int DAYS_OF_YEAR = 365;

  /** Of no numbers. */
  public static final Completeness NONE = new Completeness(0, 0, 0, 0, Optional.empty());

  /** How complete the density at an instant is. */
  public static Completeness of(List<Document> levels) {
    return new Completeness(
        levels.size(),
        levels.stream().filter(it -> is(it, WindowCount.State.OPEN)).count(),
        levels.stream().filter(it -> is(it, WindowCount.State.BATCH)).count(),
        levels.stream().filter(it -> it.containsKey("withheld")).count(),
        levels.stream()
            .map(it -> it.get("_id", Document.class).getDate("w").toInstant())
            .max(Comparator.naturalOrder()));
  }

  /** Returns the sums of a group of documents of which {@link #of(Document)} is made. */
  static List<BsonField> sums(String time) {
    return List.of(
        Accumulators.sum("results", 1L),
        Accumulators.sum("open", NumberReader.oneIf("$state", WindowCount.State.OPEN.text())),
        Accumulators.sum("batch", NumberReader.oneIf("$state", WindowCount.State.BATCH.text())),
        Accumulators.sum("withheld", NumberReader.oneIf("$withheld", true)),
        Accumulators.max("newest", time));
  }

  /** Returns how complete the numbers of a group are, by its {@link #sums}. */
  static Completeness of(Document group) {
    return new Completeness(
        group.getLong("results"),
        group.getLong("open"),
        group.getLong("batch"),
        group.getLong("withheld"),
        Optional.of(group.getDate("newest").toInstant()));
  }

  /**
   * Returns a line that says how complete and how late the numbers are.
   *
   * @param noun of one number
   */
  public String text(String noun, Instant now) {
    return String.format(
        Locale.ROOT,
        "%s: %,d open, %,d closed, %,d from History (batch)%s",
        counted(results, noun),
        open,
        closed(),
        batch,
        newest.map(it -> "; the newest is of %s%s".formatted(it, age(it, now))).orElse(""));
  }

  private static String age(Instant instant, Instant now) {
    if (instant.isAfter(now)) {
      return ", in the future";
    }
    // Of a replay of old records the date says more.
    return Duration.between(instant, now).toDays() < DAYS_OF_YEAR
        ? ", " + TimeText.ago(instant, now)
        : "";
  }

  /**
   * Returns a line about numbers of groups that are too small.
   *
   * @param noun of one number
   * @param minimumGroup of the configuration; that of the job which computed them may be another
   */
  public String textOfWithheld(String noun, int minimumGroup) {
    return "%s of %s withheld and not shown: of fewer devices than analytics.minimum-group, which is %d in this configuration. docs/operate/analytics.md says how to change it"
        .formatted(
            withheld == results ? "All" : String.format(Locale.ROOT, "%,d", withheld),
            counted(results, noun) + (withheld == 1 ? " is" : " are"),
            minimumGroup);
  }

  /** Returns what a plot's title says of numbers that are not complete; empty if all are. */
  public String inTitle() {
    return open == 0
        ? ""
        : String.format(
            Locale.ROOT, " (incomplete: %,d of %s open)", open, counted(results, "number"));
  }

  private static String counted(long number, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
  }

  private static boolean is(Document result, WindowCount.State state) {
    return ResultQueries.state(result).equals(state.text());
  }

  /** Returns how many numbers only a late record changes. */
  public long closed() {
    return results - open - batch;
  }

  Completeness plus(Completeness other) {
    return new Completeness(
        results + other.results,
        open + other.open,
        batch + other.batch,
        withheld + other.withheld,
        newest
            .filter(mine -> other.newest.isEmpty() || mine.isAfter(other.newest.get()))
            .or(other::newest));
  }
}
