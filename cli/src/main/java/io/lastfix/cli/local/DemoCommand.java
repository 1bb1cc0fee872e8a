package io.lastfix.cli.local;

import io.lastfix.audit.RecordAccount;
import io.lastfix.catalogs.CellFile;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.InterruptNotice;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.Servers;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.stack.Installation;
import io.lastfix.stack.LocalStack;
import io.lastfix.stack.StackHome;
import io.lastfix.workload.DrivingTaxis;
import io.lastfix.workload.MessageSender;
import io.lastfix.workload.Pacer;
import io.lastfix.workload.PushProgress;
import io.lastfix.workload.SampleData;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lastfix demo}: runs everything on the sample data, with an account of every record at the
 * end.
 *
 * <p>It may be run again: records that are already stored count as duplicates.
 */
@Command(
    name = "demo",
    description = {
      "Starts a local stack with a console, loads San Francisco's cells, replays a slice of its taxis' traces,"
          + " half as XML and half as JSON, some broken and some twice, and shows where three of"
          + " them were last seen. The taxis that send JSON state their cell, their own position, or"
          + " both. Some cells come later; then lastfix relocate finds the positions of their"
          + " records. At the end it computes all numbers from History, as the replay is faster than"
          + " real time, and shows the cells with the most records.",
      "Leaves everything running, and lets the taxis drive on as if it were today, so that they move"
          + " on the map (not with --json); lastfix down stops it."
    })
public final class DemoCommand extends LastfixCommand {

  /** The job's configuration, in {@code config/}. */
  static final String CONFIG = "demo.yaml";

  /** Of the package above, which this one may not name. */
  private static final String MAIN_CLASS = "io.lastfix.cli.Lastfix";

  /** How many times as fast as in 2008: some taxi moves in each second. */
  private static final int DRIVEN_SPEED = 5;

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

  @Mixin private EndpointOptions endpoints = new EndpointOptions();

  @Override
  public Integer call() throws Exception {
    if (drive) {
      drive();
      return 0;
    }
    return InterruptNotice.during(endpoints.overrides().orFrom(System.getenv()), err(), this::run);
  }

  private void drive() throws Exception {
    JobSettings settings = JobSettings.of(Installation.config(CONFIG));
    LocationJobConfig config = settings.load(Servers.resolve(endpoints), Servers.Kind.KAFKA);
    try (DrivingTaxis taxis = sample().driving(DRIVEN_SPEED);
        MessageSender sender =
            new MessageSender(
                MessageSender.newProducer(config.kafka().clientProperties()),
                message -> config.kafka().locationTopic(message.format().profile()))) {
      sender.send(taxis, Pacer.unlimited(), PushProgress.silent());
    }
  }

  static SampleData sample() throws IOException {
    Path folder = Installation.config("sample");
    return new SampleData(folder, CellFile.read(SampleData.cellsFile(folder)));
  }

  /** In a process of its own, which ends with the stack. */
  static void startToDrive() {
    new LocalStack(StackHome.ofThisProcess(), line -> {})
        .startBeside(
            "taxis",
            List.of(
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-D%s=%s".formatted(Installation.ROOT_PROPERTY, Installation.root()),
                "-cp",
                shortened(System.getProperty("java.class.path")),
                MAIN_CLASS,
                "demo",
                "--drive"));
  }

  /**
   * The same class path with a folder of jars as one entry: of a longer command line the system
   * shows nothing, and the stack would not find its process.
   */
  static String shortened(String classPath) {
    Map<String, List<String>> byFolder =
        Arrays.stream(classPath.split(File.pathSeparator, -1))
            .collect(
                Collectors.groupingBy(
                    entry -> String.valueOf(Path.of(entry).getParent()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return byFolder.entrySet().stream()
        .flatMap(
            folder ->
                folder.getValue().size() > 1
                        && folder.getValue().stream().allMatch(it -> it.endsWith(".jar"))
                    ? Stream.of(folder.getKey() + File.separator + "*")
                    : folder.getValue().stream())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private int run() throws Exception {
    DemoResult result;
    try (Heartbeat progress = new Heartbeat(this::write)) {
      result = DemoRun.run(endpoints, !json, progress);
    }
    out()
        .println(
            json
                ? result.toJson()
                : "\n"
                    + result.toText(System.getProperty(Installation.COMMAND_PROPERTY, "lastfix")));
    out().flush();
    RecordAccount account = result.summary().account();
    if (!account.reconciles()) {
      throw new IOException("the counts do not reconcile: " + account.difference());
    }
    return 0;
  }

  private void write(String line) {
    PrintWriter writer = json ? err() : out();
    writer.println(line);
    writer.flush();
  }
}
