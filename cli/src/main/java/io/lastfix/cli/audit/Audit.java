package io.lastfix.cli.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.lastfix.cli.audit.Discrepancy.Kind;
import io.lastfix.cli.catalog.CatalogImport;
import io.lastfix.cli.kafka.ConsumerLag;
import io.lastfix.cli.kafka.ConsumerLag.Range;
import io.lastfix.cli.kafka.TopicReader;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import java.io.IOException;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.bson.BsonDocument;

/**
 * Reads all topics, works out what both collections must hold, and compares. What it has to
 * remember is on disk; its memory does not grow with the topics or the collections.
 */
final class Audit {
  private static final int SERVER_SELECTION_SECONDS = 10;

  private final LocationJobConfig config;
  private final AuditRange range;
  private final int shown;
  private final InstantSource clock;
  private final TopicReader reader;

  /**
   * An audit of the job with that configuration.
   *
   * @param range the stretch of the records' own time that is judged
   * @param shown how many discrepancies of each kind the report names
   */
  Audit(LocationJobConfig config, AuditRange range, int shown, InstantSource clock) {
    this.config = config;
    this.range = range;
    this.shown = shown;
    this.clock = clock;
    this.reader = new TopicReader(config.kafka());
  }

  /**
   * Where the topics stand when the audit begins. The offsets that are committed are asked for
   * first, and the rejected topic's ends last: whatever is committed was stored or rejected before,
   * so its rejections are among those read.
   */
  private record Standing(
      Map<TopicPartition, Long> committed,
      Map<TopicPartition, Range> locations,
      Map<TopicPartition, Range> cells,
      Map<TopicPartition, Range> rejected) {

    static Standing of(Admin admin, KafkaOptions kafka, List<String> profiles) throws IOException {
      ConsumerLag lag = new ConsumerLag(admin);
      Map<TopicPartition, Long> committed = lag.committed(kafka.groupId());
      committed.putAll(lag.committed(kafka.cellsGroupId()));
      return new Standing(
          committed,
          lag.ranges(kafka.locationTopics(profiles)),
          lag.ranges(List.of(kafka.cellsTopic())),
          lag.ranges(List.of(kafka.rejectedTopic())));
    }

    boolean isDue(ConsumerRecord<?, ?> message) {
      Long offset = committed.get(new TopicPartition(message.topic(), message.partition()));
      return offset != null && message.offset() < offset;
    }
  }

  /**
   * Runs it.
   *
   * @throws IOException if Kafka does not answer, or nothing of what is in the topics is committed
   * @throws SQLException if what is to be remembered does not fit on the disk
   */
  AuditReport run(CatalogImport.Progress progress) throws IOException, SQLException {
    Findings findings = new Findings(shown);
    try (Admin admin = Admin.create(config.kafka().clientProperties());
        MongoClient client = mongo();
        ScratchDatabase scratch = new ScratchDatabase()) {
      Standing standing = Standing.of(admin, config.kafka(), config.profileNames());
      requireCommitted(standing);

      RejectionLog rejections = new RejectionLog(scratch);
      FirstMessages firstRejected = new FirstMessages(standing.rejected());
      read(
          standing.rejected(),
          progress,
          message -> {
            firstRejected.see(message);
            rejections.add(RejectedHeaders.of(message));
          });
      scratch.flush();

      Catalog catalog = new Catalog(scratch);
      readCatalog(
          standing, catalog, rejections, firstRejected.completeFromMillis(), findings, progress);

      HistoryLayout layout = new HistoryLayout(config.history());
      SightingStore sightings =
          new SightingStore(scratch, layout, config.locate().maxWaitingPerCell());
      MessageJudge messages =
          new MessageJudge(
              config,
              range,
              rejections,
              firstRejected.completeFromMillis(),
              findings,
              sightings::add);
      FirstMessages firstLocations = new FirstMessages(standing.locations());
      read(
          standing.locations(),
          progress,
          message -> {
            firstLocations.see(message);
            messages.accept(message, standing.isDue(message));
          });

      long maxAheadMillis = config.timestampLimits().maxAhead().toMillis();
      Coverage coverage =
          new Coverage(
              range,
              later(firstLocations.completeFromMillis(), maxAheadMillis),
              clock.millis() + maxAheadMillis);
      MongoDatabase database =
          client
              .getDatabase(config.mongo().database())
              .withReadPreference(ReadPreference.primary());
      PlaceJudge places = new PlaceJudge(catalog, sightings, config.locate().maxWait().toMillis());
      LastKnownComparison lastKnown =
          new LastKnownComparison(
              scratch,
              database.getCollection(config.lastKnownLocation().collection(), BsonDocument.class),
              layout,
              sightings,
              places,
              coverage,
              findings);
      HistoryComparison history =
          new HistoryComparison(
              scratch, database, layout, sightings, places, lastKnown, coverage, findings);
      progress.begin("comparing History", history.expectedDocuments());
      history.run(progress);
      progress.begin("comparing Last Known Location", lastKnown.expectedDocuments());
      lastKnown.run(progress);

      readWhatCameLater(admin, standing, messages);
      progress.begin("looking again at what differs", -1);
      history.recheck(progress);
      lastKnown.recheck();
    }
    return AuditReport.of(findings);
  }

