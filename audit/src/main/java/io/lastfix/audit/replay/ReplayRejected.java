package io.lastfix.audit.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.audit.AuditRange;
import io.lastfix.audit.AuditedTopics;
import io.lastfix.audit.ConsumedHeaders;
import io.lastfix.audit.RejectedHeaders;
import io.lastfix.audit.ScratchDatabase;
import io.lastfix.kit.digest.Sha256;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.model.SenderHeaders;
import io.lastfix.workload.MessageSender;
import io.lastfix.workload.StepProgress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Sends rejected messages back to their topics, with their keys, each once in a run. Records of
 * such a message that are already stored, also by an earlier run, stay as they are.
 */
public final class ReplayRejected {
  private static final int MAX_REQUEST_BYTES = 100 * 1024 * 1024;

  private final AuditedTopics topics;
  private final Set<String> reasons;
  private final AuditRange rejectedAt;
  private final boolean isDryRun;
  private final int listed;
  private final TopicReader reader;

  private final Map<String, Map<String, Long>> sent = new TreeMap<>();
  private final List<String> gone = new ArrayList<>();

  /** The newest so far; its head is the oldest of them. */
  private final PriorityQueue<Read> list = new PriorityQueue<>(Read.OLDEST_FIRST);

  /** The first failure to send a message. */
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  private long rejections;
  private long repeated;
  private long catalog;

  /**
   * A replay to the topics that a job reads.
   *
   * @param reasons the reasons to replay; empty: all
   * @param rejectedAt the time of the rejections, by Kafka's timestamps
   * @param isDryRun whether to count only
   * @param listed the maximum number of chosen rejections that the summary lists, the newest of
   *     them; 0: none are requested
   */
  public ReplayRejected(
      AuditedTopics topics,
      Set<String> reasons,
      AuditRange rejectedAt,
      boolean isDryRun,
      int listed) {
    this.topics = topics;
    this.reasons = Set.copyOf(reasons);
    this.rejectedAt = rejectedAt;
    this.isDryRun = isDryRun;
    this.listed = listed;
    this.reader = new TopicReader(topics.clientProperties());
  }

  /**
   * Runs it, once.
   *
   * @throws IOException if Kafka does not answer, or rejects a message. Messages sent before stay
   *     sent, and running it again is harmless.
   */
  public ReplaySummary run(StepProgress progress) throws IOException, SQLException {
    try (Admin admin = topics.admin().get();
        ScratchDatabase scratch = new ScratchDatabase();
        Producer<byte @Nullable [], byte @Nullable []> producer = producer()) {
      Seen seen = new Seen(scratch);
      Map<TopicPartition, Range> all = new ConsumerLag(admin).ranges(List.of(topics.rejected()));
      progress.begin(
          "reading " + topics.rejected(), all.values().stream().mapToLong(Range::offsets).sum());
      reader.read(
          all,
          rejected -> {
            progress.step();
            replay(rejected, seen, producer);
          });
      producer.flush();
    } catch (KafkaException e) {
      throw KafkaFailure.withAddresses(
          topics.bootstrapServers(), new IOException("Kafka: " + e.getMessage(), e));
    } catch (IOException e) {
      throw KafkaFailure.withAddresses(topics.bootstrapServers(), e);
    }
    requireAllTaken();
    List<ListedRejection> newestFirst =
        list.stream().sorted(Read.OLDEST_FIRST.reversed()).map(Read::rejection).toList();
    return new ReplaySummary(
        isDryRun, listed > 0, rejections, sent, repeated, catalog, gone, newestFirst);
  }

