package io.lastfix.cli.devices;

import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.EnrolmentToken;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.devices.GroupKeys;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix group rotate}: replaces a group's key, or its token. */
@Command(
    name = "rotate",
    description = {
      "Replaces a group's key. Secrets of the key before stay valid until the next rotation.",
      "First run it with --prepare and copy the new file to every gateway, so that none lacks it."
    },
    footer = "  lastfix group rotate fleet-a --prepare")
public final class GroupRotateCommand extends DevicesTopicCommand {
  @Parameters(paramLabel = "GROUP", description = "Name of the group.")
  private String name = "";

  @ArgGroup private Kind kind = new Kind();

  private static final class Kind {
    @Option(
        names = "--prepare",
        description = "Only write the file of the next key, which the next rotation uses.")
    private boolean prepare;

    @Option(
        names = "--drop-previous",
        description = "Only end the validity of the key before, and so of its secrets.")
    private boolean dropPrevious;

    @Option(
        names = "--token",
        description = "Only replace the enrolment token; registered devices are not affected.")
    private boolean token;
  }

  @Mixin private final GroupKeyOptions groupKeys = new GroupKeyOptions();

  @Override
  void run(Session session) throws IOException {
    Group group = session.snapshot().group(name);
    if (kind.token) {
      String token = EnrolmentToken.generate(new SecureRandom());
      Group changed = group.withToken(EnrolmentToken.hash(token));
      session.write(new DevicesMessage.OfGroup(name, changed));
      print(
          changed,
          token,
          null,
          "The previous token enrols no device any more; above is the new one");
    } else if (kind.dropPrevious) {
      Group changed = group.withCurrentKeyOnly(Instant.now());
      session.write(new DevicesMessage.OfGroup(name, changed));
      print(changed, null, null, "Only secrets of %s are valid".formatted(changed.currentKey()));
    } else {
      Path file = createNextKey(group);
      if (kind.prepare) {
        print(
            group,
            null,
            file,
            "The next key is %s: copy that file to every gateway, then run lastfix group rotate %s"
                .formatted(file, name));
      } else {
        Group changed = group.withNextKey(Instant.now());
        session.write(new DevicesMessage.OfGroup(name, changed));
        print(
            changed,
            null,
            file,
            "New secrets are of %s; those of %s stay valid. Each gateway needs the key %s: copy that file to those that lack it"
                .formatted(changed.currentKey(), group.currentKey(), file));
      }
    }
  }

  /** Writes the key's file, unless it was prepared. A prepared one has to hold a key. */
  private Path createNextKey(Group group) throws IOException {
    Path directory = groupKeys.directory();
    try {
      return GroupKeys.create(directory, name, group.nextKey(), new SecureRandom());
    } catch (FileAlreadyExistsException e) {
      return GroupKeys.requireKey(directory, name, group.nextKey());
    }
  }

  private void print(Group group, @Nullable String token, @Nullable Path file, String words) {
    if (isJson()) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("group", name);
      result.put("keys", group.keys());
      if (token != null) {
        result.put("token", token);
      }
      if (file != null) {
        result.put("keyFile", file.toString());
      }
      printJson(result);
      return;
    }
    if (token != null) {
      out().println(token);
    }
    say(words);
  }
}
