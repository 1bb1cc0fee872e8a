package io.lastfix.rules.topic;

import java.io.IOException;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Writes to {@code lastfix.rules}. Of two that write the same key concurrently, each gets a version
 * that the other one does not have: both read back. The writer of the first message of a version
 * keeps it; the other one writes again with the next version.
 */
public final class RulePublisher {
  private static final int MOST_ATTEMPTS = 10;

  private final RuleTopic topic;
  private RuleBook book;
  private long end;
  private final List<String> unreadable;

  /** Reads the topic. */
  public RulePublisher(RuleTopic topic) throws IOException {
    this.topic = topic;
    RuleTopic.Reading reading = topic.read(0);
    book = RuleBook.EMPTY.with(reading.messages());
    end = reading.end();
    unreadable = reading.unreadable();
  }

  /** Returns the topic's content after the last read or write. */
  public RuleBook book() {
    return book;
  }

  /** Returns which messages could not be read, and why. */
  public List<String> unreadable() {
    return unreadable;
  }

  /**
   * Writes a message with the next version of its key.
   *
   * @param key of the message
   * @param message makes the message of a version
   * @return the version
   * @throws IOException if Kafka does not acknowledge it, or others write the key all the time
   */
  public long publish(String key, LongFunction<RuleMessage> message) throws IOException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      RuleMessage mine = message.apply(book.nextVersion(key));
      if (write(mine)) {
        return mine.version();
      }
    }
    throw new IOException(
        "%s was written %d times, each time after another program: run the command again"
            .formatted(key, MOST_ATTEMPTS));
  }

  /**
   * Pauses a version of a rule. Of several pauses of a version the last one counts, so it needs no
   * version of its own.
   */
  public void pause(RuleMessage.OfPause pause) throws IOException {
    var unused = write(pause);
  }

  /** Returns whether this message is the first of its version. */
  private boolean write(RuleMessage mine) throws IOException {
    topic.write(mine);
    RuleTopic.Reading since = topic.read(end);
    book = book.with(since.messages());
    end = since.end();
    return since.messages().stream()
        .map(StoredMessage::message)
        .filter(other -> other.key().equals(mine.key()) && other.version() == mine.version())
        .findFirst()
        .map(mine::equals)
        .orElse(false);
  }
}
