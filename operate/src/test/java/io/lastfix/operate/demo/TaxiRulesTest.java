package io.lastfix.operate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.catalogs.CellFile;
import io.lastfix.catalogs.OpenCellIdReader;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.fence.FenceReader;
import io.lastfix.rules.fence.FenceShape;
import io.lastfix.rules.judge.DeviceJudge;
import io.lastfix.rules.judge.DeviceState;
import io.lastfix.rules.judge.JudgeOptions;
import io.lastfix.rules.judge.Judgement;
import io.lastfix.rules.judge.RuleSet;
import io.lastfix.rules.topic.RuleBook;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.StoredMessage;
import io.lastfix.workload.SampleData;
import io.lastfix.workload.TaxiTraces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The rules in {@code config/rules} over the taxis' traces, each taxi's records in order: their
 * alerts are those of another, smaller implementation. It shares only the share of a position's
 * circle that is in the fence, which FenceIndexTest tests.
 */
class TaxiRulesTest {
  private static final Path CONFIG = Path.of("..", "config");
  private static final Position AIRPORT = new Position(-122.388, 37.6155);
  private static final double AIRPORT_METERS = 1_500;
  private static final Position SQUARE = new Position(-122.4075, 37.788);
  private static final Position CITY = new Position(-122.42, 37.77);
  private static final ZoneId ZONE = ZoneId.of("America/Los_Angeles");
  private static final double LEAST_SHARE = 0.5;
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  /** A watermark at which silence has confirmed what the traces' last records began. */
  private static final long SILENCE = SampleData.END.plus(Duration.ofDays(1)).toEpochMilli();

  private static final Map<String, List<LocatedRecord>> TAXIS = new TreeMap<>();

  private static FenceShape airport;

  /** By rule, sorted. */
  private static final Map<String, List<String>> JUDGED = new TreeMap<>();

  /** Whether a condition is true of a record. */
  private enum Truth {
    TRUE,
    FALSE,
    /** Neither begins nor ends anything. */
    NEITHER
  }

  @BeforeAll
  static void judge() throws Exception {
    readTaxis();
    RuleBook.Builder book = RuleBook.EMPTY.toBuilder();
    Fence fence =
        FenceReader.read("sfo", Files.readString(CONFIG.resolve("fences/sfo.geojson")), null);
    airport = new FenceShape(fence);
    long offset = 0;
    book.add(new StoredMessage(offset, new RuleMessage.OfFence("sfo", 1, Instant.EPOCH, fence)));
    try (Stream<Path> files = Files.list(CONFIG.resolve("rules"))) {
      for (Path file : files.toList()) {
        String id = file.getFileName().toString().replace(".yaml", "");
        RuleMessage.Content content =
            new RuleMessage.Content(Files.readString(file), "anna", Instant.EPOCH);
        offset++;
        book.add(new StoredMessage(offset, new RuleMessage.OfRule(id, 1, content)));
        JUDGED.put(id, new ArrayList<>());
      }
    }
    RuleSet rules = RuleSet.of(book.build(), RuleSet.EMPTY);
    assertThat(rules.rules()).isEqualTo(JUDGED.size());
    TAXIS.values().forEach(taxi -> judge(taxi, rules));
    JUDGED.values().forEach(alerts -> alerts.sort(Comparator.naturalOrder()));
  }

  private static void readTaxis() throws Exception {
    Path folder = CONFIG.resolve("sample");
    SampleData sample = new SampleData(folder, CellFile.read(SampleData.cellsFile(folder)));
    Map<CellId, CellVersion> cells = new HashMap<>();
    new OpenCellIdReader(OpenCellIdReader.DEFAULT_MAX_BAD_SHARE, 0)
        .read(
            sample.cellsFile(),
            row -> cells.put(row.cell(), new CellVersion(0, row.position(), row.rangeMeters())));
    Set<LocationRecord> records = new HashSet<>();
    try (TaxiTraces messages = sample.messages()) {
      while (messages.hasNext()) {
        records.addAll(messages.next().records());
      }
    }
    for (LocationRecord record : records) {
      CellVersion cell = record.fix() == null ? cells.get(record.cell()) : null;
      LocatedRecord located = cell == null ? record.at(null) : record.atCell(cell);
      if (located.isLocated()) {
        TAXIS.computeIfAbsent(record.user(), user -> new ArrayList<>()).add(located);
      }
    }
    TAXIS
        .values()
        .forEach(taxi -> taxi.sort(Comparator.comparingLong(LocatedRecord::timestampMillis)));
  }

  /** Only records confirm, and after the last one silence. */
  private static void judge(List<LocatedRecord> taxi, RuleSet rules) {
    // Each cell of the sample has a range.
    DeviceJudge judge = new DeviceJudge(new JudgeOptions(0, Duration.ofDays(30)));
    DeviceState state = null;
    for (LocatedRecord record : taxi) {
      assertThat(DeviceJudge.isNewer(record, state == null ? null : state.last())).isTrue();
      Judgement judgement = judge.judge(state, record, rules, Long.MIN_VALUE);
      judgement.alerts().forEach(TaxiRulesTest::addJudged);
      state = judgement.state();
    }
    judge
        .onTimer(Objects.requireNonNull(state), rules, SILENCE)
        .alerts()
        .forEach(TaxiRulesTest::addJudged);
  }

  private static void addJudged(Alert alert) {
    JUDGED.get(alert.rule()).add(text(alert.user(), alert.atMillis(), alert.counted()));
  }

  private static String text(String user, long atMillis, long counted) {
    return "%s %s, %d more before".formatted(user, Instant.ofEpochMilli(atMillis), counted);
  }

