package io.lastfix.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.flink.LocationMetrics;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.Scenario.Version;
import io.lastfix.it.harness.TestStack;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Late and disordered input around the turns of a year and around leap days, written in the zones
 * of the devices, and clocks that are wrong by years: what is too far ahead, or before the floor,
 * is rejected and holds no user to it; what is merely old goes to its own period.
 */
class ClockFaultsIT {
  private static final long SEED = 20261121;
  private static final int SIGHTINGS_AT_EACH_TURN = Chaos.shortOrLong(150, 10_000);

  /** The first moments of a month, a day and an hour at once. */
  private static final List<Instant> TURNS =
      List.of(
          Instant.parse("2026-01-01T00:00:00Z"),
          Instant.parse("2024-02-29T00:00:00Z"),
          Instant.parse("2024-03-01T00:00:00Z"),
          Instant.parse("2025-03-01T00:00:00Z"));

  /** From the first place on Earth to have a new year to the last, and two that are not whole. */
  private static final List<String> ZONES = List.of("+14:00", "+05:45", "Z", "-03:30", "-12:00");

  private static final Instant MOVED = Instant.parse("2026-01-01T00:00:00Z");
  private static final TowerFact TOWER =
      new TowerFact(
          310,
          4,
          0,
          7,
          "LTE",
          List.of(
              new Version(Instant.parse("2020-01-01T00:00:00Z"), 1.5, 2.5),
              new Version(MOVED, 3.5, 4.5)));

