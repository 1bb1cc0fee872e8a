package io.lastfix.cli.devices;

import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.EnrolmentToken;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.devices.GroupKeys;
import io.lastfix.model.UserPatterns;
import io.lastfix.stack.StackException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
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
      "The token is printed once; only its hash is stored. Copy the key's file to every gateway."
    })
public final class GroupCreateCommand extends DevicesTopicCommand {
  private static final String FIRST_KEY = "k1";

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
    group(List.of());
  }

  private Group group(List<String> tokens) {
    try {
      return new Group(
          name,
          List.of(FIRST_KEY),
          tokens,
          Instant.now().truncatedTo(ChronoUnit.SECONDS),
          UserPatterns.of(speaksFor));
    } catch (IllegalArgumentException e) {
      throw usageError(String.valueOf(e.getMessage()));
    }
  }

  @Override
  void run(Session session) throws IOException {
    if (session.snapshot().hasGroup(name)) {
      throw new StackException(
          "the group %s exists: lastfix group rotate %s --token makes a new token"
              .formatted(name, name));
    }
    SecureRandom random = new SecureRandom();
    String token = EnrolmentToken.generate(random);
    Path file = createKey(random);
    try {
      session.write(new DevicesMessage.OfGroup(name, group(List.of(EnrolmentToken.hash(token)))));
    } catch (IOException e) {
      // No device has a secret from this key, and the next try needs its name.
      Files.deleteIfExists(file);
      throw e;
    }
    if (isJson()) {
      Map<String, String> result = new LinkedHashMap<>();
      result.put("group", name);
      result.put("token", token);
      result.put("keyFile", file.toString());
      printJson(result);
      return;
    }
    out().println(token);
    err()
        .printf(
            "Group %s is made. Above is its enrolment token, which is stored nowhere. Its key is %s: copy that file to every gateway%n",
            name, file);
  }

  private Path createKey(SecureRandom random) throws IOException {
    try {
      return GroupKeys.create(groupKeys.directory(), name, FIRST_KEY, random);
    } catch (FileAlreadyExistsException e) {
      throw new StackException(
          "%s exists, so there was a group %s before: its devices would be valid again; choose another name, or delete the file if its key was never used"
              .formatted(e.getFile(), name),
          e);
    }
  }
}
