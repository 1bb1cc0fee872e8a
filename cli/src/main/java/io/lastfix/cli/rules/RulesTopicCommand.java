package io.lastfix.cli.rules;

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
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import picocli.CommandLine.Mixin;

/** The base class of the commands over {@code lastfix.rules}. */
abstract class RulesTopicCommand extends JsonCommand {
  @Mixin private final AccessOptions options = new AccessOptions();

  /** Executes the command, and prints its result. */
  abstract void run(RuleStore store) throws IOException;

  /** Rejects invalid arguments before any server is queried. */
  void check() throws IOException {}

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

  /** The failure of a file's content: in the form that editors and compilers share. */
  static StackException failure(Path file, TextException failure) {
    return new StackException(file + ":" + failure.placed());
  }

  /** Prints a change. */
  final void print(Change change, String words) {
    print(change, List.of(words));
  }
}
