package io.lastfix.cli.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Prints rows one by one, holding no more of them than it must. */
public interface RowWriter {
  /** Prints one, or keeps it until there are more. */
  void write(Row row) throws IOException;

  /**
   * Prints what is left.
   *
   * @param about what to say of the rows as a whole, for forms that have a place for it
   */
  void finish(ObjectNode about) throws IOException;
}
