package io.lastfix.rules.topic;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Writes to {@code lastfix.rules}. Of two that write the same key concurrently, each gets a version
 * that the other one does not have: both read back. The writer of the first message of a version
 * keeps it; the other one writes again with the next version.
 *
 * <p>A message that arrives late may be the last of its key with a version that does not count, and
 * its writer may be dead. Compaction would keep it. So a writer that finds this after its own write
 * repeats the message that counts, with the same version: it cannot replace a newer one of another
 * writer, and a pause of that version stays.
 */
public final class RulePublisher {
  private static final int MOST_ATTEMPTS = 10;

  private final RuleTopic topic;
  private RuleBook book = RuleBook.EMPTY;
  private long end;
  private long offset;
  private final List<String> skipped;

  /** Reads the topic. */
  public RulePublisher(RuleTopic topic) throws IOException {
    this.topic = topic;
    skipped = read(message -> {});
  }

  /** Reads what is new, and returns which messages were skipped. */
  private List<String> read(Consumer<StoredMessage> observer) throws IOException {
    RuleBook.Builder builder = book.toBuilder();
    RuleTopic.Reading reading =
        topic.read(
            end,
            message -> {
              builder.add(message);
              offset = message.offset() + 1;
              observer.accept(message);
            });
    book = builder.build();
    end = reading.end();
    return reading.skipped();
  }

  /** Returns the topic's content after the last read or write. */
  public RuleBook book() {
    return book;
  }

  /**
   * Returns the offset after the last message that was read or written: a program that has read up
   * to it has read all of {@link #book}. The topic's end may be later, since a transaction leaves a
   * marker there.
   */
  public long offset() {
    return offset;
  }

  /** Returns which messages could not be read, and why. */
  public List<String> unreadable() {
    List<String> unreadable = new ArrayList<>(skipped);
    book.unreadable().forEach(message -> unreadable.add(message.words()));
    return unreadable;
  }

  /**
   * Writes a message with the next version of its key.
   *
   * @param key of the message
   * @param message makes the message of a version
   * @return the version
   * @throws IOException if Kafka does not acknowledge it, or others write the key all the time
   * @throws IllegalStateException if this release cannot read the key's message, unless that is to
   *     be deleted; has the remedy
   */
  public long publish(String key, LongFunction<RuleMessage> message) throws IOException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      RuleMessage mine = message.apply(book.nextVersion(key));
      if (!mine.isDeletion()) {
        book.requireReadable(key);
      }
      if (write(mine)) {
        keep(key);
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
    keep(pause.key());
  }

  /** Returns whether this message is the first of its version. */
  private boolean write(RuleMessage mine) throws IOException {
    topic.write(mine);
    List<RuleMessage> ofVersion = new ArrayList<>();
    var unused =
        read(
            stored -> {
              RuleMessage message = stored.message();
              if (message.key().equals(mine.key()) && message.version() == mine.version()) {
                ofVersion.add(message);
              }
            });
    return !ofVersion.isEmpty() && ofVersion.get(0).equals(mine);
  }

  /** Makes the message that counts the last one of its key, unless others prevent it. */
  private void keep(String key) throws IOException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      Optional<RuleMessage> endangered = book.endangered(key);
      if (endangered.isEmpty()) {
        return;
      }
      var unused = write(endangered.get());
    }
  }
}