  private Producer<byte @Nullable [], byte @Nullable []> producer() {
    Properties properties = topics.clientProperties().get();
    properties.putIfAbsent(ProducerConfig.CLIENT_ID_CONFIG, "lastfix-replay-rejected");
    // The topic limits the size of a message, not this command.
    properties.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
    properties.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, 2L * MAX_REQUEST_BYTES);
    return MessageSender.newProducer(properties);
  }

  private void replay(
      ConsumerRecord<byte @Nullable [], byte @Nullable []> rejected,
      Seen seen,
      Producer<byte @Nullable [], byte @Nullable []> producer)
      throws IOException, SQLException {
    rejections++;
    RejectedHeaders headers = RejectedHeaders.of(rejected);
    boolean isChosen =
        (reasons.isEmpty() || reasons.contains(headers.reason()))
            && rejectedAt.contains(rejected.timestamp());
    if (!isChosen) {
      return;
    }
    if (listed > 0) {
      list.add(new Read(ListedRejection.of(rejected, headers), rejections));
      if (list.size() > listed) {
        list.remove();
      }
    }
    if (headers.topic().equals(topics.cells())) {
      catalog++;
      return;
    }
    if (!seen.isNew(headers)) {
      repeated++;
      return;
    }
    ConsumerRecord<byte @Nullable [], byte @Nullable []> message =
        headers.isOmitted() ? readFromSource(headers) : rejected;
    if (message == null) {
      gone.add(
          "%s, partition %d, offset %d"
              .formatted(headers.topic(), headers.partition(), headers.offset()));
      return;
    }
    if (!seen.isNew(headers.topic(), message)) {
      repeated++;
      return;
    }
    if (!isDryRun) {
      send(again(headers, message), producer);
    }
    sent.computeIfAbsent(headers.topic(), absent -> new TreeMap<>())
        .merge(headers.reason(), 1L, Long::sum);
  }

  /**
   * The message at its origin, if its bytes were too many for the rejected topic; null if it is
   * gone.
   */
  private @Nullable ConsumerRecord<byte @Nullable [], byte @Nullable []> readFromSource(
      RejectedHeaders headers) throws IOException, SQLException {
    TopicPartition partition = new TopicPartition(headers.topic(), headers.partition());
    AtomicReference<@Nullable ConsumerRecord<byte @Nullable [], byte @Nullable []>> found =
        new AtomicReference<>();
    Range range;
    try (Admin admin = topics.admin().get()) {
      range = new ConsumerLag(admin).ranges(Set.of(headers.topic())).get(partition);
    }
    if (range != null && range.begin() <= headers.offset() && headers.offset() < range.end()) {
      reader.read(Map.of(partition, new Range(headers.offset(), headers.offset() + 1)), found::set);
    }
    return found.get();
  }

  /**
   * The message to send, with the arrival by which it was checked, and the headers of a gateway.
   *
   * @param headers of its rejection, wherever its bytes are
   */
  static ProducerRecord<byte @Nullable [], byte @Nullable []> again(
      RejectedHeaders headers, ConsumerRecord<byte @Nullable [], byte @Nullable []> message) {
    ProducerRecord<byte @Nullable [], byte @Nullable []> again =
        new ProducerRecord<>(headers.topic(), message.key(), message.value());
    again
        .headers()
        .add(RejectedHeaders.FIRST_SEEN, Long.toString(headers.firstSeenMillis()).getBytes(UTF_8));
    new ConsumedHeaders(message.headers()).forEach(again.headers()::add);
    return again;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The callback receives the same result.
  private void send(
      ProducerRecord<byte @Nullable [], byte @Nullable []> again,
      Producer<byte @Nullable [], byte @Nullable []> producer)
      throws IOException {
    producer.send(
        again,
        (metadata, exception) -> {
          if (exception != null) {
            failure.compareAndSet(null, exception);
          }
        });
    requireAllTaken();
  }

  private void requireAllTaken() throws IOException {
    Exception cause = failure.get();
    if (cause != null) {
      throw new IOException(
          "Kafka did not accept every message: %s. Run the command again: records that are stored already count as duplicates"
              .formatted(cause.getMessage()),
          cause);
    }
  }

  /**
   * A rejection to list.
   *
   * @param number of rejections read up to it, because many have the same time
   */
  private record Read(ListedRejection rejection, long number) {
    private static final Comparator<Read> OLDEST_FIRST =
        Comparator.comparing((Read read) -> read.rejection().at()).thenComparing(Read::number);
  }

  /** The messages chosen so far, on disk, because their number is not limited. */
  private static final class Seen {
    private final PreparedStatement insert;
    private final MessageDigest sha256 = Sha256.create();

    Seen(ScratchDatabase scratch) throws SQLException {
      scratch.execute("CREATE TABLE seen (what BLOB PRIMARY KEY) WITHOUT ROWID");
      insert = scratch.prepare("INSERT OR IGNORE INTO seen VALUES (?)");
    }

    boolean isNew(RejectedHeaders headers) throws SQLException {
      update(headers.topic().getBytes(UTF_8));
      return isNew(
          ByteBuffer.allocate(12).putInt(headers.partition()).putLong(headers.offset()).array());
    }

    boolean isNew(String topic, ConsumerRecord<byte @Nullable [], byte @Nullable []> message)
        throws SQLException {
      update(topic.getBytes(UTF_8));
      update(message.key());
      update(message.value());
      // The same bytes of another sender may be rejected again, and these stored.
      ConsumedHeaders sender = new ConsumedHeaders(message.headers());
      update(sender.last(SenderHeaders.AUTH));
      update(sender.last(SenderHeaders.DEVICE));
      update(sender.last(SenderHeaders.SPEAKS_FOR));
      return isNew(new byte[0]);
    }

    /** Adds a part with its length, so that different lists of parts never form the same input. */
    private void update(byte @Nullable [] part) {
      sha256.update(ByteBuffer.allocate(4).putInt(part == null ? -1 : part.length).flip());
      if (part != null) {
        sha256.update(part);
      }
    }

    private boolean isNew(byte[] last) throws SQLException {
      insert.setBytes(1, sha256.digest(last));
      return insert.executeUpdate() == 1;
    }
  }
}
