package io.lastfix.store.query;

/** The two positions of each device in Last Known Location; a query of a place selects by one. */
public enum NewestPosition {
  /** The newest of all; every device has one. */
  OF_ALL("last", OptionalIndex.LAST_KNOWN_POSITION),
  /** The newest of the device's own, not its cell's. */
  OWN("fix", OptionalIndex.LAST_KNOWN_FIX);

  private final String field;
  private final OptionalIndex index;

  NewestPosition(String field, OptionalIndex index) {
    this.field = field;
    this.index = index;
  }

  /** Returns {@link #OWN} or {@link #OF_ALL}. */
  public static NewestPosition of(boolean own) {
    return own ? OWN : OF_ALL;
  }

  String field() {
    return field;
  }

  /** Returns the field with longitude and latitude. */
  String location() {
    return field + ".loc";
  }

  /** Returns the index on {@link #location()}. */
  OptionalIndex index() {
    return index;
  }
}
