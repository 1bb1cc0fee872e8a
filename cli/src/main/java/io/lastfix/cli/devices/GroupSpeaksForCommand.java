package io.lastfix.cli.devices;

import io.lastfix.gateway.devices.Group;
import io.lastfix.model.UserPatterns;
import io.lastfix.operate.devices.DevicesStore;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code lastfix group speaks-for}: shows or replaces the users that a group's devices may speak
 * for.
 */
@Command(
    name = "speaks-for",
    description = {
      "Shows or replaces the users that each device of a group may send records of, besides itself.",
      "A gateway obeys within a second. Records that it took before keep what was valid then.",
      "The location job compares only if parse.check-users is not 'off'."
    },
    footer = "  lastfix group speaks-for fleet-a --users '35000*,bus-17'")
public final class GroupSpeaksForCommand extends DevicesTopicCommand {
  @Parameters(paramLabel = "GROUP", description = "Name of the group.")
  private String name = "";

  @ArgGroup private @Nullable Change change;

  private static final class Change {
    @Option(
        names = "--users",
        paramLabel = "USERS",
        split = ",",
        description =
            "These and no others, separated by commas. Each is a user, or the beginning of users"
                + " and '*', in quotes.")
    private List<String> users = List.of();

    @Option(names = "--no-other", description = "Each device speaks only for itself.")
    private boolean noOther;
  }

  @Override
  void check() {
    newUsers();
  }

  private @Nullable UserPatterns newUsers() {
    Change wanted = change;
    return wanted == null
        ? null
        : accepted("", () -> wanted.noOther ? UserPatterns.NONE : new UserPatterns(wanted.users));
  }

  @Override
  void run(DevicesStore store) throws IOException {
    Group group = store.snapshot().group(name);
    UserPatterns users = newUsers();
    if (users != null) {
      group = store.put(group.withSpeaksFor(users));
    }
    List<String> spokenFor = group.speaksFor().list();
    print(emptyObject().put("group", name).putPOJO("speaksFor", spokenFor), spokenFor);
    if (!isJson() && spokenFor.isEmpty()) {
      say("Each device of %s speaks only for itself", name);
    }
  }
}
