package io.lastfix.sink;

import static io.lastfix.store.history.TestRecords.RECORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.model.LocatedRecord;
import io.lastfix.sink.BulkServer.BulkException;
import io.lastfix.sink.BulkServer.BulkResult;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.history.TestRecords;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailboxImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Uses its own threads and Flink's own mailbox. */
@Timeout(60)
class BulkSinkWriterThreadsTest {
  private static final SinkWriter.Context WITHOUT_TIMESTAMP =
      new SinkWriter.Context() {
        @Override
        public long currentWatermark() {
          return Long.MIN_VALUE;
        }

        @Override
        public @Nullable Long timestamp() {
          return null;
        }
      };

  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final ExecutorService preparingThread = Executors.newSingleThreadExecutor();
  private final TaskMailboxImpl mailbox = new TaskMailboxImpl();

  @Test
  void severalBulksAreAtTheServerAtTheSameTime() throws Exception {
    MeetingServer server = new MeetingServer(4);
    BulkSinkWriter<LocatedRecord> writer = writer(server);

    for (int i = 0; i < 8; i++) {
      writer.write(TestRecords.ofUser("" + i), WITHOUT_TIMESTAMP);
    }
    writer.flush(false);

    assertThat(server.answered.get()).isEqualTo(8);
    writer.close();
  }

  @Test
  void closingDoesNotWaitForAServerThatNeverAnswers() throws Exception {
    NeverAnsweringServer server = new NeverAnsweringServer();
    BulkSinkWriter<LocatedRecord> writer = writer(server);
    writer.write(RECORD, WITHOUT_TIMESTAMP);
    server.asked.await();

    writer.close();

    assertThat(threads.isTerminated()).isTrue();
  }

  @Test
  void anAnswerThatComesAfterTheTaskIsOverIsDropped() throws Exception {
    MeetingServer server = new MeetingServer(2);
    BulkSinkWriter<LocatedRecord> writer = writer(server);
    writer.write(TestRecords.ofUser("0"), WITHOUT_TIMESTAMP);
    mailbox.quiesce();
    writer.write(TestRecords.ofUser("1"), WITHOUT_TIMESTAMP);

    await().until(() -> server.answered.get() == 2);
    writer.close();

    assertThat(threads.isTerminated()).isTrue();
  }

  private BulkSinkWriter<LocatedRecord> writer(BulkServer<LocatedRecord> server) {
    return new BulkSinkWriter<>(
        new HistoryBatching(TestHistory.MONTHS),
        server,
        new BulkOptionsBuilder().maxRecordsPerBulk(1).build(),
        new MailboxExecutorImpl(mailbox, 0, StreamTaskActionExecutor.IMMEDIATE),
        new TestProcessingTimeService(),
        System::nanoTime,
        threads,
        preparingThread,
        new BulkSinkMetrics(new WriterHarness.RememberingMetricGroup()));
  }

  /** Answers bulks only when that number of them has arrived. */
  private static final class MeetingServer implements BulkServer<LocatedRecord> {
    private final CyclicBarrier barrier;
    private final AtomicInteger answered = new AtomicInteger();

    MeetingServer(int parties) {
      this.barrier = new CyclicBarrier(parties);
    }

    @Override
    public BulkResult write(String collection, List<LocatedRecord> records) throws BulkException {
      try {
        barrier.await();
      } catch (Exception e) {
        throw BulkException.fatal("the others did not come", e);
      }
      answered.incrementAndGet();
      return new BulkResult(records.size(), 0, 0, 0, List.of());
    }

    @Override
    public void close() {}
  }

  private static final class NeverAnsweringServer implements BulkServer<LocatedRecord> {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);

    @Override
    public BulkResult write(String collection, List<LocatedRecord> records) throws BulkException {
      asked.countDown();
      try {
        never.await();
      } catch (InterruptedException e) {
        throw BulkException.retryable("interrupted", e);
      }
      return new BulkResult(records.size(), 0, 0, 0, List.of());
    }

    @Override
    public void close() {}
  }
}
