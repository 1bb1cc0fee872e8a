package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.lastknown.LastKnownLocationOptions;

/** The keys {@code last-known-location.}: where it is, and its indexes. */
final class LastKnownLocationKeys {
  static final Key<String> COLLECTION =
      Key.nameText(
          "last-known-location.collection",
          "last_known_location",
          "Collection with one document per user.");

  static final Key<String> MONGO_URI =
      Key.anyText(
              "last-known-location.mongo-uri",
              null,
              "Connection string of the MongoDB of Last Known Location, if it differs from mongo.uri."
                  + " All other 'mongo.' keys apply to both.")
          .secret();

  static final Key<String> DATABASE =
      Key.nameText(
          "last-known-location.database",
          null,
          "Database of Last Known Location, if it differs from mongo.database.");

  static final Key<Boolean> POSITION_INDEX =
      Key.flag(
          "last-known-location.position-index",
          false,
          "Keep an index on the position, for queries of the users near a place. It makes every"
              + " update more expensive.");

  static final Key<Boolean> CELL_INDEX =
      Key.flag(
          "last-known-location.cell-index",
          false,
          "Keep an index on (cell, ts), for queries of the users last seen in a cell. It makes every"
              + " update more expensive.");

  static final Key<Boolean> FIX_INDEX =
      Key.flag(
          "last-known-location.fix-index",
          false,
          "Keep an index on each device's newest own position, for near --fix and within --fix. It"
              + " makes every update that changes it more expensive.");

  static final Key<Integer> MAX_BULKS_IN_FLIGHT =
      Key.atLeastOne(
          "last-known-location.max-bulks-in-flight",
          1,
          "Maximum number of bulks of one subtask in flight. Updates keep MongoDB's processors busy,"
              + " and queries wait behind them. More bulks help if MongoDB is far away, or has more"
              + " processors than the job has subtasks. They also help if the query load is low and"
              + " positions must stay fresh while MongoDB takes a checkpoint.");

  private LastKnownLocationKeys() {}

  /** Requires another name for a collection than that of another key in the same database. */
  static void requireOther(SettingsReader reader, Key<String> collection, Key<String> other) {
    reader.require(
        !reader.get(collection).equals(reader.get(other)),
        collection,
        "another name than " + other.name());
  }

  static LastKnownLocationOptions read(SettingsReader reader) {
    return new LastKnownLocationOptions(
        reader.get(COLLECTION),
        reader.get(POSITION_INDEX),
        reader.get(CELL_INDEX),
        reader.get(FIX_INDEX));
  }

  /**
   * Returns the connection of Last Known Location.
   *
   * @param history the connection of History, which applies to everything not configured here
   */
  static MongoOptions mongo(SettingsReader reader, MongoOptions history) {
    String database = reader.getIfGiven(DATABASE);
    MongoOptions besideHistory = database == null ? history : history.withDatabase(database);
    return reader.convert(MONGO_URI, besideHistory::withUri, besideHistory);
  }
}
