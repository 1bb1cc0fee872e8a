package io.lastfix.rules.follow;

import java.io.IOException;
import java.util.List;

/** Reads what subtasks acknowledge. */
public interface AppliedReadings extends AutoCloseable {
  /**
   * Returns the messages since the last call, up to the end that the topic has now: none if there
   * is no such topic. Unreadable messages are left out.
   *
   * @throws IOException if Kafka does not answer or refuses; has the remedy
   */
  List<Applied> read() throws IOException;

  @Override
  void close();
}
