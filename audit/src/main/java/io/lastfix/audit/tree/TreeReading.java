package io.lastfix.audit.tree;

import java.util.List;

/**
 * What was found in one message.
 *
 * @param records in the order in which they stand there
 * @param problems one for each record that could not be read, or one for the message; they hold
 *     nothing of what the message says
 */
public record TreeReading(List<FoundRecord> records, List<String> problems) {
  public TreeReading {
    records = List.copyOf(records);
    problems = List.copyOf(problems);
  }
}