  /** By the haversine formula. */
  private static double meters(Position from, LocatedRecord record) {
    Position to = Objects.requireNonNull(record.position());
    double south = Math.toRadians(from.lat());
    double north = Math.toRadians(to.lat());
    double height = Math.pow(Math.sin((north - south) / 2), 2);
    double width = Math.pow(Math.sin(Math.toRadians(to.lon() - from.lon()) / 2), 2);
    return 2
        * Position.EARTH_RADIUS_METERS
        * Math.asin(Math.sqrt(height + Math.cos(south) * Math.cos(north) * width));
  }

  private static Truth atAirport(LocatedRecord record, double marginMeters) {
    Fix fix = record.fix();
    double radius =
        fix == null ? record.cellRangeMeters() : Objects.requireNonNull(fix.accuracyMeters());
    double meters = meters(AIRPORT, record);
    double share = airport.share(Objects.requireNonNull(record.position()), radius);
    if (meters <= AIRPORT_METERS) {
      return share >= LEAST_SHARE ? Truth.TRUE : Truth.NEITHER;
    }
    boolean isOutside = meters - AIRPORT_METERS > marginMeters && 1 - share >= LEAST_SHARE;
    return isOutside ? Truth.FALSE : Truth.NEITHER;
  }

  private static Truth truth(boolean isTrue) {
    return isTrue ? Truth.TRUE : Truth.FALSE;
  }

  private static Truth isDowntownAtNight(LocatedRecord record) {
    int hour = Instant.ofEpochMilli(record.timestampMillis()).atZone(ZONE).getHour();
    return truth(meters(SQUARE, record) < 1_000 && hour < 5);
  }

  private static Truth isFarAway(LocatedRecord record) {
    return truth(meters(CITY, record) > 30_000);
  }

  /**
   * Returns when a taxi came to the airport, or left it, for at least a minute.
   *
   * @param isArrival else departures
   */
  private static List<Long> changes(
      List<LocatedRecord> taxi, boolean isArrival, double marginMeters) {
    List<Long> changes = new ArrayList<>();
    boolean isInside = atAirport(taxi.get(0), marginMeters) == Truth.TRUE;
    int i = 0;
    while (i < taxi.size()) {
      long began = taxi.get(i).timestampMillis();
      if (atAirport(taxi.get(i), marginMeters) == truth(!isInside)) {
        int back = i + 1;
        while (back < taxi.size() && atAirport(taxi.get(back), marginMeters) != truth(isInside)) {
          back++;
        }
        if (back < taxi.size() && taxi.get(back).timestampMillis() < began + MINUTE) {
          i = back;
        } else {
          isInside = !isInside;
          if (isInside == isArrival) {
            changes.add(began);
          }
        }
      }
      i++;
    }
    return changes;
  }

  /** Returns the records of which a condition is true, after it was for a time. */
  private static List<Long> matches(
      List<LocatedRecord> taxi, Function<LocatedRecord, Truth> condition, long lastingMillis) {
    List<Long> matches = new ArrayList<>();
    Long began = null;
    boolean isOn = false;
    for (LocatedRecord record : taxi) {
      long at = record.timestampMillis();
      Truth truth = condition.apply(record);
      if (truth == Truth.TRUE && !isOn && began == null) {
        began = at;
      }
      if (began != null && at - began >= lastingMillis) {
        isOn = true;
        if (began != at) {
          matches.add(began);
        }
        began = null;
      }
      if (truth == Truth.TRUE && isOn) {
        matches.add(at);
      } else if (truth == Truth.FALSE) {
        isOn = false;
        began = null;
      }
    }
    if (began != null) {
      matches.add(began);
    }
    return matches;
  }

  /** Only the first of the matches within a time is an alert. */
  private static List<String> alerts(
      Function<List<LocatedRecord>, List<Long>> matches, Duration quiet) {
    List<String> alerts = new ArrayList<>();
    TAXIS.forEach(
        (user, taxi) -> {
          long last = Long.MIN_VALUE / 2;
          int counted = 0;
          for (long at : matches.apply(taxi)) {
            if (at - last < quiet.toMillis()) {
              counted++;
            } else {
              alerts.add(text(user, at, counted));
              last = at;
              counted = 0;
            }
          }
        });
    alerts.sort(Comparator.naturalOrder());
    return alerts;
  }

  @Test
  void eachRulesAlertsAreThoseOfTheOtherImplementation() {
    Map<String, List<String>> expected = new TreeMap<>();
    expected.put("left-airport", alerts(taxi -> changes(taxi, false, 200), Duration.ZERO));
    expected.put("entered-airport", alerts(taxi -> changes(taxi, true, 0), Duration.ofHours(2)));
    expected.put(
        "waits-at-airport",
        alerts(
            taxi -> matches(taxi, record -> atAirport(record, 0), 30 * MINUTE),
            Duration.ofHours(1)));
    expected.put(
        "night-downtown",
        alerts(taxi -> matches(taxi, TaxiRulesTest::isDowntownAtNight, 0), Duration.ofHours(6)));
    expected.put(
        "far-away",
        alerts(taxi -> matches(taxi, TaxiRulesTest::isFarAway, 10 * MINUTE), Duration.ofHours(12)));

    assertThat(JUDGED.keySet()).isEqualTo(expected.keySet());
    assertThat(expected)
        .allSatisfy((rule, alerts) -> assertThat(JUDGED.get(rule)).as(rule).isEqualTo(alerts));
    assertThat(expected)
        .allSatisfy((rule, alerts) -> assertThat(alerts).as("alerts of " + rule).isNotEmpty());
    assertThat(expected.get("left-airport")).hasSizeBetween(440, 470);
  }
}
