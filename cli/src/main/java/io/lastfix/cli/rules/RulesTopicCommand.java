package io.lastfix.cli.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cluster.StackException;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.rules.RuleStore;
import io.lastfix.rules.follow.AppliedReader;
import io.lastfix.rules.text.TextException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import picocli.CommandLine.Mixin;

/** The base class of the commands over {@code lastfix.rules}. */
abstract class RulesTopicCommand extends JsonCommand {
  private static final int MAX_BYTES_OF_A_CHARACTER = 4;

  @Mixin private final AccessOptions options = new AccessOptions();

  private LocationJobConfig config;

  /** Executes the command, prints its result, and returns the exit code. */
  abstract int run(RuleStore store) throws IOException;

  /** Rejects invalid arguments before any server is queried. */
  void check() {}

  /** Whether the topic is created if it is absent. */
  boolean createsTopic() {
    return false;
  }

  @Override
  public final Integer call() throws IOException {
    check();
    config = options.load(Servers.Kind.KAFKA);
    RuleStore store = RuleStore.open(config, createsTopic());
    sayUnreadable(config.rules().topic(), store.unreadable());
    return run(store);
  }

  /** Returns the configuration that the command has loaded. */
  final LocationJobConfig config() {
    return config;
  }

  /** Opens what the rules job acknowledges. */
  final AppliedReader applied(Instant since) {
    return new AppliedReader(
        config.kafka().clientProperties(), config.rules().appliedTopic(), since);
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
}
