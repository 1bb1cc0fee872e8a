package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.description.TextElement;

/**
 * Every key of {@code config/location.yaml}, with its type, its default and its meaning. The file
 * that ships is written from this class ({@link ConfigurationDocument}) and a test compares the
 * two.
 *
 * <p>Two prefixes take keys that are not ours: {@link #KAFKA_PROPERTIES_PREFIX} and {@link
 * #FLINK_PREFIX}.
 */
public final class LocationJobOptions {
  /** What follows goes to every Kafka client as it is: security, fetch sizes. */
  public static final String KAFKA_PROPERTIES_PREFIX = "kafka.properties.";

  /**
   * What follows goes to Flink as it is, over all that Lastfix sets: state backend, checkpoints'
   * place.
   */
  public static final String FLINK_PREFIX = "flink.";

  /** Keys of former releases that files may still have, with what to do about each. */
  static final Map<String, String> RETIRED =
      Map.of(
          "locate.max-waiting-per-cell",
          "there is no bound for a cell any more; remove the key, and see locate.max-waiting-records"
              + " and locate.max-waiting-bytes");

  public static final ConfigOption<String> JOB_NAME =
      key("job.name")
          .stringType()
          .defaultValue("lastfix-location")
          .withDescription("The job's name on Flink's page.");
  public static final ConfigOption<Integer> JOB_PARALLELISM =
      key("job.parallelism")
          .intType()
          .noDefaultValue()
          .withDescription(
              "Subtasks of every operator. Not set: what the cluster or 'flink run -p' says.");
  public static final ConfigOption<Integer> JOB_MAX_PARALLELISM =
      key("job.max-parallelism")
          .intType()
          .defaultValue(720)
          .withDescription(
              "Key groups of the state: the most that parallelism can ever be raised to. It cannot"
                  + " change once there is a savepoint.");

  public static final ConfigOption<String> KAFKA_BOOTSTRAP_SERVERS =
      key("kafka.bootstrap-servers")
          .stringType()
          .defaultValue("127.0.0.1:9092")
          .withDescription("Brokers to ask first, host:port with commas between.");
  public static final ConfigOption<String> KAFKA_GROUP_ID =
      key("kafka.group-id")
          .stringType()
          .defaultValue("lastfix-location")
          .withDescription(
              "Consumer group under which read offsets are committed at each checkpoint; the"
                  + " catalogue's are committed under a group of each submission's own, named by"
                  + " this, '-cells-' and eight hexadecimal digits.");
  public static final ConfigOption<String> KAFKA_LOCATION_TOPIC_PREFIX =
      key("kafka.location-topic-prefix")
          .stringType()
          .defaultValue("lastfix.location.")
          .withDescription("Location records are read from this and the name of each profile.");
  public static final ConfigOption<String> KAFKA_CELLS_TOPIC =
      key("kafka.cells-topic")
          .stringType()
          .defaultValue("lastfix.cells")
          .withDescription("The catalogue: a compacted topic, one message a cell.");
  public static final ConfigOption<String> KAFKA_REJECTED_TOPIC =
      key("kafka.rejected-topic")
          .stringType()
          .defaultValue("lastfix.rejected")
          .withDescription("Where messages go that hold something that could not be read.");
  public static final ConfigOption<Boolean> KAFKA_CREATE_TOPICS =
      key("kafka.create-topics")
          .booleanType()
          .defaultValue(true)
          .withDescription(
              "Create what is missing of these topics at the start. false: stop and name what is"
                  + " missing.");
  public static final ConfigOption<Integer> KAFKA_NEW_TOPIC_PARTITIONS =
      key("kafka.new-topic.partitions")
          .intType()
          .defaultValue(4)
          .withDescription("Partitions of a topic that is created.");
  public static final ConfigOption<Integer> KAFKA_NEW_TOPIC_REPLICATION =
      key("kafka.new-topic.replication")
          .intType()
          .defaultValue(-1)
          .withDescription("Replicas of a topic that is created; -1 is the broker's default.");

