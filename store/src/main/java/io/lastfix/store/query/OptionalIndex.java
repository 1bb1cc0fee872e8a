package io.lastfix.store.query;

import org.bson.BsonDocument;

/** An index that a query uses if it exists; without it the query reads the whole collection. */
public enum OptionalIndex {
  /** Index of Last Known Location for queries of the newest positions at a place or in an area. */
  LAST_KNOWN_POSITION("last-known-location.position-index", "{'last.loc': '2dsphere'}"),
  /** Index of Last Known Location for queries of the users last seen in a cell. */
  LAST_KNOWN_CELL("last-known-location.cell-index", "{'last.cell': 1, 'last.ts': 1}"),
  /** Index of Last Known Location for queries of the newest positions of the devices' own. */
  LAST_KNOWN_FIX("last-known-location.fix-index", "{'fix.loc': '2dsphere'}"),
  /** Index of each History partition for queries of the users in a cell. */
  HISTORY_CELL("history.cell-index", "{cell: 1, ts: 1}");

  private final String setting;
  private final String key;

  OptionalIndex(String setting, String key) {
    this.setting = setting;
    this.key = key;
  }

  /** Returns the configuration key that makes the job create the index. */
  public String setting() {
    return setting;
  }

  /** Returns the indexed fields in MongoDB's form. */
  public BsonDocument key() {
    return BsonDocument.parse(key);
  }
}