  private void requireCommitted(Standing standing) throws IOException {
    boolean isEmpty =
        standing.locations().values().stream().allMatch(stretch -> stretch.end() == 0);
    if (!isEmpty
        && Collections.disjoint(standing.committed().keySet(), standing.locations().keySet())) {
      throw new IOException(
          ("The group %s has committed nothing, so nothing can be judged. Is it the job's"
                  + " (kafka.group-id), and has the job made a checkpoint?")
              .formatted(config.kafka().groupId()));
    }
  }

  private MongoClient mongo() {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(config.mongo().uri()))
            .applyToClusterSettings(
                cluster ->
                    cluster.serverSelectionTimeout(SERVER_SELECTION_SECONDS, TimeUnit.SECONDS))
            .applicationName("lastfix-audit")
            .build());
  }

  private void read(
      Map<TopicPartition, Range> stretches,
      CatalogImport.Progress progress,
      TopicReader.Handler<SQLException> handler)
      throws IOException, SQLException {
    long expected = stretches.values().stream().mapToLong(s -> s.end() - s.begin()).sum();
    String topics =
        String.join(
            ", ",
            stretches.keySet().stream().map(TopicPartition::topic).sorted().distinct().toList());
    progress.begin("reading " + topics, expected);
    reader.read(
        stretches,
        message -> {
          handler.message(message);
          progress.step();
        });
  }

  private void readCatalog(
      Standing standing,
      Catalog catalog,
      RejectionLog rejections,
      long rejectionsKnownFromMillis,
      Findings findings,
      CatalogImport.Progress progress)
      throws IOException, SQLException {
    AtomicLong found = new AtomicLong();
    read(
        standing.cells(),
        progress,
        message -> {
          found.incrementAndGet();
          if (!rejections.of(message.topic(), message.partition(), message.offset()).isEmpty()) {
            return;
          }
          byte[] key = message.key();
          try {
            catalog.add(
                message.partition(),
                message.offset(),
                message.timestamp(),
                key == null ? null : new String(key, UTF_8),
                message.value());
          } catch (IOException | IllegalArgumentException e) {
            if (standing.isDue(message) && message.timestamp() >= rejectionsKnownFromMillis) {
              findings.add(
                  new Discrepancy(
                      Kind.ENTRY, null, null, null, Discrepancy.place(message), "no entry"));
            }
          }
        });
    long everPublished = standing.cells().values().stream().mapToLong(Range::end).sum();
    catalog.complete(found.get() < everPublished);
  }

  /** What the job may have stored meanwhile from messages that were not there at the beginning. */
  private void readWhatCameLater(Admin admin, Standing standing, MessageJudge messages)
      throws IOException, SQLException {
    Map<TopicPartition, Range> later = new HashMap<>();
    new ConsumerLag(admin)
        .ranges(config.kafka().locationTopics(config.profileNames()))
        .forEach(
            (partition, now) -> {
              Range before = standing.locations().get(partition);
              later.put(
                  partition, new Range(before == null ? now.begin() : before.end(), now.end()));
            });
    reader.read(later, messages::acceptLater);
  }

  private static long later(long millis, long byMillis) {
    return millis == Long.MIN_VALUE || millis == Long.MAX_VALUE ? millis : millis + byMillis;
  }
}
