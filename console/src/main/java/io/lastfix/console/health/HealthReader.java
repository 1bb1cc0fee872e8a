package io.lastfix.console.health;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Reads a part of the health. At most one call of a part runs at a time. */
public interface HealthReader {
  /** Returns the fields of the part. */
  ObjectNode read() throws Exception;
}
