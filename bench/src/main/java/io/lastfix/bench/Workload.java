package io.lastfix.bench;

import io.lastfix.bench.messages.DenseRecords;
import io.lastfix.model.CellId;
import io.lastfix.model.CellSite;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.workload.GeneratorOptions;
import io.lastfix.workload.LocationGenerator;
import io.lastfix.workload.MessageFormat;
import io.lastfix.workload.OutgoingMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Records to store, the same for each candidate: as messages for the job, and as the job's expected
 * output for the loader.
 *
 * @param format of the messages, with one record in each
 * @param skew of the users' activity, Zipf's exponent; 0: uniformly distributed
 * @param records how many, 1 or more
 * @param users how many, 1 or more
 * @param end the approximate instant of the last record
 * @param fixes share of the records that state a position of their own, half of them beside their
 *     cell
 * @param perMilli records of one millisecond; 0: as many as the devices send that report once a
 *     minute, and one at most
 */
record Workload(
    MessageFormat format,
    double skew,
    long records,
    int users,
    Instant end,
    double fixes,
    int perMilli) {
  /** The exponent of the workloads named {@code zipf}. */
  static final double ZIPF = 1.1;

  /** Share of the records with a position of their own in the workloads named {@code mixed}. */
  private static final double MIXED = 2.0 / 3;

  /** Such as {@code arcanum-zipf}; a part of the topics' names. */
  String name() {
    return format.name().toLowerCase(Locale.ROOT) + "-" + kind();
  }

  /**
   * {@code zipf}, or of uniformly distributed users {@code uniform}, {@code mixed} or {@code dense}
   * with the records of a millisecond.
   */
  String kind() {
    if (fixes > 0) {
      return "mixed";
    }
    if (perMilli > 0) {
      return "dense%d".formatted(perMilli);
    }
    return skew == 0 ? "uniform" : "zipf";
  }

  Workload with(MessageFormat otherFormat) {
    return new Workload(otherFormat, skew, records, users, end, fixes, perMilli);
  }

  Workload with(long otherRecords) {
    return new Workload(format, skew, otherRecords, users, end, fixes, perMilli);
  }

  Workload withSkew(double otherSkew) {
    return new Workload(format, otherSkew, records, users, end, fixes, perMilli);
  }

  /**
   * Returns this workload as JSON, with three kinds of records, a third of each: at a cell, at a
   * position of their own, and both.
   */
  Workload mixed() {
    return new Workload(MessageFormat.JSON, skew, records, users, end, MIXED, 0);
  }

  /** Uniformly distributed users, with that number of records in each millisecond. */
  Workload dense(int recordsPerMilli) {
    return new Workload(format, 0, records, users, end, 0, recordsPerMilli);
  }

  /** Returns a workload whose records are older by that age. */
  Workload before(Duration age) {
    return new Workload(format, skew, records, users, end.minus(age), fixes, perMilli);
  }

  /** The messages in order. */
  Iterator<OutgoingMessage> messages(List<CellSite> cells) {
    if (perMilli > 0) {
      long startMillis = end.toEpochMilli() - records / perMilli;
      return new DenseRecords(
          format, records, users, cells, number -> startMillis + number / perMilli);
    }
    return new LocationGenerator(
        generated(
            records,
            end.toEpochMilli()
                - Math.multiplyExact(
                    records, GeneratorOptions.intervalMillis(records, users, format))),
        cells);
  }

  /** Options of the generator: its records are neither late nor repeated, and all are good. */
  GeneratorOptions generated(long count, long startMillis) {
    return new GeneratorOptions(count, users, format, 1, skew, 0, 0, 0, fixes, 1, startMillis);
  }

  /** The users that report at least once. */
  Set<String> reportingUsers(List<CellSite> cells) {
    Set<String> found = new HashSet<>();
    messages(cells)
        .forEachRemaining(message -> message.records().forEach(record -> found.add(record.user())));
    return found;
  }

  /** The job's expected output: the same records, each with its cell's position. */
  List<LocatedRecord> located(List<CellSite> cells) {
    Map<CellId, Position> positions = new HashMap<>();
    cells.forEach(cell -> positions.put(cell.cell(), cell.position()));
    // Shares one text per device number, which saves memory.
    Map<String, String> userTexts = new HashMap<>();
    List<LocatedRecord> located = new ArrayList<>(Math.toIntExact(records));
    messages(cells)
        .forEachRemaining(
            message -> {
              for (LocationRecord record : message.records()) {
                located.add(
                    new LocatedRecord(
                        userTexts.computeIfAbsent(record.user(), user -> user),
                        record.place(),
                        record.timestampMillis(),
                        record.cell() == null ? null : positions.get(record.cell()),
                        false));
              }
            });
    return located;
  }
}
