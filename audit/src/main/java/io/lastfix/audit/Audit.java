package io.lastfix.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import io.lastfix.audit.Discrepancy.Kind;
import io.lastfix.audit.FirstMessages.Retention;
import io.lastfix.audit.stored.HistoryLayout;
import io.lastfix.audit.stored.MongoCollections;
import io.lastfix.audit.stored.StoredCollections;
import io.lastfix.audit.stored.StoredUsers;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureListCollection;
import io.lastfix.store.erasure.UserNames;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.workload.StepProgress;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads all topics, computes what both collections must hold, and compares. It keeps its data on
 * disk, so its memory does not grow with the topics or the collections. An instance runs once.
 */
public final class Audit {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /**
   * Longer than a sink's limit: a sink reads single documents, an audit whole collections, possibly
   * from disk.
   */
  private static final Duration READ_LIMIT = Duration.ofMinutes(5);

  /**
   * The distance from the first remaining message, plus the allowed lead of a record, from which on
   * documents are covered. It allows for clocks that differ, and for messages slightly out of time
   * order. It also allows for a job with a lag, which accepts records that were further ahead when
   * they were published.
   */
  private static final Duration EDGE = Duration.ofHours(1);

  /** One for the cursor, the others for concurrent look-ups. */
  private static final int CONNECTIONS = 4;

  private final AuditedJob job;
  private final AuditRange range;
  private final InstantSource clock;
  private final StepProgress progress;
  private final TopicReader reader;
  private final Findings findings;

  /**
   * Prepares an audit of the job with that configuration.
   *
   * @param range the range of the records' own time to judge
   * @param shown how many discrepancies of each kind the report names
   * @param clock decides which records the job would now reject as too far ahead
   */
  public Audit(
      AuditedJob job, AuditRange range, int shown, InstantSource clock, StepProgress progress) {
    this.job = job;
    this.range = range;
    this.clock = clock;
    this.progress = progress;
    this.reader = new TopicReader(job.topics().clientProperties());
    this.findings = new Findings(shown);
  }

