package io.lastfix.store.timeline;

import org.bson.BsonDocument;

/** Numbers of a group of devices. They are not given if the group is too small. */
public interface GroupResult extends StoredResult {
  /** Instead of a number of a group that is too small. */
  int WITHHELD = -1;

  /** Returns how many devices there are; {@link #WITHHELD} for a group below the minimum. */
  int devices();

  /** Returns the numbers as fields of the document. */
  BsonDocument numbers();

  /** Returns true if the group is too small for its numbers to be given. */
  default boolean isWithheld() {
    return devices() == WITHHELD;
  }

  @Override
  default BsonDocument fields() {
    return isWithheld() ? ResultConverter.withheld() : numbers();
  }
}