  private static final DateTimeFormatter MLP_TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT);

  @TempDir private static Path directory;

  private static TestStack stack;

  private final Random random = new Random(SEED);
  private final Set<String> identities = new HashSet<>();

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @ParameterizedTest(name = "by {0}")
  @ValueSource(strings = {"MONTH", "DAY", "HOUR"})
  void eachSightingIsInThePeriodOfItsOwnTimeAndNoWrongClockHoldsAUser(String period)
      throws Exception {
    List<Message> messages = new ArrayList<>();
    for (Instant turn : TURNS) {
      messages.addAll(sightingsAround(turn));
    }
    Instant now = Instant.now();
    List<String> victims = List.of("victim-0", "victim-1", "victim-2");
    for (String victim : victims) {
      messages.add(good(victim, now.minus(Duration.ofDays(1))));
      messages.addAll(wrongClocks(victim, now));
    }
    Collections.shuffle(messages, random);

    Oracle oracle = new Oracle(fact -> List.of(TOWER), period);
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "clock-" + period.toLowerCase(Locale.ROOT),
            "job.parallelism=2",
            "history.period=" + period,
            // A backfill: what records of a hundred different hours may have made at once.
            "history.max-new-partitions-per-minute=1000")) {
      run.publish(List.of(TOWER));
      String job = run.submit();
      run.send(messages);
      run.drain(job);
      run.assertHolds(oracle, messages);
      run.assertRejected(messages, run.rejected());
      assertIsStillMovedByRightClocks(run, job, victims, now);

      LocationMetrics metrics = run.metrics(job);
      assertThat(metrics.rejectedByReason())
          .as("rejected")
          .isEqualTo(
              Map.of(
                  "timestamp-ahead", count(messages, "timestamp-ahead"),
                  "timestamp-before-floor", count(messages, "timestamp-before-floor")));
      System.out.printf(
          "[fault] clocks, by %s: %,d messages around %d turns and of %d wrong clocks, %,d records"
              + " in %d collections, rejected %s, %d restarts%n",
          period,
          messages.size(),
          TURNS.size(),
          victims.size(),
          run.historyDocuments(),
          run.historyCollections().size(),
          metrics.rejectedByReason(),
          run.restarts(job));
    }
  }

  private static long count(List<Message> messages, String reason) {
    return messages.stream().filter(message -> reason.equals(message.rejectedAs())).count();
  }

  /** Up to 15 hours to each side, half of them within a second, some in the very first moment. */
  private List<Message> sightingsAround(Instant turn) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < SIGHTINGS_AT_EACH_TURN; i++) {
      long millis =
          switch (random.nextInt(4)) {
            case 0 -> random.nextInt(3) - 1;
            case 1 -> random.nextInt(2_000) - 1_000;
            default -> random.nextInt(30 * 3_600_000) - 15 * 3_600_000;
          };
      Message message = good("device-" + random.nextInt(10), turn.plusMillis(millis));
      if (identities.add(message.facts().get(0).identity())) {
        messages.add(message);
      }
    }
    return messages;
  }

  private Message good(String user, Instant ts) {
    return message(user, ts, null);
  }

  /** Wrong by years in both directions, and by as little as is not allowed any more. */
  private List<Message> wrongClocks(String user, Instant now) {
    List<Message> messages = new ArrayList<>();
    for (Instant ahead :
        List.of(
            now.plus(Duration.ofHours(1)),
            now.plus(Duration.ofDays(366)),
            Instant.parse("2038-01-19T03:14:08Z"),
            Instant.parse("2099-12-31T23:59:59.999Z"),
            Instant.parse("9999-12-31T23:59:59Z"))) {
      messages.add(message(user, ahead, "timestamp-ahead"));
    }
    for (String before :
        List.of(
            "1970-01-01T00:00:00Z",
            "1980-01-06T00:00:00Z",
            "1999-08-22T00:00:00Z",
            "1999-12-31T23:59:59.999Z",
            "0001-01-01T00:00:00Z")) {
      messages.add(message(user, Instant.parse(before), "timestamp-before-floor"));
    }
    // Never set, or once around: wrong, but not so that anyone could know it.
    for (String old :
        List.of("2000-01-01T00:00:00Z", "2007-03-25T12:00:00Z", "2019-04-06T23:59:42Z")) {
      messages.add(message(user, Instant.parse(old), null));
    }
    return messages;
  }

  /** One sighting, as a device of some zone and some format would write it. */
  private Message message(String user, Instant ts, @Nullable String rejectedAs) {
    OffsetDateTime local = ts.atOffset(ZoneOffset.of(ZONES.get(random.nextInt(ZONES.size()))));
    boolean hasFourDigits = local.getYear() > 0 && local.getYear() < 10_000;
    OffsetDateTime written = hasFourDigits ? local : ts.atOffset(ZoneOffset.UTC);
    boolean isWholeSecond = ts.truncatedTo(ChronoUnit.SECONDS).equals(ts);
    String format =
        isWholeSecond && random.nextBoolean() ? "mlp" : random.nextBoolean() ? "json" : "arcanum";
    String text =
        switch (format) {
          case "mlp" ->
              """
              <svc_result><slia><pos><msid>%s</msid><pd><time utc_off="%s">%s</time></pd>
              <serving_cell><mcc>310</mcc><mnc>4</mnc><lte_ci>7</lte_ci></serving_cell></pos></slia></svc_result>
              """
                  .formatted(user, offset(written), MLP_TIME.format(written));
          case "json" ->
              "{\"user\":\"%s\",\"cell\":\"310-4-0-7\",\"ts\":\"%s\"}"
                  .formatted(user, DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(written));
          default ->
              """
              <event><subscriber><imei>%s</imei></subscriber>
              <cell><mcc>310</mcc><mnc>4</mnc><lac>0</lac><cid>7</cid></cell>
              <timestamp>%s</timestamp></event>
              """
                  .formatted(user, DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(written));
        };
    boolean isMlp = format.equals("mlp");
    Fact fact = new Fact(user, 310, 4, isMlp ? null : 0, 7, isMlp ? "LTE" : null, ts);
    return new Message(format, text, rejectedAs == null ? List.of(fact) : List.of(), rejectedAs);
  }

  private static String offset(OffsetDateTime time) {
    return DateTimeFormatter.ofPattern("xx", Locale.ROOT).format(time);
  }

  /** A sighting of just now, from a right clock, is where each of them is. */
  private void assertIsStillMovedByRightClocks(
      LocationRun run, String job, List<String> users, Instant now) throws Exception {
    List<Message> messages =
        users.stream().map(user -> good(user, now.truncatedTo(ChronoUnit.MILLIS))).toList();
    run.send(messages);
    run.drain(job);
    for (String user : users) {
      Document last =
          run.database()
              .getCollection(run.config().lastKnownLocation().collection())
              .find(new Document("_id", user))
              .first();
      assertThat(last).isNotNull();
      assertThat(last.get("last", Document.class).getDate("ts").toInstant())
          .isEqualTo(now.truncatedTo(ChronoUnit.MILLIS));
    }
  }
}
