package io.lastfix.store.query;

import org.bson.BsonDocument;

/** An index that a question is answered by if it is there, and without which all is read. */
public enum OptionalIndex {
  /** Of Last Known Location, for what is near a place or in an area. */
  LAST_KNOWN_POSITION("last-known-location.position-index", "{'last.loc': '2dsphere'}"),
  /** Of Last Known Location, for who was last seen in a cell. */
  LAST_KNOWN_CELL("last-known-location.cell-index", "{'last.cell': 1, 'last.ts': 1}"),
  /** Of each partition of History, for who was in a cell over a time. */
  HISTORY_CELL("history.cell-index", "{cell: 1, ts: 1}");

  private final String setting;
  private final String key;

  OptionalIndex(String setting, String key) {
    this.setting = setting;
    this.key = key;
  }

  /** The key of the job's configuration that has it made. */
  public String setting() {
    return setting;
  }

  /** What it indexes, as MongoDB writes it. */
  public BsonDocument key() {
    return BsonDocument.parse(key);
  }
}