  /**
   * Runs the audit.
   *
   * @throws IOException if Kafka does not answer, no message of the topics is committed, or there
   *     are discrepancies and users were erased meanwhile
   * @throws SQLException if the data does not fit on the disk
   */
  public AuditReport run() throws IOException, SQLException {
    try (Admin admin = job.topics().admin().get();
        MongoClient historyClient = connect(job.historyMongo());
        MongoClient lastKnownLocationClient = connect(job.lastKnownLocationMongo());
        ScratchDatabase scratch = new ScratchDatabase()) {
      ConsumerLag lag = new ConsumerLag(admin);
      // Reads the topics' ends after the committed offsets, and the rejected topic's end last. A
      // committed message was stored or rejected before, so its rejections are among those read.
      Map<TopicPartition, Long> committed = lag.committed(job.topics().groupId());
      // Each submission reads the catalogue under its own group. An entry is due if any of them has
      // read it.
      Map<TopicPartition, Long> committedCells = lag.highestCommitted(job.isCatalogGroup());
      Map<TopicPartition, Range> locations = lag.ranges(job.topics().locations());
      Map<TopicPartition, Range> cells = lag.ranges(List.of(job.topics().cells()));
      Map<TopicPartition, Range> rejected = lag.ranges(List.of(job.topics().rejected()));
      findings.topicsNotAudited = topicsOfOtherProfiles(lag);
      requireCommitted(committed, locations);

      Retention retention = new TopicRetention(admin, clock);
      RejectionLog rejections = new RejectionLog(scratch);
      long rejectionsKnownFromMillis = readRejections(rejected, rejections, retention);
      scratch.flush();
      Catalog catalog = new Catalog(scratch);
      readCatalog(cells, catalog, rejections, rejectionsKnownFromMillis, committedCells);
      ErasureListCollection erasureList =
          new ErasureListCollection(
              lastKnownLocationClient,
              job.lastKnownLocationMongo().database(),
              job.erasureList(),
              READ_LIMIT);
      ErasedUsers erased = erasureList.read();
      HistoryLayout layout = new HistoryLayout(job.history());
      PartialMessages partial = new PartialMessages(scratch, layout);
      ExpectedRecordStore sightings =
          new ExpectedRecordStore(
              scratch, layout, job.locate().fewestThatFill(job.limits().decoder().maxTextLength()));
      ExpectedOutcome messages =
          new ExpectedOutcome(
              job.topics(),
              job.profiles(),
              job.limits(),
              new StoredUsers(UserNames.of(job.pseudonymKey()), erased),
              range,
              clock.millis(),
              keptFromMillis(),
              rejections,
              rejectionsKnownFromMillis,
              findings,
              partial,
              sightings::add);
      Coverage coverage = readLocations(locations, messages, committed, retention);

      StoredCollections historyCollections = collections(historyClient, job.historyMongo());
      StoredCollections lastKnownLocationCollections =
          collections(lastKnownLocationClient, job.lastKnownLocationMongo());
      PlaceJudge places = new PlaceJudge(catalog, sightings, job.locate().maxWait().toMillis());
      LastKnownComparison lastKnown =
          new LastKnownComparison(
              scratch,
              lastKnownLocationCollections,
              job.lastKnownLocation(),
              layout,
              sightings,
              places,
              coverage,
              findings);
      HistoryComparison history =
          new HistoryComparison(
              scratch,
              historyCollections,
              layout,
              sightings,
              places,
              lastKnown,
              partial,
              coverage,
              findings);
      progress.begin("comparing History, estimated documents", history.expectedDocuments());
      history.run(progress);
      progress.begin(
          "comparing Last Known Location, estimated documents", lastKnown.expectedDocuments());
      lastKnown.run(progress);

      progress.begin("checking the differences again", -1);
      // Reads the documents before the topics: a document stored by now comes from a message in the
      // topics by then.
      lastKnown.readAgain();
      reader.read(
          since(cells, lag.ranges(List.of(job.topics().cells()))),
          message -> add(message, catalog));
      catalog.refresh();
      reader.read(since(locations, lag.ranges(job.topics().locations())), messages::acceptLater);
      history.judgeAgain(progress);
      lastKnown.judgeAgain();
      findings.coveredFromMillis = coverage.coveredFromMillis();
      AuditReport report = new AuditReport(findings);
      if (report.differs() && erasureList.read().version() != erased.version()) {
        throw new IOException(
            "A user was erased while the audit ran, and the differences may result from that:"
                + " run the audit again");
      }
      return report;
    } catch (IOException e) {
      throw KafkaFailure.withAddresses(job.topics().bootstrapServers(), e);
    }
  }

  /** The location topics that no audited profile reads, and that have or had messages. */
  private List<String> topicsOfOtherProfiles(ConsumerLag lag) throws IOException {
    return lag.ranges(job.topics()::isOfAnotherProfile).entrySet().stream()
        .filter(partition -> partition.getValue().end() > 0)
        .map(partition -> partition.getKey().topic())
        .distinct()
        .sorted()
        .toList();
  }

  private void requireCommitted(
      Map<TopicPartition, Long> committed, Map<TopicPartition, Range> locations)
      throws IOException {
    boolean isEmpty = locations.values().stream().allMatch(range -> range.end() == 0);
    if (!isEmpty && Collections.disjoint(committed.keySet(), locations.keySet())) {
      throw new IOException(
          ("The group %s has committed nothing, so nothing can be judged. Check that it is the"
                  + " job's group (kafka.group-id), and that the job has completed a checkpoint%s")
              .formatted(
                  job.topics().groupId(),
                  findings.topicsNotAudited.isEmpty()
                      ? ""
                      : ". Check profiles.names too: no profile in it reads "
                          + String.join(", ", findings.topicsNotAudited)));
    }
  }

  private static boolean isDue(ConsumerRecord<?, ?> message, Map<TopicPartition, Long> committed) {
    Long offset = committed.get(new TopicPartition(message.topic(), message.partition()));
    return offset != null && message.offset() < offset;
  }

  private static StoredCollections collections(MongoClient client, MongoOptions options) {
    return new MongoCollections(
        client.getDatabase(options.database()).withReadPreference(ReadPreference.primary()));
  }

  private static MongoClient connect(MongoOptions options) throws MongoAccessException {
    return MongoClientFactory.connect(
        options.withTimeouts(
            CONNECT_LIMIT,
            CONNECT_LIMIT,
            Collections.max(List.of(options.readTimeout(), READ_LIMIT))),
        CONNECTIONS);
  }

