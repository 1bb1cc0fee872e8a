package io.lastfix.it.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.lastfix.catalogs.CellEntryException;
import io.lastfix.catalogs.CellEntryJson;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.Scenario.Own;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Revision;
import io.lastfix.parse.RecordConsumer;
import io.lastfix.parse.RecordDecoder;
import io.lastfix.parse.Rejection;
import io.lastfix.parse.profile.Profile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.zip.CRC32;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends hostile messages and keeps, for each, where Kafka put it and what has to become of it.
 *
 * <p>What has to become of it is asked of the decoders themselves, the very ones under test. So
 * this proves transport and counting only: that the job around them stores, or rejects, all of it,
 * each message by its offset. A decoder that reads a message wrongly is not noticed here; {@code
 * HostileInputTest} has, for the known ones of the same messages, the number of records and the
 * reason of the rejection written down. Good messages, of which the {@link Oracle} alone says what
 * becomes of them, go through {@link LocationRun#send}.
 */
final class HostileSending implements AutoCloseable {
  /** Just below what a broker takes in one request by default, 100 MiB. */
  private static final int LARGEST_REQUEST = 104_000_000;

  private final LocationRun run;
  private final Producer<byte[], byte[]> plain;
  private final Producer<byte[], byte[]> compressing;
  private final Map<String, RecordDecoder> decoders = new HashMap<>();
  private final List<Sent> sent = new ArrayList<>();
  private final List<Fact> facts = new ArrayList<>();
  private long records;
  private long entries;

  /** A message on its way, and the rejections it has to lead to. */
  private record Sent(
      Future<RecordMetadata> answer,
      String stage,
      List<Rejection> rejections,
      int length,
      long checksum) {}

  HostileSending(LocationRun run) {
    this.run = run;
    LocationJobConfig config = run.config();
    plain = producer(config, "none");
    compressing = producer(config, "lz4");
    for (Profile profile : config.profiles()) {
      decoders.put(
          profile.name(),
          RecordDecoder.of(
              profile,
              config.parse().decoderLimits(),
              config.parse().timestampLimits(),
              System::currentTimeMillis));
    }
  }

  private static Producer<byte[], byte[]> producer(LocationJobConfig config, String compression) {
    Properties properties = config.kafka().clientProperties();
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(LARGEST_REQUEST));
    properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Long.toString(3L * LARGEST_REQUEST));
    // Dozens of large ones take a busy machine's broker longer than the usual two minutes.
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "120000");
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "1200000");
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Sends a message of a profile's topic. */
  void location(String profile, byte @Nullable [] key, byte @Nullable [] value) {
    location(plain, profile, key, value);
  }

  /** Sends a message compressed: the topic's limit counts what comes in. */
  void locationCompressed(String profile, byte[] value) {
    location(compressing, profile, null, value);
  }

  private void location(
      Producer<byte[], byte[]> producer,
      String profile,
      byte @Nullable [] key,
      byte @Nullable [] value) {
    List<Rejection> rejections = new ArrayList<>();
    decoders
        .get(profile)
        .decode(
            value,
            new RecordConsumer() {
              @Override
              public void record(LocationRecord record) {
                records++;
                facts.add(fact(record));
              }

              @Override
              public void rejected(Rejection rejection) {
                rejections.add(rejection);
              }
            });
    send(producer, run.config().kafka().locationTopic(profile), "parse", key, value, rejections);
  }

  /** Sends a message of the catalogue's topic; compacted, it takes none without a key. */
  void cell(byte[] key, byte @Nullable [] value) {
    List<Rejection> rejections = new ArrayList<>();
    try {
      CellEntryJson.read(key, value, Revision.OLDEST);
      entries++;
    } catch (CellEntryException e) {
      rejections.add(new Rejection(e.reason(), String.valueOf(e.getMessage())));
    }
    send(plain, run.config().kafka().cellsTopic(), "catalog", key, value, rejections);
  }

  /** Waits until the broker has answered for all. */
  void flush() {
    plain.flush();
    compressing.flush();
  }

  private void send(
      Producer<byte[], byte[]> producer,
      String topic,
      String stage,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<Rejection> rejections) {
    sent.add(
        new Sent(
            producer.send(new ProducerRecord<>(topic, key, value)),
            stage,
            rejections,
            value == null ? -1 : value.length,
            checksum(value)));
  }

  private static long checksum(byte @Nullable [] value) {
    CRC32 checksum = new CRC32();
    if (value != null) {
      checksum.update(value);
    }
    return checksum.getValue();
  }

  private static Fact fact(LocationRecord record) {
    CellId cell = record.cell();
    Instant ts = Instant.ofEpochMilli(record.timestampMillis());
    Fix fix = record.fix();
    Own own =
        fix == null
            ? null
            : new Own(
                fix.position().lon(),
                fix.position().lat(),
                fix.accuracyMeters(),
                fix.altitudeMeters(),
                fix.source().text());
    if (cell == null) {
      return Fact.at(record.user(), requireNonNull(own), ts);
    }
    return new Fact(
        record.user(),
        cell.mcc(),
        cell.mnc(),
        cell.hasArea() ? cell.area() : null,
        cell.cid(),
        record.radio() == null ? null : record.radio().name(),
        ts,
        own);
  }

  int messages() {
    return sent.size();
  }

  /** The good records, for the {@link Oracle}. */
  Message good() {
    return new Message("json", "", List.copyOf(facts), null);
  }

  /** How many good records there were, each as often as it was sent. */
  long records() {
    return records;
  }

  /** How many good entries of the catalogue. */
  long entries() {
    return entries;
  }

  /** How many records have to be rejected, of those that were read by that stage. */
  long rejectedRecords(String stage) {
    return sent.stream()
        .filter(message -> message.stage().equals(stage))
        .flatMap(message -> message.rejections().stream())
        .mapToLong(Rejection::records)
        .sum();
  }

  /**
   * What has to be in the rejected topic, in the form of {@link #line}, and how often.
   *
   * @param takes what key and value may have together to be kept there
   */
  Map<String, Integer> expectedRejections(int takes) throws Exception {
    flush();
    Map<String, Integer> lines = new LinkedHashMap<>();
    for (Sent message : sent) {
      RecordMetadata at = metadata(message);
      for (Rejection rejection : message.rejections()) {
        boolean isKept = at.serializedKeySize() + message.length() <= takes;
        lines.merge(
            line(
                at.topic(),
                Integer.toString(at.partition()),
                Long.toString(at.offset()),
                message.stage(),
                rejection.reason().code(),
                Integer.toString(rejection.records()),
                rejection.detail(),
                isKept ? message.length() : -1,
                isKept ? message.checksum() : checksum(null)),
            1,
            Integer::sum);
      }
    }
    return lines;
  }

  private static RecordMetadata metadata(Sent message)
      throws InterruptedException, ExecutionException {
    return message.answer().get();
  }

  /** A rejected message as it was found, in the form of {@link #expectedRejections}. */
  static String line(ConsumerRecord<byte[], byte[]> found) {
    return line(
        LocationRun.header(found, "topic"),
        LocationRun.header(found, "partition"),
        LocationRun.header(found, "offset"),
        LocationRun.header(found, "stage"),
        LocationRun.header(found, "reason"),
        LocationRun.header(found, "records"),
        LocationRun.header(found, "detail"),
        found.value() == null ? -1 : found.value().length,
        checksum(found.value()));
  }

  private static String line(
      String topic,
      String partition,
      String offset,
      String stage,
      String reason,
      String records,
      String detail,
      int length,
      long checksum) {
    return "%s/%s/%s %s %s %s '%s', %d bytes, %08x"
        .formatted(topic, partition, offset, stage, reason, records, detail, length, checksum);
  }

  /** A key as hostile as the rest; null now and then. */
  static byte @Nullable [] key(int number) {
    return switch (number % 5) {
      case 0 -> null;
      case 1 -> new byte[0];
      case 2 -> ("$" + number + ".\0").getBytes(UTF_8);
      case 3 -> "😀".repeat(300).getBytes(UTF_8);
      default -> new byte[] {(byte) 0xff, (byte) 0xfe, (byte) number};
    };
  }

  @Override
  public void close() {
    plain.close();
    compressing.close();
  }
}
