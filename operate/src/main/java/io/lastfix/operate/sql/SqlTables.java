package io.lastfix.operate.sql;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryPartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The statements that make the tables of {@code lastfix sql}. They hold the passwords of the
 * configuration.
 *
 * <p>Names that SQL reserves are renamed by views: {@code user}, {@code period}, {@code by}.
 */
public final class SqlTables {
  /** The name of each query's job. */
  public static final String JOB_NAME = "lastfix-sql";

  /** Of the numbers of a cell id, those of its network. */
  private static final String NETWORK =
      "SPLIT_INDEX(cell, '-', 0) || '-' || SPLIT_INDEX(cell, '-', 1) AS network";

  /**
   * The connector passes a condition on a column to the server, but {@code <>} there finds
   * documents without the field, too. So columns that may be missing are expressions that the
   * planner does not see through, and conditions on them are Flink's.
   */
  private static final String CELL = "GREATEST(cell, cell)";

  private static final String SOURCE = "GREATEST(src, src)";
  private static final String ACCURACY = "GREATEST(acc, acc)";
  private static final String ALTITUDE = "GREATEST(alt, alt)";

  private static final String LOC = "loc ROW<lon DOUBLE, lat DOUBLE>";
  private static final String LAST = "ts TIMESTAMP_LTZ(3), cell STRING, " + LOC;

  private final LocationJobConfig config;
  private final boolean isFollowing;
  private final List<String> statements = new ArrayList<>();

  private SqlTables(LocationJobConfig config, boolean isFollowing) {
    this.config = config;
    this.isFollowing = isFollowing;
  }

  /**
   * Returns the statements.
   *
   * @param partitions those of History that are in the view
   * @param isFollowing true: the tables of Kafka have no end, and queries run until they are
   *     interrupted; false: they end with what the topics hold when a query starts
   */
  public static String of(
      LocationJobConfig config, List<HistoryPartition> partitions, boolean isFollowing) {
    SqlTables tables = new SqlTables(config, isFollowing);
    tables.settings();
    tables.lastKnownLocation();
    tables.history(partitions);
    if (config.locatedTopic() != null) {
      tables.located(config.locatedTopic());
    }
    tables.counts();
    return tables.statements.stream().map(it -> it + ";\n").collect(Collectors.joining());
  }

  private void settings() {
    set("table.local-time-zone", "UTC");
    set("execution.runtime-mode", isFollowing ? "streaming" : "batch");
    set("sql-client.execution.result-mode", "tableau");
    // One slot is enough, beside the jobs that run.
    set("parallelism.default", "1");
    set("execution.batch.adaptive.auto-parallelism.enabled", "false");
    // Otherwise a query's text, which may name a user, would be the job's name in Flink's log.
    set("pipeline.name", JOB_NAME);
  }

  private void set(String key, String value) {
    statements.add("SET %s = %s".formatted(quoted(key), quoted(value)));
  }

  private void lastKnownLocation() {
    String document = "ROW<" + LAST + ", src STRING, acc DOUBLE>";
    table(
        "last_known_location_documents",
        "`_id` STRING, `last` %1$s, fix %1$s".formatted(document),
        mongo(config.lastKnownLocationMongo(), config.lastKnownLocation().collection()));
    statements.add(
        "CREATE VIEW last_known_location AS SELECT `_id` AS user_id, `last`.ts AS ts,"
            + " `last`.cell AS cell, `last`.loc.lon AS lon, `last`.loc.lat AS lat,"
            + " `last`.src AS src, `last`.acc AS acc, fix.ts AS fix_ts,"
            + " fix.loc.lon AS fix_lon, fix.loc.lat AS fix_lat, fix.src AS fix_src,"
            + " fix.acc AS fix_acc FROM last_known_location_documents");
  }