  private void read(
      String what, Map<TopicPartition, Range> ranges, TopicReader.Handler<SQLException> handler)
      throws IOException, SQLException {
    progress.begin("reading " + what, ranges.values().stream().mapToLong(Range::offsets).sum());
    reader.read(
        ranges,
        message -> {
          handler.message(message);
          progress.step();
        });
  }

  /** The instant from which on the rejections of all messages are known, in epoch milliseconds. */
  private long readRejections(
      Map<TopicPartition, Range> ranges, RejectionLog rejections, Retention retention)
      throws IOException, SQLException {
    FirstMessages first = new FirstMessages(ranges);
    read(
        "rejected messages",
        ranges,
        message -> {
          first.see(message);
          rejections.add(RejectedHeaders.of(message));
        });
    return first.completeFromMillis(retention);
  }

  /**
   * Reads the catalogue.
   *
   * @param committed the positions in the catalogue that groups have committed; empty: none is
   *     known, and a message that is not an entry may have been read or not
   */
  private void readCatalog(
      Map<TopicPartition, Range> ranges,
      Catalog catalog,
      RejectionLog rejections,
      long rejectionsKnownFromMillis,
      Map<TopicPartition, Long> committed)
      throws IOException, SQLException {
    AtomicLong found = new AtomicLong();
    read(
        "the catalogue",
        ranges,
        message -> {
          found.incrementAndGet();
          boolean isRejected =
              !rejections.of(message.topic(), message.partition(), message.offset()).isEmpty();
          boolean isDue = committed.isEmpty() || isDue(message, committed);
          if (isRejected || add(message, catalog) || !isDue) {
            return;
          }
          // Without a known group, it is unknown which messages were read. Kafka deletes idle
          // groups, and does not list groups that the user may not see.
          if (committed.isEmpty() || message.timestamp() < rejectionsKnownFromMillis) {
            findings.entriesNotJudged++;
          } else {
            findings.add(Discrepancy.at(Kind.ENTRY, Discrepancy.place(message), ""));
          }
        });
    catalog.refresh();
    long published = ranges.values().stream().mapToLong(Range::end).sum();
    if (found.get() < published) {
      catalog.lacksEntries();
    }
  }

  /** Returns whether the message is an entry. */
  private static boolean add(
      ConsumerRecord<byte @Nullable [], byte @Nullable []> message, Catalog catalog)
      throws SQLException {
    byte[] key = message.key();
    try {
      catalog.add(
          message.partition(),
          message.offset(),
          message.timestamp(),
          key == null ? null : new String(key, UTF_8),
          message.value());
      return true;
    } catch (IOException | IllegalArgumentException e) {
      // Not swallowed: the caller reports the message.
      return false;
    }
  }

  private Coverage readLocations(
      Map<TopicPartition, Range> ranges,
      ExpectedOutcome messages,
      Map<TopicPartition, Long> committed,
      Retention retention)
      throws IOException, SQLException {
    FirstMessages first = new FirstMessages(ranges);
    read(
        "location messages",
        ranges,
        message -> {
          first.see(message);
          messages.accept(message, isDue(message, committed));
        });
    long maxAheadMillis = job.limits().timestamp().maxAhead().toMillis();
    return new Coverage(
        range,
        later(first.completeFromMillis(retention), maxAheadMillis + EDGE.toMillis()),
        clock.millis() + maxAheadMillis,
        keptFromMillis());
  }

  /**
   * The instant before which partitions are expired, or will expire within the grace period. It
   * therefore holds however long the audit takes, and for any clock of the job.
   */
  private long keptFromMillis() {
    HistoryRetention retention = job.history().retention();
    return retention == null
        ? Long.MIN_VALUE
        : retention.firstKept(clock.millis() + retention.grace().toMillis());
  }

  private static long later(long millis, long byMillis) {
    return millis == Long.MIN_VALUE || millis == FirstMessages.NEVER ? millis : millis + byMillis;
  }

  /** The ranges of messages that arrived after the given ranges were read. */
  private static Map<TopicPartition, Range> since(
      Map<TopicPartition, Range> before, Map<TopicPartition, Range> now) {
    Map<TopicPartition, Range> later = new HashMap<>();
    now.forEach(
        (partition, range) -> {
          Range known = before.get(partition);
          long from = known == null ? range.begin() : Math.max(known.end(), range.begin());
          later.put(partition, new Range(from, range.end()));
        });
    return later;
  }
}
