package io.lastfix.jobs.kafka.connector;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** The handling of an offset that a partition does not have. */
class OffsetGapTest {
  private static final TopicPartition PARTITION = new TopicPartition("lastfix.location.json", 2);

  @Test
  void recordsThatKafkaDeletedAreCountedAndReadingContinuesBehindThem() {
    OffsetGap gap = GapDetectingSplitReader.gap(PARTITION, 10, 13, 20, null);

    assertThat(gap.resumeAt()).isEqualTo(13);
    assertThat(gap.recordsLost()).isEqualTo(3);
    assertThat(gap.describe())
        .isEqualTo(
            "lastfix.location.json, partition 2: 3 records were lost, offsets 10 to 12: Kafka had deleted them (retention, or a deletion by hand) before the job read them. The next offset is 13");
  }

  @Test
  void aTopicThatWasMadeAnewIsReadFromItsBeginning() {
    OffsetGap gap = GapDetectingSplitReader.gap(PARTITION, 10, 0, 4, null);

    assertThat(gap.resumeAt()).isZero();
    assertThat(gap.recordsLost()).isZero();
    assertThat(gap.describe())
        .isEqualTo(
            "lastfix.location.json, partition 2: ends at offset 4, but the job has read up to 10: the topic was deleted and created again, or the broker lost records. The next offset is 0");
  }

  @Test
  void aLogThatWasReplacedIsReadFromWhereItDiverges() {
    OffsetGap gap = GapDetectingSplitReader.gap(PARTITION, 10, 0, 30, new OffsetAndMetadata(7));

    assertThat(gap.resumeAt()).isEqualTo(7);
    assertThat(gap.recordsLost()).isZero();
    assertThat(gap.describe())
        .isEqualTo(
            "lastfix.location.json, partition 2: the broker has replaced records before offset 10 with others (an unclean election). The next offset is 7");
  }

  @Test
  void anOffsetThatIsThereAfterAllIsFetchedAgain() {
    assertThat(GapDetectingSplitReader.gap(PARTITION, 10, 0, 30, null).resumeAt()).isEqualTo(10);
  }
}
