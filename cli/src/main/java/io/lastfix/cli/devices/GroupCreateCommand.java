package io.lastfix.cli.devices;

import io.lastfix.gateway.devices.Group;
import io.lastfix.model.UserPatterns;
import io.lastfix.operate.devices.DevicesStore;
import io.lastfix.operate.devices.NewGroup;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix group create}: makes a group, its key and its enrolment token. */
@Command(
    name = "create",
    description = {
      "Makes a group of devices: writes its key to a file, and prints its enrolment token.",
      "The token is printed once; only its hash is stored. Copy the key's file to every gateway.",
      "If Kafka does not confirm that the group is stored, the key stays: run the command again."
    },
    footer = "  lastfix group create fleet-a --speaks-for '35000*'")
public final class GroupCreateCommand extends DevicesTopicCommand {
  @Parameters(paramLabel = "GROUP", description = "Name: a-z, 0-9 and dashes, 64 at most.")
  private String name = "";

  @Option(
      names = "--speaks-for",
      paramLabel = "USERS",
      split = ",",
      description =
          "Users that each device of the group may send records of, besides itself; separated by"
              + " commas. Each is a user, or the beginning of users and '*', in quotes.")
  private List<String> speaksFor = List.of();

  @Mixin private final GroupKeyOptions groupKeys = new GroupKeyOptions();

  @Override
  boolean createsTopic() {
    return true;
  }

  @Override
  void check() {
    // Before the topic is created.
    group();
  }

  private Group group() {
    return accepted(
        "",
        () ->
            new Group(
                name,
                List.of(NewGroup.FIRST_KEY),
                List.of(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                new UserPatterns(speaksFor),
                Map.of()));
  }

  @Override
  void run(DevicesStore store) throws IOException {
    NewGroup.Made made =
        new NewGroup(groupKeys.directory(), new SecureRandom(), store::write)
            .make(store.snapshot(), group());
    if (isJson()) {
      printJson(
          emptyObject()
              .put("group", name)
              .put("token", made.token())
              .put("keyFile", made.keyFile().toString()));
      return;
    }
    out().println(made.token());
    say(
        "Group %s is made. Above is its enrolment token, which is stored nowhere. Its key is %s: copy that file to every gateway",
        name, made.keyFile());
  }
}
