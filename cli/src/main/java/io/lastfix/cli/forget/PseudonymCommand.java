package io.lastfix.cli.forget;

import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.common.SettingsOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.erasure.PseudonymKey;
import io.lastfix.store.erasure.Pseudonyms;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lastfix pseudonym}: prints a user's stored name in both collections. */
@Command(
    name = "pseudonym",
    description = {
      "Prints the pseudonym under which the job stores a user.",
      "The command computes it with privacy.pseudonym-key of the configuration, and needs no"
          + " server."
    },
    footer = "  lastfix pseudonym ashgati --config location.yaml")
public final class PseudonymCommand extends JsonCommand {
  @Parameters(paramLabel = "USER", description = "The device or subscriber, as messages name it.")
  private String user = "";

  @Mixin private final SettingsOptions options = new SettingsOptions();

  @Override
  public Integer call() throws IOException {
    LocationJobConfig config = options.settings().loadForNoServer();
    PseudonymKey key = config.pseudonymKey();
    if (key == null) {
      throw new IOException(
          "the configuration has no privacy.pseudonym-key: users are stored under their own ids");
    }
    String pseudonym = new Pseudonyms(key).of(user);
    print(emptyObject().put("pseudonym", pseudonym), pseudonym);
    return 0;
  }
}
