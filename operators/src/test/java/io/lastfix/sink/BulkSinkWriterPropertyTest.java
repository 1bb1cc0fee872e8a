package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.sink.BulkServer.BulkResult.Kind;
import io.lastfix.sink.FakeServers.Act;
import io.lastfix.sink.FakeServers.HistoryServer;
import io.lastfix.sink.FakeServers.Identity;
import io.lastfix.sink.FakeServers.LastKnownLocationServer;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestRecords;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** For any records, limits and failures, no record is lost and none is stored twice. */
class BulkSinkWriterPropertyTest {

  @Property(tries = 300)
  void historyHoldsEachRecordOnceAndTheCountsAddUp(
      @ForAll("records") List<LocatedRecord> records,
      @ForAll("scripts") List<Act> script,
      @ForAll("options") BulkOptions options)
      throws Exception {
    HistoryServer server = new HistoryServer();
    server.then(script);
    WriterHarness harness = WriterHarness.history(server, options);

    writeWithACheckpointInTheMiddle(harness, records);

    Map<String, Map<Identity, LocatedRecord>> expected = new TreeMap<>();
    for (LocatedRecord record : records) {
      expected
          .computeIfAbsent(
              PartitionPeriod.MONTH.collectionName("history", record.timestampMillis()),
              any -> new HashMap<>())
          .put(Identity.of(record), record);
    }
    assertThat(keys(server.documents())).isEqualTo(keys(expected));
    assertSumsHold(harness, records);
    assertThat(harness.metrics.count("coalesced")).isZero();
  }

  @Property(tries = 300)
  void lastKnownLocationHoldsTheNewestOfEachUserAndTheCountsAddUp(
      @ForAll("records") List<LocatedRecord> records,
      @ForAll("scripts") List<Act> script,
      @ForAll("options") BulkOptions options)
      throws Exception {
    LastKnownLocationServer server = new LastKnownLocationServer();
    server.then(script);
    WriterHarness harness = WriterHarness.lastKnownLocation(server, options);

    writeWithACheckpointInTheMiddle(harness, records);

    assertThat(server.documents()).isEqualTo(newestOfEachUser(records));
    assertThat(server.fixes())
        .isEqualTo(
            newestOfEachUser(records.stream().filter(record -> record.fix() != null).toList()));
    assertSumsHold(harness, records);
    assertThat(harness.metrics.count("coalesced"))
        .isEqualTo(harness.metrics.count("coalescedAway"));
  }

  private static Map<String, LocatedRecord> newestOfEachUser(List<LocatedRecord> records) {
    Map<String, LocatedRecord> newest = new HashMap<>();
    for (LocatedRecord record : records) {
      newest.merge(
          record.user(), record, (a, b) -> LocatedRecordOrder.INSTANCE.compare(a, b) >= 0 ? a : b);
    }
    return newest;
  }

  private static void writeWithACheckpointInTheMiddle(
      WriterHarness harness, List<LocatedRecord> records) throws InterruptedException {
    harness.write(records.subList(0, records.size() / 2));
    harness.flush();
    harness.write(records.subList(records.size() / 2, records.size()));
    harness.flush();
  }

  private static void assertSumsHold(WriterHarness harness, List<LocatedRecord> records) {
    var metrics = harness.metrics;
    assertThat(metrics.count("sent")).isEqualTo(records.size());
    assertThat(metrics.count("numRecordsSend")).isEqualTo(records.size());
    assertThat(
            metrics.count("inserted")
                + metrics.count("updated")
                + metrics.count("duplicates")
                + metrics.count("duplicatesAfterRetry")
                + metrics.count("stale")
                + metrics.count("staleAfterRetry")
                + metrics.count("coalescedAway"))
        .isEqualTo(records.size());
    assertThat(metrics.count("numRecordsSendErrors")).isEqualTo(metrics.count("retried"));
    assertThat(metrics.gauge("bufferedWrites")).isEqualTo(0);
    assertThat(metrics.gauge("bufferedBytes")).isEqualTo(0L);
    assertThat(metrics.gauge("bulksInFlight")).isEqualTo(0);
  }

  private static Map<String, Set<Identity>> keys(
      Map<String, Map<Identity, LocatedRecord>> documents) {
    Map<String, Set<Identity>> keys = new TreeMap<>();
    documents.forEach((collection, stored) -> keys.put(collection, stored.keySet()));
    return keys;
  }

  /** Few users, times, cells and positions, so that records collide; times in three months. */
  @Provide
  Arbitrary<List<LocatedRecord>> records() {
    return Combinators.combine(
            Arbitraries.of("a", "b", "c", "é"),
            Arbitraries.of(9, 10, 100).map(cid -> new CellId(234, 10, 4021, cid)),
            Arbitraries.integers().between(0, 5),
            Arbitraries.integers().between(0, 2),
            Arbitraries.of(new Position(1, 2), new Position(1, -2), new Position(-1, 2)),
            Arbitraries.of(false, false, true))
        .as(
            (user, cell, millis, month, position, isOwn) -> {
              long timestampMillis =
                  TestRecords.TIMESTAMP_MILLIS + millis + month * Duration.ofDays(31).toMillis();
              return isOwn
                  ? new LocatedRecord(
                      user,
                      new Place.AtFix(new Fix(position, PositionSource.GNSS)),
                      timestampMillis,
                      null,
                      false)
                  : new LocatedRecord(user, cell, timestampMillis, position);
            })
        .list()
        .ofMaxSize(60);
  }

  @Provide
  Arbitrary<List<Act>> scripts() {
    return Arbitraries.<Act>oneOf(
            Arbitraries.of(
                new Act.Work(),
                new Act.RefuseBulk(),
                new Act.StoreAndBreak(),
                new Act.StoreHalfAndBreak()),
            Combinators.combine(
                    Arbitraries.integers().between(0, 3),
                    Arbitraries.of(Kind.RETRY_AT_ONCE, Kind.RETRY_LATER))
                .as(Act.FailSome::new))
        .list()
        .ofMaxSize(20);
  }

  @Provide
  Arbitrary<BulkOptions> options() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 8),
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(0, 10),
            Arbitraries.integers().between(1, 2_000))
        .as(
            (perBulk, inFlight, room, bytes) ->
                new BulkOptionsBuilder()
                    .maxRecordsPerBulk(perBulk)
                    .maxBulksInFlight(inFlight)
                    .maxBufferedRecords(perBulk + room)
                    .maxBytesPerBulk(bytes)
                    .maxBufferedBytes(bytes)
                    .build());
  }
}
