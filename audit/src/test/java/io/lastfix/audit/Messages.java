package io.lastfix.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.model.Radio;
import io.lastfix.parse.DefaultLimits;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.ProfileLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Named examples, of which each test changes one part. */
public final class Messages {
  static final JudgingLimits LIMITS =
      new JudgingLimits(DefaultLimits.DECODER, DefaultLimits.TIMESTAMP);

  static final List<Profile> PROFILES =
      List.of(profile("arcanum"), profile("mlp"), profile("json"));

  static final AuditedTopics TOPICS =
      new AuditedTopics(
          Properties::new,
          () -> {
            throw new UnsupportedOperationException("no Kafka in this test");
          },
          "lastfix-location",
          "lastfix.location.",
          PROFILES.stream().map(Profile::name).toList(),
          "lastfix.cells",
          "lastfix.rejected");

  public static final Instant HEARD = Instant.parse("2026-11-20T12:00:01.001Z");

  /** The content of {@link #ARCANUM}, and of {@link #json} without a radio. */
  public static final FoundRecord RECORD =
      new FoundRecord("350000000007919", 234, 10, 4021, 20911362, Radio.LTE, HEARD.toEpochMilli());

  public static final String ARCANUM =
      """
      <event id="e-1" version="1.0">
        <header><source>MSC-07</source><type>LOCATION_UPDATE</type></header>
        <subscriber><imei>350000000007919</imei><imsi>234100000104729</imsi></subscriber>
        <cell><radio>LTE</radio><mcc>234</mcc><mnc>10</mnc><lac>4021</lac><cid>20911362</cid></cell>
        <timestamp>2026-11-20T12:00:01.001Z</timestamp>
      </event>
      """;

  private Messages() {}

  /** A shipped profile. */
  public static Profile profile(String name) {
    try {
      return ProfileLoader.load(name, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The record without a radio, of another user and time. */
  static FoundRecord recordOf(String user, Instant ts) {
    return new FoundRecord(
        user, RECORD.mcc(), RECORD.mnc(), RECORD.area(), RECORD.cid(), null, ts.toEpochMilli());
  }

  static String json(String user, Instant ts) {
    return "{\"user\":\"%s\",\"cell\":\"%s\",\"ts\":%d}"
        .formatted(user, RECORD.cell(), ts.toEpochMilli());
  }

  /** A message of the JSON topic, which Kafka received at {@link #HEARD}. */
  static ConsumerRecord<byte[], byte[]> message(long offset, String text) {
    return message(offset, text, TimestampType.CREATE_TIME);
  }

  /** A message of the JSON topic, with another meaning of its timestamp. */
  static ConsumerRecord<byte[], byte[]> message(
      long offset, String text, TimestampType timestampType) {
    return new ConsumerRecord<>(
        "lastfix.location.json",
        0,
        offset,
        HEARD.toEpochMilli(),
        timestampType,
        -1,
        text.length(),
        new byte[0],
        text.getBytes(UTF_8),
        new RecordHeaders(),
        java.util.Optional.empty());
  }
}
