package io.lastfix.microbenchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.LocationRecord;
import io.lastfix.model.SenderHeaders;
import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.HeaderList;
import io.lastfix.parse.MessageHeaders;
import io.lastfix.parse.PartitionAdmission;
import io.lastfix.parse.RecordConsumer;
import io.lastfix.parse.RecordDecoder;
import io.lastfix.parse.Rejection;
import io.lastfix.parse.SenderCheck;
import io.lastfix.parse.TimestampLimits;
import io.lastfix.parse.UserRule;
import io.lastfix.parse.profile.ProfileLoader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A shipped profile's decoder that sends its records to JMH's black hole, without or with a check
 * of the users. With it, each message has the headers of a signed one, and another device than the
 * message before; the device's group may speak for the records' users.
 */
final class MeasuredDecoder {
  private final RecordDecoder decoder;
  private final @Nullable SenderCheck senders;
  private final MessageHeaders[] headers = {sentBy("a"), sentBy("b")};

  MeasuredDecoder(String profile) throws IOException {
    this(profile, UserRule.OFF);
  }

  MeasuredDecoder(String profile, UserRule rule) throws IOException {
    senders = rule == UserRule.OFF ? null : new SenderCheck(rule);
    decoder =
        RecordDecoder.of(
            ProfileLoader.load(profile, null),
            new DecoderLimits(1 << 20, 16 << 20, 10_000, 64, 256, 100),
            new TimestampLimits(Duration.ofMinutes(5), Instant.parse("2000-01-01T00:00:00Z")),
            PartitionAdmission.OF_ALL,
            // As in ParseFunction, which reads the clock once a message, not once a record.
            () -> SampleMessages.NOW_MILLIS,
            senders);
  }

  private static MessageHeaders sentBy(String device) {
    return HeaderList.of(
        SenderHeaders.ALL,
        SenderHeaders.ALL.stream().map(name -> value(name, device).getBytes(UTF_8)).toList());
  }

  private static String value(String name, String device) {
    return switch (name) {
      case SenderHeaders.DEVICE -> device.repeat(32);
      case SenderHeaders.AUTH -> SenderHeaders.SIGNED;
      case SenderHeaders.SPEAKS_FOR -> "86* 35*";
      default -> "any";
    };
  }

  void decode(byte[][] messages, Blackhole blackhole) {
    ToBlackhole records = new ToBlackhole(blackhole);
    int number = 0;
    for (byte[] message : messages) {
      if (senders != null) {
        senders.sender(headers[number++ % headers.length]);
      }
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
