package io.lastfix.console.health;

/** Reads a part of the health. At most one call of a part runs at a time. */
public interface HealthReader {
  /** Returns the fields of the part: a record, a map, or an object of JSON. */
  Object read() throws Exception;
}
