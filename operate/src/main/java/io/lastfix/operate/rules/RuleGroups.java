package io.lastfix.operate.rules;

import io.lastfix.cluster.StackException;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.devices.DevicesStore;
import io.lastfix.rules.rule.Who;
import io.lastfix.rules.text.TextException;
import java.io.IOException;
import java.util.Optional;

/**
 * Checks the group that a rule is about. A rule may be put before its group is created, so this is
 * no error.
 */
public final class RuleGroups {
  /** Reads the groups. */
  interface Reader {
    /**
     * Returns what the topic of devices has.
     *
     * @throws StackException if there is no such topic
     */
    DevicesSnapshot read() throws IOException;
  }

  private RuleGroups() {}

  /**
   * Returns a line about a rule's group if there is no such group, or if that is not known.
   *
   * @throws TextException if the text is no rule
   */
  public static Optional<String> problem(String yaml, LocationJobConfig config)
      throws TextException {
    return problem(
        yaml, () -> DevicesStore.read(config.kafka(), config.devices().usageTopic()).snapshot());
  }

  static Optional<String> problem(String yaml, Reader groups) throws TextException {
    if (!(RuleStore.check(yaml).who() instanceof Who.Members members)) {
      return Optional.empty();
    }
    String group = members.group();
    try {
      if (groups.read().hasGroup(group)) {
        return Optional.empty();
      }
    } catch (StackException e) {
      // Without the topic there is no group.
    } catch (IOException e) {
      return Optional.of(
          "Whether there is a group %s is not known: %s".formatted(group, e.getMessage()));
    }
    return Optional.of(
        "There is no group %s, so the rule is about no user: lastfix group list shows all"
            .formatted(group));
  }
}
