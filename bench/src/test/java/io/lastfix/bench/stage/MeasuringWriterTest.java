package io.lastfix.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.junit.jupiter.api.Test;

class MeasuringWriterTest {
  private static final int STEP = MeasuringWriter.RECORDS_PER_CLOCK_READING;

  /** Advances a millisecond at each reading. */
  private final AtomicLong clock = new AtomicLong(1_000);

  @Test
  void theMeasurementBeginsWithTheFirstReadingOfTheClockAfterTheWarmUp() {
    MeasuringWriter<String> writer = new MeasuringWriter<>(STEP + 1, clock::getAndIncrement);

    write(writer, 2 * STEP - 1);
    assertThat(writer.recordsAtBegin()).isZero();
    assertThat(writer.beginMillis()).isZero();
    assertThat(writer.endMillis()).isEqualTo(1_000);

    write(writer, 1);
    assertThat(writer.recordsAtBegin()).isEqualTo(2 * STEP);
    assertThat(writer.beginMillis()).isEqualTo(1_001);
  }

  @Test
  void theBeginningStaysAndTheEndMovesOn() {
    MeasuringWriter<String> writer = new MeasuringWriter<>(0, clock::getAndIncrement);

    write(writer, 5 * STEP + 7);

    assertThat(writer.records()).isEqualTo(5 * STEP + 7);
    assertThat(writer.recordsAtBegin()).isEqualTo(STEP);
    assertThat(writer.beginMillis()).isEqualTo(1_000);
    assertThat(writer.endMillis()).isEqualTo(1_004);
  }

  @Test
  void aNegativeWarmUpIsRefused() {
    assertThatThrownBy(() -> new MeasuringSink<String>(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("warm-up: expected 0 records or more, found -1");
  }

  private static void write(MeasuringWriter<String> writer, int records) {
    for (int i = 0; i < records; i++) {
      writer.write("any", new NoContext());
    }
  }

  /** Has no values, because the writer does not read it. */
  private static final class NoContext implements SinkWriter.Context {
    @Override
    public long currentWatermark() {
      return Long.MIN_VALUE;
    }

    @Override
    public Long timestamp() {
      return null;
    }
  }
}
