package io.lastfix.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.ledger.AccountedWriter;
import io.lastfix.ledger.LedgerEntry;
import io.lastfix.locate.RemovalRetention;
import io.lastfix.model.LocatedRecord;
import io.lastfix.parse.RawMessage;
import io.lastfix.sink.WriterSink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The ledger of the whole workflow, whose tasks fail and whose parallelism changes. */
class LedgerTest {
  private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(3)
              .setConfiguration(METRICS.addToConfiguration(new Configuration()))
              .build());

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int MESSAGES = 4_000;

  /** So slow that even on a busy machine some are left when the first job is stopped. */
  private static final int FIRST_PER_SECOND = 300;

  private static final int SECOND_PER_SECOND = 2_000;
  private static final int BAD = 50;
  private static final int REPEATED = 10;
  private static final long TS = 1_767_225_600_000L;

  @TempDir private static Path savepoints;

  private final CollectingSink<LocatedRecord> lastKnownLocation = new CollectingSink<>();

  @BeforeEach
  void emptyTheSinks() {
    CollectingSink.clear();
    FailingHistory.DOCUMENTS.clear();
  }

  @AfterAll
  static void closeTheReporter() {
    METRICS.close();
  }

  @Test
  void itBalancesWhileTasksFailAndAfterTheParallelismHasChanged() throws Exception {
    FailingHistory.failuresLeft.set(3);
    JobClient first = environment(2, FIRST_PER_SECOND, null).executeAsync("first");
    await("the tasks have failed for the last time, and start again")
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(20))
        .until(FailingHistory::hasStartedAfterTheLastFailure);
    long before = ledger("first").getOrDefault("checkpoint", 0L);
    await("checkpoints were completed since, so all tasks run")
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              Map<String, Long> ledger = ledger("first");
              assertThat(ledger.getOrDefault("unaccounted", 0L)).isZero();
              return ledger.getOrDefault("checkpoint", 0L) > before
                  && ledger.get("in") > MESSAGES / 4;
            });
    String savepoint =
        first.stopWithSavepoint(false, savepoints.toString(), SavepointFormatType.CANONICAL).get();
    Map<String, Long> stopped = ledger("first");
    assertThat(stopped.get("unaccounted")).isZero();
    assertThat(stopped.get("in")).isLessThan(MESSAGES);

    environment(3, SECOND_PER_SECOND, savepoint).execute("second");

    Map<String, Long> ledger = ledger("second");
    assertThat(ledger.get("checkpoint")).isGreaterThan(stopped.get("checkpoint"));
    int rejected = MESSAGES / BAD;
    assertThat(ledger)
        .containsEntry("unaccounted", 0L)
        .containsEntry("in", (long) MESSAGES)
        .containsEntry("rejected", (long) rejected)
        .containsEntry("waiting", 0L)
        .containsEntry("erased", 0L);
    // What was stored after the last checkpoint before a failure is a duplicate when it comes
    // again.
    assertThat(ledger.get("stored") + ledger.get("duplicates")).isEqualTo(MESSAGES - rejected);
    assertThat(ledger.get("stored")).isLessThanOrEqualTo(FailingHistory.DOCUMENTS.size());
    assertThat(FailingHistory.DOCUMENTS).hasSize(MESSAGES - rejected - MESSAGES / REPEATED);
  }

  /** The gauges of the latest attempt that reported a completed checkpoint. */
  private static Map<String, Long> ledger(String job) {
    return METRICS.getMetricsByGroup().entrySet().stream()
        .filter(group -> group.getKey().getMetricIdentifier("").endsWith(job + ".ledger.0.ledger."))
        .map(
            group -> {
              Map<String, Long> values = new TreeMap<>();
              group.getValue().forEach((name, metric) -> put(values, name, metric));
              return values;
            })
        .max(Comparator.comparing(values -> values.getOrDefault("checkpoint", 0L)))
        .orElse(Map.of("in", 0L));
  }

  private static void put(Map<String, Long> values, String name, Object metric) {
    if (metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Long value) {
      values.put(name, value);
    }
  }

  private StreamExecutionEnvironment environment(
      int parallelism, int messagesPerSecond, @Nullable String savepoint) {
    LocationJobConfig config =
        LocationJobConfig.load(
            null,
            List.of(
                "job.parallelism=" + parallelism,
                "job.max-parallelism=12",
                "checkpoint.interval=100 ms",
                "restart.initial-backoff=50 ms",
                "locate.max-wait=300 ms"),
            name -> null);
    Configuration flink = LocationJob.flinkConfiguration(config);
    if (savepoint != null) {
      flink.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    }
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(flink);
    LocationJob.defineWorkflow(
        environment,
        config,
        new DataGeneratorSource<>(
            LedgerTest::message,
            MESSAGES,
            RateLimiterStrategy.perSecond(messagesPerSecond),
            TypeInformation.of(RawMessage.class)),
        null,
        new DataGeneratorSource<>(LedgerTest::cell, 1, TypeInformation.of(RawMessage.class)),
        RemovalRetention.DEFAULT,
        new CollectingSink<>(),
        new FailingHistory(),
        lastKnownLocation,
        null);
    return environment;
  }

  /** One in 50 is unreadable, one in 10 repeats the one before it, one in 3 waits for its cell. */
  private static RawMessage message(long i) {
    if (i % BAD == 0) {
      return message("lastfix.location.json", i, "no JSON");
    }
    long record = i % REPEATED == 7 ? i - 1 : i;
    return message(
        "lastfix.location.json",
        i,
        "{\"user\":\"user-%d\",\"cell\":\"311-480-9728-%d\",\"ts\":%d}"
            .formatted(record % 100, record % 3, TS + record));
  }

  private static RawMessage cell(long i) {
    return message(
        "lastfix.cells",
        i,
        "{\"cell\":\"311-480-9728-2\",\"radio\":\"LTE\",\"lon\":-122.39,\"lat\":37.78}");
  }

  private static RawMessage message(String topic, long offset, String value) {
    return new RawMessage(topic, 0, offset, null, value.getBytes(UTF_8));
  }

  /** Stores records as they come, and sometimes fails between two checkpoints. */
  private static final class FailingHistory implements WriterSink<LocatedRecord> {
    private static final long serialVersionUID = 1;
    private static final int RECORDS_BEFORE_FAILURE = 150;
    private static final Set<String> DOCUMENTS = ConcurrentHashMap.newKeySet();
    private static final AtomicInteger failuresLeft = new AtomicInteger();
    private static final AtomicInteger writers = new AtomicInteger();
    private static final AtomicInteger writersAtTheLastFailure = new AtomicInteger();

    static boolean hasStartedAfterTheLastFailure() {
      return failuresLeft.get() <= 0 && writers.get() > writersAtTheLastFailure.get();
    }

    @Override
    public SinkWriter<LocatedRecord> createWriter(WriterInitContext context) {
      writers.incrementAndGet();
      return new AccountedWriter<>() {
        private int written;
        private LedgerEntry counted = LedgerEntry.NONE;

        @Override
        public void write(LocatedRecord record, Context elementContext) throws IOException {
          boolean isNew = DOCUMENTS.add(record.user() + " " + record.timestampMillis());
          counted = counted.plus(isNew ? LedgerEntry.ofStored(1, 0) : LedgerEntry.ofStored(0, 1));
          written++;
          if (written == RECORDS_BEFORE_FAILURE && failuresLeft.get() > 0) {
            writersAtTheLastFailure.set(writers.get());
            failuresLeft.decrementAndGet();
            throw new IOException("a failure of the test");
          }
        }

        @Override
        public void flush(boolean endOfInput) {
          // Nothing is buffered.
        }

        @Override
        public LedgerEntry counted() {
          return counted;
        }

        @Override
        public void close() {
          // Nothing is open.
        }
      };
    }
  }
}