  private void history(List<HistoryPartition> partitions) {
    String prefix = config.history().collectionPrefix() + "_";
    List<String> members = new ArrayList<>();
    for (HistoryPartition partition : partitions) {
      String collection = partition.collection();
      table(
          collection,
          "`user` STRING, " + LAST + ", src STRING, acc DOUBLE, alt DOUBLE, far BOOLEAN",
          mongo(config.historyMongo(), collection));
      members.add(
          "SELECT CAST(%s AS STRING) AS in_period, `user` AS user_id, ts, %s AS cell, %s, loc.lon AS lon, loc.lat AS lat, %s AS src, %s AS acc, %s AS alt, COALESCE(far, FALSE) AS far FROM %s"
              .formatted(
                  quoted(collection.substring(prefix.length())),
                  CELL,
                  NETWORK,
                  SOURCE,
                  ACCURACY,
                  ALTITUDE,
                  name(collection)));
    }
    if (members.isEmpty()) {
      members.add(
          "SELECT * FROM (VALUES (CAST('' AS STRING), CAST('' AS STRING),"
              + " CAST(NULL AS TIMESTAMP_LTZ(3)), CAST('' AS STRING), CAST('' AS STRING), 0e0, 0e0,"
              + " CAST('' AS STRING), 0e0, 0e0, FALSE)) AS t (in_period, user_id, ts, cell,"
              + " network, lon, lat, src, acc, alt, far) WHERE FALSE");
    }
    statements.add("CREATE VIEW history AS " + String.join(" UNION ALL ", members));
  }

  private void located(String topic) {
    Map<String, String> options = kafka(topic);
    options.put("key.format", "raw");
    options.put("key.fields", "user_id");
    options.put("value.format", "lastfix-located");
    options.put("value.fields-include", "EXCEPT_KEY");
    table(
        "located",
        "user_id STRING, ts TIMESTAMP_LTZ(3), cell STRING, network STRING, lon DOUBLE, lat DOUBLE,"
            + " src STRING, acc DOUBLE, alt DOUBLE, cell_lon DOUBLE, cell_lat DOUBLE, far BOOLEAN,"
            + " WATERMARK FOR ts AS ts - INTERVAL '%d' SECOND"
                .formatted(config.analytics().outOfOrderness().toSeconds()),
        options);
  }

  /** The topic has each number as often as it was published; the newest is the greatest. */
  private void counts() {
    Map<String, String> options = kafka(config.analytics().countsTopic());
    options.put("format", "json");
    options.put("json.timestamp-format.standard", "ISO-8601");
    options.put("json.ignore-parse-errors", "true");
    table(
        "count_updates",
        "w TIMESTAMP_LTZ(3), `by` STRING, k STRING, n BIGINT, state STRING, rev BIGINT",
        options);
    statements.add(
        "CREATE VIEW counts AS SELECT w, `by` AS counted_by, k, MAX(n) AS n, MIN(state) AS state"
            + " FROM count_updates GROUP BY w, `by`, k");
  }

  private static Map<String, String> mongo(MongoOptions mongo, String collection) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("connector", "mongodb");
    options.put("uri", mongo.uri());
    options.put("database", mongo.database());
    options.put("collection", collection);
    // The default needs rights that a reading user lacks.
    options.put("scan.partition.strategy", "single");
    return options;
  }

  private Map<String, String> kafka(String topic) {
    KafkaOptions kafka = config.kafka();
    Map<String, String> options = new LinkedHashMap<>();
    options.put("connector", "kafka");
    options.put("topic", topic);
    kafka
        .clientProperties()
        .forEach((key, value) -> options.put("properties." + key, String.valueOf(value)));
    options.put("scan.startup.mode", "earliest-offset");
    if (!isFollowing) {
      options.put("scan.bounded.mode", "latest-offset");
    }
    return options;
  }

  private void table(String name, String columns, Map<String, String> options) {
    statements.add(
        "CREATE TABLE %s (%s) WITH (%s)"
            .formatted(
                name(name),
                columns,
                options.entrySet().stream()
                    .map(option -> quoted(option.getKey()) + " = " + quoted(option.getValue()))
                    .collect(Collectors.joining(", "))));
  }

  private static String name(String name) {
    return "`" + name + "`";
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
