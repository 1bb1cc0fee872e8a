package io.lastfix.operate.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.StackException;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.Group;
import io.lastfix.rules.text.TextException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleGroupsTest {
  private static final String RULE = "{id: a, when: {expr: far}, who: {group: vans}}";

  private static DevicesSnapshot snapshot(String group) {
    DevicesSnapshot snapshot = new DevicesSnapshot();
    snapshot.add(
        new DevicesMessage.OfGroup(
            group, new Group(group, List.of("k1"), List.of(), Instant.EPOCH)));
    return snapshot;
  }

  @Test
  void aGroupThatExistsIsNoProblem() throws TextException {
    assertThat(RuleGroups.problem(RULE, () -> snapshot("vans"))).isEmpty();
  }

  @Test
  void aGroupThatDoesNotExistIsNamed() throws TextException {
    String line =
        "There is no group vans, so the rule is about no user: lastfix group list shows" + " all";

    assertThat(RuleGroups.problem(RULE, () -> snapshot("cabs"))).contains(line);
    assertThat(
            RuleGroups.problem(
                RULE,
                () -> {
                  throw new StackException("there is no topic lastfix.devices");
                }))
        .contains(line);
  }

  @Test
  void aFailureOfKafkaIsNamed() throws TextException {
    assertThat(
            RuleGroups.problem(
                RULE,
                () -> {
                  throw new IOException("no answer");
                }))
        .contains("Whether there is a group vans is not known: no answer");
  }

  @Test
  void aRuleAboutOthersReadsNoGroups() throws TextException {
    assertThat(
            RuleGroups.problem(
                "{id: a, when: {expr: far}, who: {id: b}}",
                () -> {
                  throw new AssertionError("it reads them");
                }))
        .isEmpty();
  }
}
