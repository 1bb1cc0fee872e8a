package io.lastfix.audit.tree;

import java.util.List;

/**
 * The content of one message.
 *
 * @param records in the order of the message
 * @param problems one for each unreadable record, or one for the message; they quote nothing from
 *     it
 * @param notRecords the number of what the profile knows to be no record
 */
public record TreeReading(List<FoundRecord> records, List<String> problems, long notRecords) {
  public TreeReading {
    records = List.copyOf(records);
    problems = List.copyOf(problems);
  }
}
