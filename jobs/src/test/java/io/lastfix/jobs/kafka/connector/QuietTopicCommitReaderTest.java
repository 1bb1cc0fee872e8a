package io.lastfix.jobs.kafka.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cases in which the fetcher is woken up. */
class QuietTopicCommitReaderTest {
  private static final KafkaPartitionSplit SPLIT =
      new KafkaPartitionSplit(new TopicPartition("cells", 0), 5);

  private final TellingReader source = new TellingReader();
  private final QuietTopicCommitReader<String, KafkaPartitionSplit> reader =
      new QuietTopicCommitReader<>(source);

  /** A split that was assigned, and whose offset is committed. */
  @BeforeEach
  void startWithASplit() throws Exception {
    reader.addSplits(List.of(SPLIT));
    readAll(0);
    checkpoint(1);
    source.told.clear();
  }

  @Test
  void theCheckpointAfterTheLastMessageIsCommittedAtOnce() throws Exception {
    readAll(1);
    checkpoint(2);
    assertThat(source.told).endsWith("complete 2", "resume [cells-0]");
  }

  @Test
  void aCheckpointWithNothingNewWakesNobodyUp() throws Exception {
    readAll(1);
    checkpoint(2);
    readAll(0);
    checkpoint(3);
    assertThat(source.told).endsWith("complete 3").containsOnlyOnce("resume [cells-0]");
  }

  @Test
  void offsetsOfASavepointAreCommittedWithoutAMessage() throws Exception {
    reader.addSplits(List.of(SPLIT));
    readAll(0);
    checkpoint(2);
    assertThat(source.told).endsWith("complete 2", "resume [cells-0]");
  }

  @Test
  void aCheckpointOfBeforeTheMessageDoesNotCountAsItsOwn() throws Exception {
    readAll(0);
    reader.snapshotState(2);
    readAll(1);
    reader.notifyCheckpointComplete(2);
    assertThat(source.told).endsWith("complete 2");
    checkpoint(3);
    assertThat(source.told).endsWith("complete 3", "resume [cells-0]");
  }

  @Test
  void anAbortedCheckpointLeavesItToTheNext() throws Exception {
    readAll(1);
    reader.snapshotState(2);
    reader.notifyCheckpointAborted(2);
    checkpoint(3);
    assertThat(source.told).endsWith("complete 3", "resume [cells-0]");
  }

  @Test
  void aReaderWithMoreToReadIsNotDisturbedUntilItHasReadThem() throws Exception {
    source.messages = 2;
    reader.pollNext(new EmittedRecords<>());
    checkpoint(2);
    assertThat(source.told).endsWith("complete 2");
    readAll(1);
    checkpoint(3);
    assertThat(source.told).endsWith("complete 3", "resume [cells-0]");
  }

  /** Adds N messages, and reads until nothing is available. */
  private void readAll(int messages) throws Exception {
    source.messages = messages;
    while (reader.pollNext(new EmittedRecords<>()) == InputStatus.MORE_AVAILABLE) {
      // The reader counts them down.
    }
  }

  private void checkpoint(long id) throws Exception {
    reader.snapshotState(id);
    reader.notifyCheckpointComplete(id);
  }

  /** Has messages to read, and records its calls. */
  private static final class TellingReader implements SourceReader<String, KafkaPartitionSplit> {
    private final List<String> told = new ArrayList<>();
    private int messages;

    @Override
    public InputStatus pollNext(ReaderOutput<String> output) {
      if (messages == 0) {
        return InputStatus.NOTHING_AVAILABLE;
      }
      messages--;
      return InputStatus.MORE_AVAILABLE;
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
      return List.of();
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      told.add("complete " + checkpointId);
    }

    @Override
    public void pauseOrResumeSplits(Collection<String> toPause, Collection<String> toResume) {
      assertThat(toPause).isEmpty();
      told.add("resume " + toResume);
    }

    @Override
    public void start() {}

    @Override
    public CompletableFuture<Void> isAvailable() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {}

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {}
  }
}