  public static final ConfigOption<String> SOURCE_START =
      key("source.start")
          .stringType()
          .defaultValue("committed")
          .withDescription(
              "Where a job without a savepoint begins to read: 'committed' (the group's offsets,"
                  + " the earliest record where there are none), 'earliest', 'latest', or a moment"
                  + " such as 2026-11-20T12:00:00Z. Reading again is harmless: what is stored"
                  + " already stays as it is. Records that waited for their cell when a job was"
                  + " cancelled without a savepoint are behind the committed offsets: name a moment"
                  + " before (locate.max-wait and a little more), or start from the last"
                  + " checkpoint.");
  public static final ConfigOption<Duration> SOURCE_CATALOG_TIMEOUT =
      key("source.catalog-timeout")
          .durationType()
          .defaultValue(Duration.ofMinutes(10))
          .withDescription(
              "How long, at each start and restart, the job may take until its state holds the"
                  + " catalogue as it stood then; one checkpoint.interval is added. Location records"
                  + " are not read before. Offsets that were read count, not committed ones.");
  public static final ConfigOption<String> SOURCE_ON_CATALOG_TIMEOUT =
      key("source.on-catalog-timeout")
          .stringType()
          .defaultValue("fail")
          .withDescription(
              "What happens after that time. 'fail': the job fails, says how far it was and how"
                  + " fast, and restarts from its last checkpoint, so what it read of the catalogue"
                  + " is kept. 'continue': it reads location records with what there is; they may be"
                  + " stored without a place, or with an overtaken one.");
  public static final ConfigOption<String> SOURCE_ON_GAP =
      key("source.on-gap")
          .stringType()
          .defaultValue("continue")
          .withDescription(
              "If Kafka has deleted location records that the job had not read (retention passed"
                  + " it, or the topic was made anew): 'continue' logs an error with topic,"
                  + " partition and count, counts them in sourceRecordsLost, and reads on with the"
                  + " first record that is left. 'fail' ends the job, without a restart.");
  public static final ConfigOption<List<String>> SOURCE_ABANDON_TOPICS =
      key("source.abandon-topics")
          .stringType()
          .asList()
          .defaultValues()
          .withDescription(
              "Topics, with commas between, whose profile was taken away and whose unread records"
                  + " may stay unread. A submission is refused if another such topic has any.");

  public static final ConfigOption<List<String>> PROFILES =
      key("profiles.names")
          .stringType()
          .asList()
          .defaultValues("arcanum", "mlp", "json")
          .withDescription("Record profiles to run, with commas between; each has its topic.");
  public static final ConfigOption<String> PROFILES_DIRECTORY =
      key("profiles.directory")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Folder with profiles of your own, NAME.yaml each, before those that ship (arcanum,"
                  + " mlp, json).");

