package io.lastfix.cli.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Prints rows one by one, and buffers as few of them as possible. */
public interface RowWriter {
  /**
   * Prints a row, or buffers it.
   *
   * @param row a sighting, as {@link io.lastfix.store.query.SightingJson} has it; the caller does
   *     not use it any more
   */
  void write(ObjectNode row) throws IOException;

  /**
   * Prints the buffered rows if the query fails; the output then ends after them.
   *
   * @return whether the output has the rows written so far
   */
  boolean breakOff() throws IOException;

  /**
   * Prints the remaining rows.
   *
   * @param about fields about the rows as a whole, for forms that have a place for them
   */
  void finish(ObjectNode about) throws IOException;
}
