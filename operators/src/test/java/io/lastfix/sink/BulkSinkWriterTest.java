package io.lastfix.sink;

import static io.lastfix.store.history.TestRecords.RECORD;
import static io.lastfix.store.history.TestRecords.TIMESTAMP_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.ledger.LedgerEntry;
import io.lastfix.model.LocatedRecord;
import io.lastfix.sink.BulkServer.BulkException;
import io.lastfix.sink.BulkServer.BulkResult;
import io.lastfix.sink.BulkServer.BulkResult.Kind;
import io.lastfix.sink.BulkSinkWriter.SinkFailedException;
import io.lastfix.sink.FakeServers.Act;
import io.lastfix.sink.FakeServers.HistoryServer;
import io.lastfix.sink.FakeServers.LastKnownLocationServer;
import io.lastfix.sink.FakeServers.ScriptedServer;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.history.TestRecords;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BulkSinkWriterTest {
  private static final long FORTY_DAYS_MILLIS = Duration.ofDays(40).toMillis();

  private final HistoryServer server = new HistoryServer();

  // When a buffer is sent.

  @Test
  void aBufferIsSentWhenItHasEnoughRecords() throws Exception {
    WriterHarness harness = history(options().maxRecordsPerBulk(3));

    harness.write(users(2));
    assertThat(server.bulks()).isEmpty();

    harness.write(TestRecords.ofUser("third"));
    assertThat(server.bulkSizes()).containsExactly(3);
  }

  @Test
  void aBufferIsSentWhenItHasEnoughBytes() throws Exception {
    int bytes = new HistoryBatching(TestHistory.MONTHS).maxEncodedBytes(users(1).get(0));
    WriterHarness harness = history(options().maxBytesPerBulk(2 * bytes));

    harness.write(users(3));

    assertThat(server.bulkSizes()).containsExactly(2);
  }

  @Test
  void aRecordIsSentAfterTheFlushIntervalWithoutAnotherOneArriving() throws Exception {
    WriterHarness harness = history(options().flushInterval(Duration.ofMillis(100)));
    harness.write(RECORD);

    harness.moveClockTo(WriterHarness.START_MILLIS + 99);
    assertThat(server.bulks()).isEmpty();

    harness.moveClockTo(WriterHarness.START_MILLIS + 100);
    assertThat(server.bulks()).containsExactly(List.of(RECORD));
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600, 3_600})
  void aStepOfTheClockDoesNotHoldUpARecord(long stepSeconds) throws Exception {
    WriterHarness harness = history(options().flushInterval(Duration.ofMillis(100)));
    harness.write(RECORD);

    harness.stepClock(Duration.ofSeconds(stepSeconds));
    harness.moveClockTo(WriterHarness.START_MILLIS + 99);
    assertThat(server.bulks()).isEmpty();
    harness.moveClockTo(WriterHarness.START_MILLIS + 100);

    assertThat(server.bulks()).containsExactly(List.of(RECORD));
  }

  @Test
  void theFlushIntervalCountsFromTheOldestRecordOfTheBuffer() throws Exception {
    WriterHarness harness = history(options().flushInterval(Duration.ofMillis(100)));
    harness.write(TestRecords.ofUser("first"));
    harness.moveClockTo(WriterHarness.START_MILLIS + 60);
    harness.write(TestRecords.ofUser("second"));

    harness.moveClockTo(WriterHarness.START_MILLIS + 100);

    assertThat(server.bulkSizes()).containsExactly(2);
  }

  @Test
  void aBufferThatComesUpLaterHasItsOwnFlushInterval() throws Exception {
    WriterHarness harness = history(options().flushInterval(Duration.ofMillis(100)));
    harness.write(RECORD);
    harness.moveClockTo(WriterHarness.START_MILLIS + 60);
    harness.write(TestRecords.at(TIMESTAMP_MILLIS - FORTY_DAYS_MILLIS));

    harness.moveClockTo(WriterHarness.START_MILLIS + 100);
    assertThat(server.collections()).containsExactly("history_2026_11");
    harness.mailbox.runAll();
    harness.moveClockTo(WriterHarness.START_MILLIS + 160);
    assertThat(server.collections()).containsExactly("history_2026_11", "history_2026_10");
  }

  @Test
  void aBufferThatIsDueWhileAllBulksAreInFlightIsSentWhenOneComesBack() throws Exception {
    WriterHarness harness = history(options().maxRecordsPerBulk(2).maxBulksInFlight(1));
    harness.write(users(3));
    harness.moveClockTo(WriterHarness.START_MILLIS + 1_000);
    assertThat(server.bulkSizes()).containsExactly(2);

    harness.mailbox.runAll();

    assertThat(server.bulkSizes()).containsExactly(2, 1);
  }

  @Test
  void aCheckpointSendsAllAndWaitsForAllAnswers() throws Exception {
    WriterHarness harness = history(options().maxRecordsPerBulk(2).maxBulksInFlight(1));
    harness.write(users(5));

    harness.flush();

    assertThat(server.bulkSizes()).containsExactly(2, 2, 1);
    assertThat(harness.metrics.count("sent")).isEqualTo(5);
    assertThat(harness.metrics.gauge("bufferedWrites")).isEqualTo(0);
    assertThat(harness.metrics.gauge("bufferedBytes")).isEqualTo(0L);
    assertThat(harness.metrics.gauge("bulksInFlight")).isEqualTo(0);
  }

  @Test
  void aCheckpointWithNothingToSendSendsNothing() throws Exception {
    WriterHarness harness = history(options());

    harness.flush();

    assertThat(server.bulks()).isEmpty();
    assertThat(harness.mailbox.yields()).isZero();
  }

  @Test
  void eachCollectionHasABufferSoThatInterleavedPeriodsMakeFullBulks() throws Exception {
    WriterHarness harness = history(options().maxRecordsPerBulk(10));
    for (int i = 0; i < 10; i++) {
      harness.write(TestRecords.at(TIMESTAMP_MILLIS + i));
      harness.write(TestRecords.at(TIMESTAMP_MILLIS - FORTY_DAYS_MILLIS + i));
    }

    assertThat(server.bulkSizes()).containsExactly(10, 10);
    assertThat(server.collections()).containsExactly("history_2026_11", "history_2026_10");
  }

  @Test
  void aBusyCollectionDoesNotHoldUpAQuietOne() throws Exception {
    WriterHarness harness =
        history(options().maxRecordsPerBulk(2).maxBulksInFlight(1).maxBufferedRecords(100));
    harness.write(TestRecords.at(TIMESTAMP_MILLIS - FORTY_DAYS_MILLIS));
    harness.moveClockTo(WriterHarness.START_MILLIS + 50);
    harness.write(users(8));
    harness.moveClockTo(WriterHarness.START_MILLIS + 100);

    harness.mailbox.tryYield();

    assertThat(server.collections()).containsExactly("history_2026_11", "history_2026_10");
  }

  // Limits.

  @Test
  void noMoreBulksAreInFlightThanAllowed() throws Exception {
    WriterHarness harness = history(options().maxRecordsPerBulk(1).maxBulksInFlight(2));

    harness.write(users(5));

    assertThat(server.bulks()).hasSize(2);
    assertThat(harness.metrics.gauge("bulksInFlight")).isEqualTo(2);
    harness.mailbox.runAll();
    assertThat(server.bulks()).hasSize(5);
  }

  @Test
  void atTheBoundOfRecordsWriteWaitsUntilABulkComesBack() throws Exception {
    WriterHarness harness =
        history(options().maxRecordsPerBulk(2).maxBulksInFlight(1).maxBufferedRecords(4));
    harness.write(users(4));
    assertThat(harness.mailbox.yields()).isZero();

    harness.write(TestRecords.ofUser("fifth"));

    assertThat(harness.mailbox.yields()).isEqualTo(1);
    assertThat(harness.metrics.gauge("bufferedWrites")).isEqualTo(3);
  }

  @Test
  void atTheBoundOfBytesWriteWaitsUntilABulkComesBack() throws Exception {
    int bytes = new HistoryBatching(TestHistory.MONTHS).maxEncodedBytes(users(1).get(0));
    WriterHarness harness =
        history(options().maxBytesPerBulk(bytes).maxBulksInFlight(1).maxBufferedBytes(3L * bytes));
    harness.write(users(3));
    assertThat(harness.mailbox.yields()).isZero();

    harness.write(TestRecords.ofUser("4"));

    assertThat(harness.mailbox.yields()).isEqualTo(1);
    assertThat(harness.metrics.gauge("bufferedBytes")).isEqualTo(3L * bytes);
  }

  @Test
  void atTheBoundSmallBulksAreSentRatherThanNone() throws Exception {
    WriterHarness harness = history(options().maxRecordsPerBulk(3).maxBufferedRecords(3));
    for (int month = 0; month < 4; month++) {
      harness.write(TestRecords.at(TIMESTAMP_MILLIS - month * FORTY_DAYS_MILLIS));
    }

    assertThat(server.bulkSizes()).startsWith(1);
    harness.flush();
    assertThat(harness.metrics.count("inserted")).isEqualTo(4);
  }

  @Test
  void writesThatWaitForARetryCountAgainstTheBound() throws Exception {
    WriterHarness harness = history(options().maxRecordsPerBulk(2).maxBufferedRecords(2));
    server.then(new Act.RefuseBulk());
    harness.write(users(2));
    harness.mailbox.runAll();
    assertThat(harness.metrics.gauge("bulksInFlight")).isEqualTo(0);

    harness.write(TestRecords.ofUser("third"));

    assertThat(harness.metrics.count("inserted")).isEqualTo(2);
  }

  // Failures.

  @Test
  void onlyTheWritesThatFailedAreSentAgain() throws Exception {
    WriterHarness harness = history(options().maxRecordsPerBulk(4));
    server.then(new Act.FailSome(1, Kind.RETRY_LATER));
    List<LocatedRecord> records = users(4);
    harness.write(records);

    harness.flush();

    assertThat(server.bulks()).containsExactly(records, List.of(records.get(1), records.get(3)));
    assertThat(harness.metrics.count("inserted")).isEqualTo(4);
    assertThat(harness.metrics.count("duplicates")).isZero();
    assertThat(harness.metrics.count("retried")).isEqualTo(2);
    assertThat(harness.metrics.count("numRecordsSendErrors")).isEqualTo(2);
  }

  @Test
  void aRetryWaitsForItsPauseAndBlocksNothingElse() throws Exception {
    WriterHarness harness =
        history(
            options()
                .maxRecordsPerBulk(1)
                .retryInitialBackoff(Duration.ofMillis(50))
                .maxBulksInFlight(1));
    server.then(new Act.RefuseBulk());
    harness.write(TestRecords.ofUser("first"));
    harness.mailbox.runAll();
    harness.write(TestRecords.ofUser("second"));
    harness.mailbox.runAll();
    assertThat(server.bulks()).hasSize(2);

    harness.moveClockTo(WriterHarness.START_MILLIS + 50);

    assertThat(server.bulks()).hasSize(3);
    assertThat(server.bulks().get(2)).containsExactly(TestRecords.ofUser("first"));
  }

  @Test
  void whereTheOrderCountsNothingOvertakesABulkThatWaitsForItsRetry() throws Exception {
    WriterHarness harness =
        new WriterHarness(
            new InOrder(),
            server,
            options()
                .maxRecordsPerBulk(1)
                .retryInitialBackoff(Duration.ofMillis(50))
                .maxBulksInFlight(2)
                .build());
    LocatedRecord first = TestRecords.ofUser("first");
    LocatedRecord second = TestRecords.ofUser("second");
    server.then(new Act.RefuseBulk());

    harness.write(first, second);
    harness.mailbox.runAll();
    harness.moveClockTo(WriterHarness.START_MILLIS + 50);
    harness.mailbox.runAll();

    assertThat(server.bulks()).containsExactly(List.of(first), List.of(first), List.of(second));
  }

  /** Records whose order counts. */
  private static final class InOrder implements RecordBatching<LocatedRecord> {
    private final RecordBatching<LocatedRecord> records = new HistoryBatching(TestHistory.MONTHS);

    @Override
    public String collection(LocatedRecord record) {
      return records.collection(record);
    }

    @Override
    public int maxEncodedBytes(LocatedRecord record) {
      return records.maxEncodedBytes(record);
    }

    @Override
    public @Nullable Object coalescingKey(LocatedRecord record) {
      return null;
    }

    @Override
    public boolean supersedes(LocatedRecord record, LocatedRecord other) {
      return false;
    }

    @Override
    public boolean needsOrder() {
      return true;
    }
  }

  @Test
  void aLostRaceIsRunAgainAtOnceAndWithAPauseIfItIsLostAgain() throws Exception {
    WriterHarness harness = history(options().maxRecordsPerBulk(1));
    server.then(new Act.FailSome(0, Kind.RETRY_AT_ONCE), new Act.FailSome(0, Kind.RETRY_AT_ONCE));
    harness.write(RECORD);

    harness.mailbox.runAll();
    assertThat(server.bulks()).hasSize(2);

    harness.flush();
    assertThat(server.bulks()).hasSize(3);
    assertThat(harness.metrics.count("inserted")).isEqualTo(1);
  }

  @Test
  void aDuplicateFoundByTheFirstAttemptIsADuplicate() throws Exception {
    WriterHarness harness = history(options());
    harness.write(RECORD, RECORD, RECORD);

    harness.flush();

    assertThat(harness.metrics.count("inserted")).isEqualTo(1);
    assertThat(harness.metrics.count("duplicates")).isEqualTo(2);
    assertThat(harness.metrics.count("duplicatesAfterRetry")).isZero();
  }

  @Test
  void aDuplicateFoundByARetryMayBeOurOwnAndIsCountedApart() throws Exception {
    WriterHarness harness = history(options());
    server.then(new Act.StoreHalfAndBreak());
    harness.write(users(4));

    harness.flush();

    assertThat(harness.metrics.count("inserted")).isEqualTo(2);
    assertThat(harness.metrics.count("duplicatesAfterRetry")).isEqualTo(2);
    assertThat(harness.metrics.count("duplicates")).isZero();
    assertThat(harness.metrics.count("sent")).isEqualTo(4);
  }

  @Test
  void aBulkThatIsRefusedForGoodFailsTheJobInTheServersWords() throws Exception {
    WriterHarness harness = history(options());
    server.then(new Act.Fail("not authorized (code 13)"));
    harness.write(users(2));

    assertThatThrownBy(harness::flush)
        .cause()
        .isInstanceOf(SinkFailedException.class)
        .hasMessage(
            "A bulk of 2 writes to collection history_2026_11 failed: not authorized (code 13)");
  }

  @Test
  void aWriteThatIsRefusedForGoodFailsTheJobInTheServersWords() throws Exception {
    WriterHarness harness = history(options());
    server.then(new Act.FailSome(1, Kind.FATAL));
    harness.write(users(2));

    assertThatThrownBy(harness::flush)
        .cause()
        .isInstanceOf(SinkFailedException.class)
        .hasMessage(
            "MongoDB refused a write to collection history_2026_11 (code 112): WriteConflict");
  }

  @Test
  void aServerThatNeverRecoversFailsTheJobAfterTheRetryTimeout() throws Exception {
    WriterHarness harness =
        history(
            options()
                .retryInitialBackoff(Duration.ofSeconds(1))
                .retryMaxBackoff(Duration.ofSeconds(1))
                .retryTimeout(Duration.ofSeconds(10)));
    for (int i = 0; i < 100; i++) {
      server.then(new Act.RefuseBulk());
    }
    harness.write(RECORD);

    assertThatThrownBy(harness::flush)
        .cause()
        .isInstanceOf(SinkFailedException.class)
        .hasMessageMatching(
            "Gave up 1 writes to collection history_2026_11 after 1\\d attempts in 10 s;"
                + " the last failed with: not primary");
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600, 3_600})
  void aStepOfTheClockNeitherEndsARetryNorHoldsItUp(long stepSeconds) throws Exception {
    WriterHarness harness =
        history(
            options()
                .maxRecordsPerBulk(1)
                .retryInitialBackoff(Duration.ofMillis(50))
                .retryTimeout(Duration.ofSeconds(10)));
    server.then(new Act.RefuseBulk());
    harness.write(RECORD);

    harness.stepClock(Duration.ofSeconds(stepSeconds));
    harness.mailbox.runAll();
    harness.moveClockTo(WriterHarness.START_MILLIS + 50);
    harness.mailbox.runAll();

    assertThat(harness.metrics.count("inserted")).isEqualTo(1);
  }

  // Collections that have to be prepared first.

  @Test
  void bulksWhoseCollectionsAreNotReadyHoldNoPlaceOfOneThatIs() throws Exception {
    PreparingServer preparing = new PreparingServer();
    preparing.ready.add("history_2026_11");
    WriterHarness harness =
        WriterHarness.history(
            preparing, options().maxRecordsPerBulk(1).maxBulksInFlight(2).build());

    for (int years = 1; years <= 10; years++) {
      harness.write(agedYears(years));
    }
    harness.write(RECORD);

    assertThat(preparing.collections()).containsExactly("history_2026_11");
    assertThat(harness.metrics.gauge("collectionsInPreparation")).isEqualTo(10);
  }

  @Test
  void aCheckpointWaitsForCollectionsInPreparation() throws Exception {
    PreparingServer preparing = new PreparingServer();
    WriterHarness harness = WriterHarness.history(preparing, options().build());
    harness.write(RECORD, agedYears(1), agedYears(2));

    harness.flush();

    assertThat(preparing.collections())
        .containsExactlyInAnyOrder("history_2026_11", "history_2025_11", "history_2024_11");
    assertThat(harness.metrics.gauge("collectionsInPreparation")).isEqualTo(0);
    assertThat(harness.metrics.gauge("bufferedWrites")).isEqualTo(0);
    assertThat(harness.metrics.count("sent")).isEqualTo(3);
  }

  @Test
  void whatIsParkedCountsAgainstTheBoundAndIsSentInFullBulks() throws Exception {
    PreparingServer preparing = new PreparingServer();
    preparing.staysReady = false;
    WriterHarness harness =
        WriterHarness.history(
            preparing,
            options()
                .maxRecordsPerBulk(4)
                .maxBufferedRecords(4)
                .flushInterval(Duration.ofMillis(1))
                .build());

    for (int i = 0; i < 4; i++) {
      harness.write(TestRecords.ofUser("" + i));
      harness.moveClockTo(WriterHarness.START_MILLIS + 10L * (i + 1));
    }
    assertThat(preparing.bulks()).isEmpty();
    assertThat(harness.metrics.gauge("bufferedWrites")).isEqualTo(4);
    harness.write(TestRecords.ofUser("one more"));

    assertThat(preparing.bulkSizes()).containsExactly(4);
  }

  @Test
  void aCollectionThatCannotBePreparedIsTriedAgainAfterAPause() throws Exception {
    PreparingServer preparing = new PreparingServer();
    preparing.failures.add(BulkException.retryable("not primary", null));
    WriterHarness harness =
        WriterHarness.history(
            preparing, options().retryInitialBackoff(Duration.ofMillis(100)).build());
    harness.write(RECORD);

    harness.flush();

    assertThat(preparing.prepared).containsExactly("history_2026_11", "history_2026_11");
    assertThat(preparing.bulks()).containsExactly(List.of(RECORD));
    assertThat(harness.metrics.count("retried")).isEqualTo(1);
  }

  @Test
  void aCollectionThatCannotBePreparedForTooLongFailsTheJob() throws Exception {
    PreparingServer preparing = new PreparingServer();
    for (int i = 0; i < 100; i++) {
      preparing.failures.add(BulkException.retryable("not primary", null));
    }
    WriterHarness harness =
        WriterHarness.history(
            preparing,
            options()
                .retryInitialBackoff(Duration.ofMillis(100))
                .retryTimeout(Duration.ofSeconds(5))
                .build());
    harness.write(RECORD);

    assertThatThrownBy(harness::flush)
        .cause()
        .isInstanceOf(SinkFailedException.class)
        .hasMessageStartingWith("Gave up 1 writes to collection history_2026_11 after ")
        .hasMessageEndingWith("the last failed with: not primary");
  }

  @Test
  void theTimeThatABulkWaitedForItsCollectionIsNoneOfItsRetries() throws Exception {
    PreparingServer preparing = new PreparingServer();
    for (int i = 0; i < 4; i++) {
      preparing.failures.add(BulkException.retryable("not primary", null));
    }
    for (int i = 0; i < 4; i++) {
      preparing.then(new Act.RefuseBulk());
    }
    WriterHarness harness =
        WriterHarness.history(
            preparing,
            options()
                .retryInitialBackoff(Duration.ofSeconds(1))
                .retryMaxBackoff(Duration.ofSeconds(1))
                .retryTimeout(Duration.ofSeconds(5))
                .build());
    harness.write(RECORD);

    harness.flush();

    assertThat(preparing.prepared).hasSize(5);
    assertThat(preparing.bulks()).hasSize(5);
  }

  @Test
  void aCollectionThatIsNotAsItMustBeFailsTheJobInTheServersWords() throws Exception {
    PreparingServer preparing = new PreparingServer();
    preparing.failures.add(BulkException.fatal("missing: collection lastfix.history", null));
    WriterHarness harness = WriterHarness.history(preparing, options().build());
    harness.write(RECORD);

    assertThatThrownBy(harness::flush)
        .cause()
        .hasMessageContaining("missing: collection lastfix.history");
  }

  @Test
  void aCollectionThatMayBeGoneAgainIsPreparedBeforeEachAttempt() throws Exception {
    PreparingServer preparing = new PreparingServer();
    preparing.staysReady = false;
    preparing.then(new Act.RefuseBulk());
    WriterHarness harness = WriterHarness.history(preparing, options().build());
    harness.write(RECORD);

    harness.flush();

    assertThat(preparing.prepared).hasSize(2);
    assertThat(preparing.bulks()).hasSize(2);
  }

  private static LocatedRecord agedYears(int years) {
    return TestRecords.at(
        Instant.ofEpochMilli(TIMESTAMP_MILLIS)
            .atOffset(ZoneOffset.UTC)
            .minusYears(years)
            .toInstant()
            .toEpochMilli());
  }

  /** Stores once a collection is prepared, and fails preparations as scripted. */
  private static final class PreparingServer extends ScriptedServer {
    private final Set<String> ready = new HashSet<>();
    private final List<String> prepared = new ArrayList<>();
    private final Deque<BulkException> failures = new ArrayDeque<>();
    private boolean staysReady = true;

    @Override
    public boolean isReady(String collection) {
      return ready.contains(collection);
    }

    @Override
    public void prepare(String collection) throws BulkException {
      prepared.add(collection);
      BulkException failure = failures.poll();
      if (failure != null) {
        throw failure;
      }
      if (staysReady) {
        ready.add(collection);
      }
    }

    @Override
    BulkResult store(String collection, List<LocatedRecord> records) {
      return new BulkResult(records.size(), 0, 0, 0, List.of());
    }
  }

  @Test
  void aBugInTheServerClassFailsTheJobInsteadOfLosingTheBulk() throws Exception {
    BulkServer<LocatedRecord> buggy =
        new ScriptedServer() {
          @Override
          BulkResult store(String collection, List<LocatedRecord> records) {
            throw new IllegalStateException("bug");
          }
        };
    WriterHarness harness = WriterHarness.history(buggy, options().build());
    harness.write(RECORD);

    assertThatThrownBy(harness::flush)
        .cause()
        .isInstanceOf(SinkFailedException.class)
        .hasRootCauseMessage("bug");
  }

  /** The jobs that find positions later report how many documents they have changed. */
  @Test
  void aChangedDocumentCountsAsStored() throws Exception {
    ScriptedServer changing =
        new ScriptedServer() {
          @Override
          BulkResult store(String collection, List<LocatedRecord> records) {
            return new BulkResult(0, records.size() - 1, 0, 1, List.of());
          }
        };
    WriterHarness harness = WriterHarness.history(changing, options().build());
    harness.write(users(3));

    harness.flush();

    assertThat(harness.writer.counted()).isEqualTo(LedgerEntry.ofStored(2, 1));
  }

  // Coalescing.

  @Test
  void tenRecordsOfAUserInOneFlushAreOneWriteOfTheNewest() throws Exception {
    LastKnownLocationServer users = new LastKnownLocationServer();
    WriterHarness harness = WriterHarness.lastKnownLocation(users, options().build());
    for (int i : new int[] {3, 1, 4, 0, 9, 2, 6, 5, 8, 7}) {
      harness.write(TestRecords.at(TIMESTAMP_MILLIS + i));
    }

    harness.flush();

    assertThat(users.bulks()).containsExactly(List.of(TestRecords.at(TIMESTAMP_MILLIS + 9)));
    assertThat(harness.metrics.count("coalesced")).isEqualTo(9);
    assertThat(harness.metrics.count("coalescedAway")).isEqualTo(9);
    assertThat(harness.metrics.count("sent")).isEqualTo(10);
    assertThat(harness.metrics.count("inserted")).isEqualTo(1);
  }

  @Test
  void aRecordThatComesWhileItsUsersWriteIsInFlightIsSentInAnotherBulk() throws Exception {
    LastKnownLocationServer users = new LastKnownLocationServer();
    WriterHarness harness =
        WriterHarness.lastKnownLocation(users, options().maxRecordsPerBulk(1).build());
    harness.write(TestRecords.at(TIMESTAMP_MILLIS + 1));
    harness.write(TestRecords.at(TIMESTAMP_MILLIS));

    harness.flush();

    assertThat(users.documents())
        .containsEntry(RECORD.user(), TestRecords.at(TIMESTAMP_MILLIS + 1));
    assertThat(harness.metrics.count("stale")).isEqualTo(1);
    assertThat(harness.metrics.count("coalesced")).isZero();
  }

  @Test
  void aRecordJoinsAWriteOfItsUserThatWaitsInAFullBulk() throws Exception {
    LastKnownLocationServer users = new LastKnownLocationServer();
    WriterHarness harness =
        WriterHarness.lastKnownLocation(
            users, options().maxRecordsPerBulk(1).maxBulksInFlight(1).build());
    harness.write(TestRecords.ofUser("in flight"));
    harness.write(TestRecords.at(TIMESTAMP_MILLIS));

    harness.write(TestRecords.at(TIMESTAMP_MILLIS + 1));
    harness.flush();

    assertThat(users.bulks())
        .containsExactly(
            List.of(TestRecords.ofUser("in flight")),
            List.of(TestRecords.at(TIMESTAMP_MILLIS + 1)));
    assertThat(harness.metrics.count("coalesced")).isEqualTo(1);
  }

  @Test
  void aRecordThatJoinsAWaitingWriteIsTakenAlsoWhereThereIsNoRoom() throws Exception {
    LastKnownLocationServer users = new LastKnownLocationServer();
    WriterHarness harness =
        WriterHarness.lastKnownLocation(
            users,
            options().maxRecordsPerBulk(1).maxBulksInFlight(1).maxBufferedRecords(2).build());
    harness.write(TestRecords.ofUser("in flight"));
    harness.write(TestRecords.at(TIMESTAMP_MILLIS));

    harness.write(TestRecords.at(TIMESTAMP_MILLIS + 1));

    assertThat(harness.mailbox.yields()).isZero();
    assertThat(harness.metrics.gauge("bufferedWrites")).isEqualTo(2);
  }

  @Test
  void aRecordJoinsNoWriteThatWaitsToBeSentAgain() throws Exception {
    LastKnownLocationServer users = new LastKnownLocationServer();
    users.then(new Act.RefuseBulk());
    WriterHarness harness =
        WriterHarness.lastKnownLocation(users, options().maxRecordsPerBulk(1).build());
    harness.write(TestRecords.at(TIMESTAMP_MILLIS));
    harness.mailbox.runAll();

    harness.write(TestRecords.at(TIMESTAMP_MILLIS + 1));
    harness.flush();

    assertThat(harness.metrics.count("coalesced")).isZero();
    assertThat(harness.metrics.count("sent")).isEqualTo(2);
    assertThat(users.documents())
        .containsEntry(RECORD.user(), TestRecords.at(TIMESTAMP_MILLIS + 1));
  }

  @Test
  void aWriteThatIsSentAgainTakesNoLaterWriteOfItsUserAway() throws Exception {
    LastKnownLocationServer users = new LastKnownLocationServer();
    users.then(new Act.FailSome(0, Kind.RETRY_AT_ONCE));
    WriterHarness harness =
        WriterHarness.lastKnownLocation(users, options().maxRecordsPerBulk(2).build());
    harness.write(TestRecords.at(TIMESTAMP_MILLIS), TestRecords.ofUser("other"));
    harness.write(TestRecords.at(TIMESTAMP_MILLIS + 1));
    harness.mailbox.runAll();

    harness.write(TestRecords.at(TIMESTAMP_MILLIS + 2));
    harness.flush();

    assertThat(harness.metrics.count("coalesced")).isEqualTo(1);
    assertThat(users.bulks())
        .last()
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .containsExactly(TestRecords.at(TIMESTAMP_MILLIS + 2));
  }

  @Test
  void noRecordJoinsAWriteFromTheMomentItIsSentOn() throws Exception {
    // The bulk runs within execute(), so its effects precede the writer's next step.
    LastKnownLocationServer users = new LastKnownLocationServer();
    AtomicReference<WriterHarness> harness = new AtomicReference<>();
    BulkServer<LocatedRecord> writesMeanwhile =
        new BulkServer<>() {
          @Override
          public BulkResult write(String collection, List<LocatedRecord> records)
              throws BulkException {
            if (users.bulks().isEmpty()) {
              BulkResult result = users.write(collection, records);
              harness.get().writeUnchecked(TestRecords.at(TIMESTAMP_MILLIS + 1));
              return result;
            }
            return users.write(collection, records);
          }

          @Override
          public void close() {
            users.close();
          }
        };
    harness.set(
        WriterHarness.lastKnownLocation(
            writesMeanwhile, options().maxRecordsPerBulk(1).maxBulksInFlight(2).build()));

    harness.get().write(TestRecords.at(TIMESTAMP_MILLIS));
    harness.get().flush();

    assertThat(harness.get().metrics.count("coalesced")).isZero();
    assertThat(users.documents())
        .containsEntry(RECORD.user(), TestRecords.at(TIMESTAMP_MILLIS + 1));
  }

  @Test
  void aRecordWithoutAPositionIsABugOfTheJob() {
    WriterHarness harness =
        WriterHarness.lastKnownLocation(new LastKnownLocationServer(), options().build());

    assertThatThrownBy(() -> harness.write(TestRecords.unlocated()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Last Known Location takes located records only: filter by isLocated()");
  }

  // Metrics and close.

  @Test
  void theEndToEndLatencyOfACoalescedWriteIsThatOfItsOldestRecord() throws Exception {
    WriterHarness harness =
        WriterHarness.lastKnownLocation(new LastKnownLocationServer(), options().build());
    harness.writeAppendedAt(700, TestRecords.at(TIMESTAMP_MILLIS));
    harness.writeAppendedAt(600, TestRecords.at(TIMESTAMP_MILLIS + 1));
    harness.writeAppendedAt(800, TestRecords.at(TIMESTAMP_MILLIS + 2));
    harness.moveClockTo(2_000);

    harness.mailbox.runAll();

    var statistics = harness.metrics.histogram("endToEndLatencyMillis").getStatistics();
    assertThat(statistics.getValues()).containsExactly(2_000 - 600);
  }

  @Test
  void theEndToEndLatencyRunsFromTheRecordsTimestampToTheAcknowledgement() throws Exception {
    WriterHarness harness = history(options());
    harness.write(RECORD);
    harness.moveClockTo(2_000);

    harness.mailbox.runAll();

    var statistics = harness.metrics.histogram("endToEndLatencyMillis").getStatistics();
    assertThat(statistics.getValues()).containsExactly(2_000 - WriterHarness.APPENDED_MILLIS);
  }

  /** It would be the 99th percentile of a quiet job for hours. */
  @Test
  void aMessageOfAProducerWithoutAClockDoesNotCountInTheEndToEndLatency() throws Exception {
    WriterHarness harness = history(options());
    long now = WriterHarness.START_MILLIS + Duration.ofDays(3650).toMillis() + 1_000;
    harness.writeAppendedAt(1, RECORD);
    harness.writeAppendedAt(now - 200, TestRecords.at(TIMESTAMP_MILLIS + 1));
    harness.moveClockTo(now);

    harness.mailbox.runAll();

    var statistics = harness.metrics.histogram("endToEndLatencyMillis").getStatistics();
    assertThat(statistics.getValues()).containsExactly(200);
  }

  @Test
  void closingClosesTheServerAndForgetsWhatIsInFlight() throws Exception {
    WriterHarness harness = history(options().maxRecordsPerBulk(1).maxBulksInFlight(1));
    harness.write(users(3));

    harness.writer.close();
    harness.mailbox.runAll();
    harness.moveClockTo(WriterHarness.START_MILLIS + 10_000);

    assertThat(server.isClosed()).isTrue();
    assertThat(server.bulks()).hasSize(1);
  }

  private WriterHarness history(BulkOptionsBuilder options) {
    return WriterHarness.history(server, options.build());
  }

  private static BulkOptionsBuilder options() {
    return new BulkOptionsBuilder();
  }

  private static List<LocatedRecord> users(int count) {
    return IntStream.range(0, count).mapToObj(i -> TestRecords.ofUser("" + i)).toList();
  }
}
