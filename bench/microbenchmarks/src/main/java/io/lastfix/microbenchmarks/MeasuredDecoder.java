package io.lastfix.microbenchmarks;

import io.lastfix.model.LocationRecord;
import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.RecordConsumer;
import io.lastfix.parse.RecordDecoder;
import io.lastfix.parse.Rejection;
import io.lastfix.parse.TimestampLimits;
import io.lastfix.parse.profile.ProfileLoader;
import java.io.IOException;
import org.openjdk.jmh.infra.Blackhole;

/** A shipped profile's decoder that sends its records to JMH's black hole. */
final class MeasuredDecoder {
  private final RecordDecoder decoder;

  MeasuredDecoder(String profile, boolean fast) throws IOException {
    decoder =
        RecordDecoder.of(
            ProfileLoader.load(profile, null),
            DecoderLimits.defaults(),
            TimestampLimits.defaults(),
            // As in ParseFunction, which reads the clock once a message, not once a record.
            () -> SampleMessages.NOW_MILLIS,
            fast);
  }

  void decode(byte[][] messages, Blackhole blackhole) {
    ToBlackhole records = new ToBlackhole(blackhole);
    for (byte[] message : messages) {
      decoder.decode(message, records);
    }
    if (records.count != SampleMessages.RECORDS) {
      throw new IllegalStateException("Decoded " + records.count + " records");
    }
  }

  private static final class ToBlackhole implements RecordConsumer {
    private final Blackhole blackhole;
    private int count;

    ToBlackhole(Blackhole blackhole) {
      this.blackhole = blackhole;
    }

    @Override
    public void record(LocationRecord record) {
      count++;
      blackhole.consume(record);
    }

    @Override
    public void rejected(Rejection rejection) {
      throw new IllegalStateException("Rejected: " + rejection);
    }
  }
}
