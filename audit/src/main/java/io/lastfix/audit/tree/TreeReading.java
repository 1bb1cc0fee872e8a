package io.lastfix.audit.tree;

import java.util.List;

/**
 * The content of one message.
 *
 * @param records in the order of the message
 * @param problems one for each unreadable record, or one for the message; they quote nothing from
 *     it
 */
public record TreeReading(List<FoundRecord> records, List<String> problems) {
  public TreeReading {
    records = List.copyOf(records);
    problems = List.copyOf(problems);
  }
}
