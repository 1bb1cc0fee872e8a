package io.lastfix.cli.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cluster.StackException;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.rules.KafkaRuleTopic;
import io.lastfix.operate.rules.RuleStore;
import io.lastfix.operate.rules.RuleStore.Change;
import io.lastfix.rules.text.TextException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import picocli.CommandLine.Mixin;

/** The base class of the commands over {@code lastfix.rules}. */
abstract class RulesTopicCommand extends JsonCommand {
  private static final int MAX_BYTES_OF_A_CHARACTER = 4;

  @Mixin private final AccessOptions options = new AccessOptions();

  /** Executes the command, and prints its result. */
  abstract void run(RuleStore store) throws IOException;

  /** Rejects invalid arguments before any server is queried. */
  void check() {}

  /** Whether the topic is created if it is absent. */
  boolean createsTopic() {
    return false;
  }

  @Override
  public final Integer call() throws IOException {
    check();
    LocationJobConfig config = options.load(Servers.Kind.KAFKA);
    String topic = config.rules().topic();
    if (createsTopic()) {
      try (KafkaTopics topics = KafkaTopics.connect(config.kafka())) {
        topics.ensureRules(topic);
      }
    }
    RuleStore store =
        new RuleStore(
            new KafkaRuleTopic(config.kafka(), topic),
            config.pseudonymKey() != null,
            System.getProperty("user.name", "unknown"),
            InstantSource.system());
    sayUnreadable(topic, store.unreadable());
    run(store);
    return 0;
  }

  /**
   * Reads a file, which may be a device without an end.
   *
   * @param maxLength in characters; the text may be longer
   */
  static String text(Path file, int maxLength) {
    int maxBytes = MAX_BYTES_OF_A_CHARACTER * maxLength;
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(maxBytes + 1);
    } catch (IOException e) {
      throw StackException.cannot("read " + file, e);
    }
    if (bytes.length > maxBytes) {
      throw new StackException("%s: expected at most %,d bytes".formatted(file, maxBytes));
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new StackException(file + ": expected UTF-8", e);
    }
  }

  /** The failure of a file's content: in the form that editors and compilers share. */
  static StackException failure(Path file, TextException failure) {
    return new StackException(file + ":" + failure.placed());
  }

  /** Prints a change. */
  final void print(Change change, String words) {
    print(change, List.of(words));
  }
}
