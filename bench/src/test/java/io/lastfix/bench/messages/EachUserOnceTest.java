package io.lastfix.bench.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.LocationRecord;
import io.lastfix.workload.OutgoingMessage;
import io.lastfix.workload.SyntheticCells;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EachUserOnceTest {
  @Test
  void everyMessageIsOfAnotherUserAndOfACellOfTheCatalogue() {
    Instant moment = Instant.parse("2026-01-01T00:00:00Z");
    List<LocationRecord> records = new ArrayList<>();
    EachUserOnce messages = new EachUserOnce(25, moment, SyntheticCells.grid(10));
    while (messages.hasNext()) {
      OutgoingMessage message = messages.next();
      assertThat(message.key()).asString().isEqualTo(message.records().get(0).user());
      records.addAll(message.records());
    }

    assertThat(records).extracting(LocationRecord::user).hasSize(25).doesNotHaveDuplicates();
    assertThat(records)
        .extracting(LocationRecord::cell)
        .containsAll(SyntheticCells.grid(10).stream().map(known -> known.cell()).toList());
    assertThat(records).allMatch(record -> record.timestampMillis() == moment.toEpochMilli());
  }
}
