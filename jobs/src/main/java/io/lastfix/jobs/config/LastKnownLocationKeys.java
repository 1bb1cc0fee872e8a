package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.lastknown.LastKnownLocationOptions;

/** The keys {@code last-known-location.}: where it is, and its indexes. */
final class LastKnownLocationKeys {
  static final Key<String> COLLECTION =
      Key.name(
          key("last-known-location.collection")
              .stringType()
              .defaultValue("last_known_location")
              .withDescription("The collection with one document a user."));

  static final Key<String> MONGO_URI =
      Key.of(
              key("last-known-location.mongo-uri")
                  .stringType()
                  .noDefaultValue()
                  .withDescription(
                      "Connection string of the MongoDB that keeps Last Known Location, where it is"
                          + " another than that of mongo.uri. All else behind 'mongo.' holds for"
                          + " both."))
          .secret();

  static final Key<String> DATABASE =
      Key.name(
          key("last-known-location.database")
              .stringType()
              .noDefaultValue()
              .withDescription(
                  "Database of Last Known Location, where it is another than mongo.database."));

  static final Key<Boolean> POSITION_INDEX =
      Key.of(
          key("last-known-location.position-index")
              .booleanType()
              .defaultValue(false)
              .withDescription(
                  "Keep an index on the position, for who is near a place. It costs every"
                      + " update."));

  static final Key<Boolean> CELL_INDEX =
      Key.of(
          key("last-known-location.cell-index")
              .booleanType()
              .defaultValue(false)
              .withDescription(
                  "Keep an index on (cell, ts), for who was last seen in a cell. It costs every"
                      + " update."));

  static final Key<Integer> MAX_BULKS_IN_FLIGHT =
      Key.atLeastOne(
          key("last-known-location.max-bulks-in-flight")
              .intType()
              .defaultValue(1)
              .withDescription(
                  "Bulks of one subtask that may wait for an answer at once. Updates keep MongoDB's"
                      + " processors busy, and queries wait behind them: more pays where MongoDB is"
                      + " far away, or has more processors than the job has subtasks, or where few"
                      + " ask and what is newest counts while MongoDB takes a checkpoint."));

  private LastKnownLocationKeys() {}

  static LastKnownLocationOptions read(SettingsReader reader) {
    return new LastKnownLocationOptions(
        reader.get(COLLECTION), reader.get(POSITION_INDEX), reader.get(CELL_INDEX));
  }

  /**
   * How to reach Last Known Location.
   *
   * @param history the same for History, which holds for all that is not given
   */
  static MongoOptions mongo(SettingsReader reader, MongoOptions history) {
    String database = reader.getIfGiven(DATABASE);
    MongoOptions besideHistory = database == null ? history : history.withDatabase(database);
    return reader.convertIfGiven(MONGO_URI, besideHistory::withUri, besideHistory);
  }
}