  public static final ConfigOption<MemorySize> PARSE_MAX_MESSAGE_SIZE =
      key("parse.max-message-size")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(1))
          .withDescription("A larger message is rejected unread.");
  public static final ConfigOption<MemorySize> PARSE_MAX_DECOMPRESSED_SIZE =
      key("parse.max-decompressed-size")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(16))
          .withDescription(
              "A gzip message that inflates to more is rejected, and never inflated further.");
  public static final ConfigOption<Integer> PARSE_MAX_RECORDS_PER_MESSAGE =
      key("parse.max-records-per-message")
          .intType()
          .defaultValue(10_000)
          .withDescription("Records after so many in one message are rejected.");
  public static final ConfigOption<Integer> PARSE_MAX_REJECTIONS_PER_MESSAGE =
      key("parse.max-rejections-per-message")
          .intType()
          .defaultValue(100)
          .withDescription(
              "Each bad record of a message is rejected by itself, with the whole message; after so"
                  + " many, the rest of them are rejected together, with their count in the header"
                  + " 'records'.");
  public static final ConfigOption<Integer> PARSE_MAX_NESTING_DEPTH =
      key("parse.max-nesting-depth")
          .intType()
          .defaultValue(64)
          .withDescription("Elements or objects inside one another; deeper is rejected.");
  public static final ConfigOption<Integer> PARSE_MAX_TEXT_LENGTH =
      key("parse.max-text-length")
          .intType()
          .defaultValue(256)
          .withDescription("Characters of one field; a longer one is rejected.");
  public static final ConfigOption<Duration> PARSE_MAX_TIMESTAMP_AHEAD =
      key("parse.max-timestamp-ahead")
          .durationType()
          .defaultValue(Duration.ofMinutes(5))
          .withDescription(
              "A record from further in the future, against the TaskManager's clock, is rejected:"
                  + " newest-wins would hold that user to it.");
  public static final ConfigOption<String> PARSE_MIN_TIMESTAMP =
      key("parse.min-timestamp")
          .stringType()
          .defaultValue("2000-01-01T00:00:00Z")
          .withDescription("A record from before this moment is rejected.");

  public static final ConfigOption<Duration> LOCATE_MAX_WAIT =
      key("locate.max-wait")
          .durationType()
          .defaultValue(Duration.ofMinutes(1))
          .withDescription(
              "How long a record waits for its cell to appear in the catalogue before it goes on"
                  + " without coordinates.");
  public static final ConfigOption<Integer> LOCATE_MAX_WAITING_RECORDS =
      key("locate.max-waiting-records")
          .intType()
          .defaultValue(200_000)
          .withDescription(
              "Records that may wait in one subtask, whichever their cells; of more, the oldest"
                  + " continue without coordinates.");
  public static final ConfigOption<MemorySize> LOCATE_MAX_WAITING_BYTES =
      key("locate.max-waiting-bytes")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(64))
          .withDescription(
              "Memory that the waiting records of one subtask may take; of more, the oldest"
                  + " continue without coordinates. A record counts 360 bytes and two for each"
                  + " character of its user, as if alone in its cell and on the heap.");

  public static final ConfigOption<String> MONGO_URI =
      key("mongo.uri")
          .stringType()
          .defaultValue("mongodb://127.0.0.1:27017/?replicaSet=lastfix")
          .withDescription(
              "Connection string. Keep passwords out of this file: write ${NAME} for an environment"
                  + " variable or ${file:/path} for a file's content.");
  public static final ConfigOption<String> MONGO_TLS_CA_FILE =
      key("mongo.tls.ca-file")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "PEM file with the certificates of the authorities that may have signed MongoDB's;"
                  + " not set: those that Java trusts. Read when the job is submitted, so that no"
                  + " TaskManager needs it. TLS itself is switched on by tls=true in mongo.uri;"
                  + " certificates and host names are then always checked.");
  public static final ConfigOption<String> MONGO_TLS_CERTIFICATE_KEY_FILE =
      key("mongo.tls.certificate-key-file")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "PEM file with the client's certificate and its unencrypted PKCS #8 key, for a"
                  + " MongoDB that asks for one. Read when the job is submitted.");
  public static final ConfigOption<String> MONGO_DATABASE =
      key("mongo.database")
          .stringType()
          .defaultValue("lastfix")
          .withDescription(
              "Database of both collections, unless last-known-location.database says otherwise.");
  public static final ConfigOption<String> MONGO_WRITE_CONCERN =
      key("mongo.write-concern")
          .stringType()
          .defaultValue("majority")
          .withDescription(
              "'majority', or a number of members. Less than majority can lose what a checkpoint"
                  + " counted as stored when a primary fails.");
  public static final ConfigOption<Duration> MONGO_TIMEOUT =
      key("mongo.timeout")
          .durationType()
          .defaultValue(Duration.ofSeconds(30))
          .withDescription(
              "How long one bulk may take, and one search for a server; then it is tried again.");

  public static final ConfigOption<String> PROVISION =
      key("provision")
          .stringType()
          .defaultValue("auto")
          .withDescription(
              "What is done about collections, indexes and shards that are missing. 'auto': they"
                  + " are made, before the first record. 'check': the job fails, and says which"
                  + " command makes them; a record of a period that is over is rejected instead"
                  + " ('no-partition', 'lastfix partitions create'). 'off': nobody looks (but for"
                  + " history.on-other-period); the first insert then makes a collection without indexes and without shards. What is"
                  + " there and disagrees fails the job with 'auto' and 'check'.");

  public static final ConfigOption<String> HISTORY_PERIOD =
      key("history.period")
          .stringType()
          .defaultValue("MONTH")
          .withDescription("One History collection for each MONTH, DAY or HOUR (UTC).");
  public static final ConfigOption<String> HISTORY_COLLECTION_PREFIX =
      key("history.collection-prefix")
          .stringType()
          .defaultValue("history")
          .withDescription("History collections are named by this, an underscore and the period.");
  public static final ConfigOption<String> HISTORY_SHARD_KEY =
      key("history.shard-key")
          .stringType()
          .defaultValue("user-hashed")
          .withDescription(
              "What History is sharded on, on a sharded cluster: 'user-hashed' ({user: \"hashed\","
                  + " ts: 1}) or 'user' ({user: 1, ts: 1}). A collection that is there with"
                  + " another key is refused, and left as it is.");
  public static final ConfigOption<Boolean> HISTORY_CELL_INDEX =
      key("history.cell-index")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Keep an index on (cell, ts), for who was in a cell at some time. It costs every"
                  + " insert.");
  public static final ConfigOption<String> HISTORY_VIEW =
      key("history.view")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Name of the view that shows all partitions of History (the newest 900 of more) as"
                  + " one collection. Not set: the collection prefix. Empty (\"\"): there is no"
                  + " view.");
  public static final ConfigOption<String> HISTORY_RETENTION =
      key("history.retention")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "How long History is kept, such as '90 d'; one period or more. Not set: for ever. A"
                  + " partition is expired when it was over that long ago: its records are"
                  + " rejected, and with 'provision: auto' the job drops it, once none of its"
                  + " records can be on their way any more. Last Known Location is kept.");
  public static final ConfigOption<Integer> HISTORY_MAX_NEW_PARTITIONS_PER_MINUTE =
      key("history.max-new-partitions-per-minute")
          .intType()
          .defaultValue(60)
          .withDescription(
              "With 'provision: auto', records may have so many partitions made within a minute, all"
                  + " subtasks together; a record that needs one more is rejected"
                  + " ('too-many-partitions'). Those of the last 72 hours are always made. A start"
                  + " of the job allows one minute's number at once, and at least one to each"
                  + " subtask. Make the partitions of a larger backfill beforehand ('lastfix"
                  + " partitions create').");
  public static final ConfigOption<Integer> HISTORY_MAX_PARTITIONS =
      key("history.max-partitions")
          .intType()
          .defaultValue(5_000)
          .withDescription(
              "The same for partitions in all: with so many there, only those of the last 72 hours"
                  + " are made for a record. Subtasks do not know what others let in at the same"
                  + " time, so it can be exceeded by that.");
  public static final ConfigOption<String> HISTORY_ON_OTHER_PERIOD =
      key("history.on-other-period")
          .stringType()
          .defaultValue("fail")
          .withDescription(
              "If History has partitions of another period, since history.period was changed: 'fail'"
                  + " refuses the submission, whatever 'provision' says; empty ones do not count."
                  + " 'continue' writes partitions of the new period beside"
                  + " them; a record that is stored in an old one and is read again (from an older"
                  + " savepoint, sent again, or replayed) is then stored a second time. Only a"
                  + " submission looks: with 'fail' too, one that MongoDB does not answer starts the"
                  + " job, with a warning.");
  public static final ConfigOption<String> LAST_KNOWN_LOCATION_COLLECTION =
      key("last-known-location.collection")
          .stringType()
          .defaultValue("last_known_location")
          .withDescription("The collection with one document a user.");
  public static final ConfigOption<String> LAST_KNOWN_LOCATION_MONGO_URI =
      key("last-known-location.mongo-uri")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Connection string of the MongoDB that keeps Last Known Location, where it is another"
                  + " than that of mongo.uri. All else behind 'mongo.' holds for both.");
  public static final ConfigOption<String> LAST_KNOWN_LOCATION_DATABASE =
      key("last-known-location.database")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Database of Last Known Location, where it is another than mongo.database.");
  public static final ConfigOption<Boolean> LAST_KNOWN_LOCATION_POSITION_INDEX =
      key("last-known-location.position-index")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Keep an index on the position, for who is near a place. It costs every update.");
  public static final ConfigOption<Boolean> LAST_KNOWN_LOCATION_CELL_INDEX =
      key("last-known-location.cell-index")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Keep an index on (cell, ts), for who was last seen in a cell. It costs every"
                  + " update.");
  public static final ConfigOption<Integer> LAST_KNOWN_LOCATION_MAX_BULKS_IN_FLIGHT =
      key("last-known-location.max-bulks-in-flight")
          .intType()
          .defaultValue(1)
          .withDescription(
              "Bulks of one subtask that may wait for an answer at once. Updates keep MongoDB's"
                  + " processors busy, and queries wait behind them: more pays where MongoDB is far"
                  + " away, or has more processors than the job has subtasks, or where few ask and"
                  + " what is newest counts while MongoDB takes a checkpoint.");

  public static final ConfigOption<String> FORGOTTEN_COLLECTION =
      key("forgotten.collection")
          .stringType()
          .defaultValue("forgotten")
          .withDescription(
              "The list of the users that 'lastfix forget' has removed, in the database of Last Known Location. What is"
                  + " done with it is written into the collection of this name and '_audit'.");
  public static final ConfigOption<Duration> FORGOTTEN_REFRESH_INTERVAL =
      key("forgotten.refresh-interval")
          .durationType()
          .defaultValue(Duration.ofSeconds(5))
          .withDescription(
              "How often a running job looks whether somebody was added to that list; 'lastfix forget' waits for it.");
  public static final ConfigOption<String> PRIVACY_PSEUDONYM_KEY =
      key("privacy.pseudonym-key")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A secret of 16 bytes or more. With it the job replaces each user id by a pseudonym (HMAC-SHA-256) as soon"
                  + " as a message is read; 'lastfix pseudonym' computes one. Keep it out of this file: write ${NAME} for"
                  + " an environment variable or ${file:/path} for a file's content. With another key every user is"
                  + " another one.");

  public static final ConfigOption<Integer> SINK_MAX_RECORDS_PER_BULK =
      key("sink.max-records-per-bulk")
          .intType()
          .defaultValue(1_000)
          .withDescription("Writes in one bulk, at most.");
  public static final ConfigOption<MemorySize> SINK_MAX_BYTES_PER_BULK =
      key("sink.max-bytes-per-bulk")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(4))
          .withDescription("Bytes of documents in one bulk, at most.");
  public static final ConfigOption<Integer> SINK_MAX_BULKS_IN_FLIGHT =
      key("sink.max-bulks-in-flight")
          .intType()
          .defaultValue(4)
          .withDescription("Bulks of History of one subtask that may wait for an answer at once.");
  public static final ConfigOption<Integer> SINK_MAX_BUFFERED_RECORDS =
      key("sink.max-buffered-records")
          .intType()
          .defaultValue(20_000)
          .withDescription(
              "Writes of one subtask that are not stored yet, at most; then it reads no further, but for"
                  + " records of a user whose Last Known Location waits to be sent.");
  public static final ConfigOption<MemorySize> SINK_MAX_BUFFERED_BYTES =
      key("sink.max-buffered-bytes")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(32))
          .withDescription("The same in bytes of documents.");
  public static final ConfigOption<Duration> SINK_FLUSH_INTERVAL =
      key("sink.flush-interval")
          .durationType()
          .defaultValue(Duration.ofMillis(100))
          .withDescription("The longest a record waits for its bulk to fill.");
  public static final ConfigOption<Duration> SINK_RETRY_INITIAL_BACKOFF =
      key("sink.retry.initial-backoff")
          .durationType()
          .defaultValue(Duration.ofMillis(50))
          .withDescription(
              "Wait before the first retry of a write that failed for a passing reason; doubles"
                  + " each time.");
  public static final ConfigOption<Duration> SINK_RETRY_MAX_BACKOFF =
      key("sink.retry.max-backoff")
          .durationType()
          .defaultValue(Duration.ofSeconds(10))
          .withDescription("The longest wait between two retries.");
  public static final ConfigOption<Duration> SINK_RETRY_TIMEOUT =
      key("sink.retry.timeout")
          .durationType()
          .defaultValue(Duration.ofMinutes(5))
          .withDescription("After so long the job fails, and restarts from its last checkpoint.");

  public static final ConfigOption<Duration> CHECKPOINT_INTERVAL =
      key("checkpoint.interval")
          .durationType()
          .defaultValue(Duration.ofSeconds(10))
          .withDescription(
              "Time between checkpoints. At each one everything read before it is stored.");
  public static final ConfigOption<Duration> CHECKPOINT_TIMEOUT =
      key("checkpoint.timeout")
          .durationType()
          .defaultValue(Duration.ofMinutes(10))
          .withDescription("A checkpoint that takes longer is given up.");
  public static final ConfigOption<Duration> RESTART_INITIAL_BACKOFF =
      key("restart.initial-backoff")
          .durationType()
          .defaultValue(Duration.ofSeconds(1))
          .withDescription(
              "Wait before a failed job is restarted; doubles while it keeps failing.");
  public static final ConfigOption<Duration> RESTART_MAX_BACKOFF =
      key("restart.max-backoff")
          .durationType()
          .defaultValue(Duration.ofMinutes(1))
          .withDescription("The longest wait before a restart. There is no limit to their number.");

  private LocationJobOptions() {}

  /** All keys, in the order of this class. */
  public static List<ConfigOption<?>> all() {
    List<ConfigOption<?>> options = new ArrayList<>();
    for (Field field : LocationJobOptions.class.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigOption.class) {
        try {
          options.add((ConfigOption<?>) field.get(null));
        } catch (IllegalAccessException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    return options;
  }

  /** The meaning of a key as plain text. */
  static String description(ConfigOption<?> option) {
    StringBuilder text = new StringBuilder();
    option
        .description()
        .getBlocks()
        .forEach(block -> text.append(((TextElement) block).getFormat()));
    return text.toString();
  }
}
