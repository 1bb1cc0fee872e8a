package io.lastfix.cli.local;

import io.lastfix.audit.RecordAccount;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.InterruptNotice;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cluster.Installation;
import io.lastfix.operate.demo.DemoResult;
import io.lastfix.operate.demo.DemoRun;
import io.lastfix.operate.demo.Heartbeat;
import io.lastfix.operate.demo.TaxiDrive;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code lastfix demo}: runs everything on the sample data, with an account of every record at the
 * end.
 *
 * <p>It may be run again: records that are already stored count as duplicates.
 */
@Command(
    name = "demo",
    description = {
      "Starts a local stack with a console, replays taxi traces of San Francisco, and shows where three"
          + " of them were last seen. Half of the messages are XML and half JSON, some broken and some"
          + " twice. The taxis that send JSON state their cell, their own position, or"
          + " both. Some cells come later; then lastfix relocate finds the positions of their"
          + " records. At the end it computes all numbers from History, as the replay is faster than"
          + " real time, and shows the cells with the most records. A rule makes an alert each time"
          + " that a taxi leaves the airport.",
      "Leaves everything running, and lets the taxis drive on as if it were today, so that they move"
          + " on the map (not with --json). lastfix down stops it."
    },
    exitCodeList = {"0:done", "1:failed, or the counts do not reconcile", "2:wrong usage"},
    footer = "  lastfix demo")
public final class DemoCommand extends LastfixCommand {

  @Option(
      names = "--json",
      description = "Print the summary as JSON; progress goes to standard error.")
  private boolean json;

  @Option(
      names = "--drive",
      description =
          "Only let the taxis drive as if it were today, five times as fast as they did, until you"
              + " stop it.")
  private boolean drive;

  @Mixin private final EndpointOptions endpoints = new EndpointOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (drive) {
      TaxiDrive.run(endpoints.named());
      return 0;
    }
    return InterruptNotice.during(endpoints.named(), err(), this::run);
  }

  private int run() throws Exception {
    DemoResult result;
    try (Heartbeat progress = new Heartbeat(this::write)) {
      result =
          DemoRun.run(
              endpoints.named(),
              json ? Optional.empty() : Optional.of(spec.root().userObject().getClass()),
              progress);
    }
    out()
        .println(
            json
                ? result.toJson()
                : "\n"
                    + result.toText(System.getProperty(Installation.COMMAND_PROPERTY, "lastfix")));
    RecordAccount account = result.summary().account();
    if (!account.reconciles()) {
      throw new IOException("the counts do not reconcile: " + account.difference());
    }
    return 0;
  }

  private void write(String line) {
    (json ? err() : out()).println(line);
  }
}
