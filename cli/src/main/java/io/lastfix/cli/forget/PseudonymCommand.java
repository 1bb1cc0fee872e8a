package io.lastfix.cli.forget;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.erasure.PseudonymKey;
import io.lastfix.store.erasure.Pseudonyms;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix pseudonym}: prints a user's stored name in both collections. */
@Command(
    name = "pseudonym",
    description = {
      "Prints the pseudonym under which the job stores a user.",
      "The command computes it with privacy.pseudonym-key of the configuration, and needs no"
          + " server."
    })
public final class PseudonymCommand extends LastfixCommand {
  @Parameters(paramLabel = "USER", description = "The device or subscriber, as messages name it.")
  private String user = "";

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private final JobSettings settings = new JobSettings();

  @Override
  public Integer call() throws IOException {
    LocationJobConfig config = settings.loadForNoServer();
    PseudonymKey key = config.pseudonymKey();
    if (key == null) {
      throw new IOException(
          "the configuration has no privacy.pseudonym-key: users are stored under their own ids");
    }
    String pseudonym = new Pseudonyms(key).of(user);
    out()
        .println(
            json ? JsonNodeFactory.instance.objectNode().put("pseudonym", pseudonym) : pseudonym);
    out().flush();
    return 0;
  }
}
