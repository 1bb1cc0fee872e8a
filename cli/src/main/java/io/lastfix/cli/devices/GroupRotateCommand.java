package io.lastfix.cli.devices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.gateway.devices.EnrolmentToken;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.devices.GroupKeys;
import io.lastfix.operate.devices.DevicesStore;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
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
  void run(DevicesStore store) throws IOException {
    Group group = store.snapshot().group(name);
    if (kind.token) {
      String token = EnrolmentToken.generate(new SecureRandom());
      print(
          store.put(group.withToken(EnrolmentToken.hash(token))),
          token,
          null,
          "The previous token enrols no device any more; above is the new one");
    } else if (kind.dropPrevious) {
      Group changed = store.put(group.withCurrentKeyOnly(Instant.now()));
      print(changed, null, null, "Only secrets of %s are valid".formatted(changed.currentKey()));
    } else {
      Path file =
          GroupKeys.prepare(groupKeys.directory(), name, group.nextKey(), new SecureRandom());
      if (kind.prepare) {
        print(
            group,
            null,
            file,
            "The next key is %s: copy that file to every gateway, then run lastfix group rotate %s"
                .formatted(file, name));
      } else {
        Group changed = store.put(group.withNextKey(Instant.now()));
        print(
            changed,
            null,
            file,
            "New secrets are of %s; those of %s stay valid. Each gateway needs the key %s: copy that file to those that lack it"
                .formatted(changed.currentKey(), group.currentKey(), file));
      }
    }
  }

  private void print(Group group, @Nullable String token, @Nullable Path file, String words) {
    ObjectNode result = emptyObject().put("group", name).putPOJO("keys", group.keys());
    if (token != null) {
      result.put("token", token);
    }
    if (file != null) {
      result.put("keyFile", file.toString());
    }
    print(result, token == null ? List.of() : List.of(token));
    if (!isJson()) {
      say(words);
    }
  }
}
