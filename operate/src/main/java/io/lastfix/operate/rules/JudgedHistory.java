package io.lastfix.operate.rules;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.model.Sighting;
import io.lastfix.rules.judge.OrderedJudge;
import io.lastfix.rules.rule.Rule;
import io.lastfix.rules.rule.Who;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Passes the records of History on to a judge, each user's in their order. It is used once.
 *
 * <p>It reads the records of all users in one pass by time, which is the order of {@code _id}; so
 * what is kept of each user is in memory. If the rule or the request names users, it reads one
 * after the other, by the index on user and time.
 *
 * <p>Of a user whose records begin late in the pass, it looks up the record before, by that index:
 * a van may have stood in a fence for days.
 */
final class JudgedHistory {
  private static final int RECORDS_BETWEEN_LINES = 100_000;

  private final RuleTrial trial;
  private final Rule rule;
  private final TrialTime time;
  private final OrderedJudge judge;
  private final ErasedUsers erased;

  /** Located records of one timestamp, which come in any order. */
  private final List<LocatedRecord> together = new ArrayList<>();

  /** Read if a record needs it; empty if it cannot be read. */
  private @Nullable CellCatalog cells;

  /** Why it cannot be read. */
  private @Nullable String noCells;

  private long records;
  private @Nullable Instant stop;

  /**
   * When it stops, so that it ends in minutes and fits in memory.
   *
   * @param records the most records that are read
   * @param users the most users of which something is kept: about 500 bytes of each
   */
  record Limits(long records, int users) {
    static final Limits USUAL = new Limits(10_000_000, 500_000);

    /** Returns the limits in words. */
    String words() {
      return "%,d records and %,d users".formatted(records, users);
    }
  }

  /** Has read nothing yet. */
  JudgedHistory(RuleTrial trial, Rule rule, TrialTime time, OrderedJudge judge) {
    this.trial = trial;
    this.rule = rule;
    this.time = time;
    this.judge = judge;
    erased = trial.collections().erased();
  }

  /**
   * Reads and judges the records of the requested user, or of those that the rule is about.
   *
   * @throws IllegalStateException if the limits end it before all alerts of any time are found, or
   *     the users whom the rule names have too many records together; has the remedy
   */
  JudgedHistory read() {
    String user = trial.request().user();
    if (user != null) {
      readOf(user);
    } else if (rule.who() instanceof Who.Users users) {
      for (String each : new TreeSet<>(users.ids())) {
        readOf(each);
        if (stop != null) {
          throw new IllegalStateException(
              "the users that the rule names have more than %,d records of that time: name one with --user"
                  .formatted(trial.limits().records()));
        }
      }
    } else {
      readOf(null);
    }
    judge.end((stop == null ? time.records().to() : stop).toEpochMilli() - 1);
    if (!time.alerts().from().isBefore(judgedTo())) {
      throw new IllegalStateException(
          "at most %s are read, which decide only alerts before %s: name one user with --user"
              .formatted(trial.limits().words(), judgedTo()));
    }
    return this;
  }

  private void readOf(@Nullable String user) {
    trial.collections().forEach(user, time.records(), this::take);
    judgeTogether();
  }

  /** Returns whether further sightings are wanted. */
  private boolean take(Sighting sighting) {
    if (!together.isEmpty()
        && together.get(0).timestampMillis() != sighting.timestamp().toEpochMilli()) {
      judgeTogether();
    }
    if (records == trial.limits().records() || judge.devices() > trial.limits().users()) {
      stop = sighting.timestamp();
      return false;
    }
    records++;
    if (records % RECORDS_BETWEEN_LINES == 0) {
      trial
          .progress()
          .accept(
              "Reading History: %,d records, up to %s".formatted(records, sighting.timestamp()));
    }
    if (concerns(sighting)) {
      together.add(record(sighting));
    }
    return true;
  }

  private boolean concerns(Sighting sighting) {
    boolean isOfOthers =
        rule.who() instanceof Who.Beginning beginning
            && !sighting.user().startsWith(beginning.prefix());
    return sighting.position() != null
        && !isOfOthers
        && !erased.covers(sighting.user(), sighting.timestamp().toEpochMilli());
  }

  private LocatedRecord record(Sighting sighting) {
    LocatedRecord record;
    try {
      record = sighting.toRecord();
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "History has a document of %s that is no record: run lastfix audit to find it (%s)"
              .formatted(sighting.timestamp(), e.getMessage()),
          e);
    }
    // An expression has no circle.
    return rule.when().inFences().isEmpty() || record.hasOwnPosition()
        ? record
        : cells().withRange(record);
  }

  private CellCatalog cells() {
    if (cells == null) {
      try {
        cells = trial.collections().cells();
      } catch (IOException e) {
        cells = new CellCatalog();
        noCells = e.getMessage();
      }
    }
    return cells;
  }

  private void judgeTogether() {
    together.sort(LocatedRecordOrder.INSTANCE);
    for (LocatedRecord record : together) {
      if (record.timestampMillis() >= time.settled().toEpochMilli() && !judge.has(record.user())) {
        recordBefore(record.user()).ifPresent(judge::judge);
      }
      judge.judge(record);
    }
    together.clear();
  }

  /** Returns a user's last record before those that are read. */
  private Optional<LocatedRecord> recordBefore(String user) {
    Instant begin = time.records().from();
    Instant earliest = TimeRange.earlier(begin, trial.options().forgetAfter());
    return earliest.isBefore(begin)
        ? trial
            .collections()
            .newest(user, new TimeRange(earliest, begin))
            .filter(this::concerns)
            .map(this::record)
        : Optional.empty();
  }

  /** Returns the instant before which all alerts were found: what began is confirmed or over. */
  Instant judgedTo() {
    Instant to = time.alerts().to();
    Instant decided = stop == null ? to : TimeRange.earlier(stop, rule.when().lasting());
    return decided.isBefore(to) ? decided : to;
  }

  /** Returns whether all alerts of the time were found. */
  boolean isWhole() {
    return judgedTo().equals(time.alerts().to());
  }

  /** Returns which alerts were found, and by how many records; those looked up do not count. */
  String words() {
    return "From %s to %s, by %,d records".formatted(time.alerts().from(), judgedTo(), records);
  }

  /** Returns that as fields. */
  ObjectNode about() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("from", time.alerts().from().toString())
        .put("to", judgedTo().toString())
        .put("complete", isWhole())
        .put("records", records)
        .put("undecided", judge.undecided())
        .put("failed", judge.failed());
  }

  /** Returns lines for the operator. */
  List<String> problems() {
    List<String> lines = new ArrayList<>();
    if (!isWhole()) {
      lines.add(
          "At most %s are read, and History has more: continue with --from %s, or name one user with --user"
              .formatted(trial.limits().words(), judgedTo()));
    }
    if (judge.undecided() > 0) {
      lines.add(
          "%,d times a record lacked a value that the rule needs".formatted(judge.undecided()));
    }
    if (judge.failed() > 0) {
      lines.add(
          "%,d times an expression failed: the job pauses a rule that fails often"
              .formatted(judge.failed()));
    }
    if (noCells != null) {
      lines.add(
          "The ranges of cells are unknown, so each counts as rules.cell-radius-meters: "
              + noCells);
    }
    return lines;
  }
}
