package io.lastfix.operate.demo;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackHome;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.local.EndpointOverrides;
import io.lastfix.local.LocalStack;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.workload.DrivingTaxis;
import io.lastfix.workload.MessageSender;
import io.lastfix.workload.Pacer;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lets the taxis of the demo drive as if it were today. */
public final class TaxiDrive {
  /** How many times as fast as in 2008: some taxi moves in each second. */
  private static final int SPEED = 5;

  private TaxiDrive() {}

  /**
   * Sends their records until the process is stopped.
   *
   * @param named the user's own servers
   */
  public static void run(EndpointOverrides named) throws Exception {
    LocationJobConfig config =
        new JobSettings(Installation.config(DemoRun.CONFIG), List.of())
            .load(Servers.resolve(named), Servers.Kind.KAFKA);
    try (DrivingTaxis taxis = DemoRun.readSample().driving(SPEED);
        MessageSender sender = DemoRun.sender(config)) {
      sender.send(taxis, Pacer.unlimited(), sent -> {});
    }
  }

  /**
   * Starts a process of its own, which ends with the stack.
   *
   * @param mainClass of the {@code lastfix} command
   */
  static void start(Class<?> mainClass) {
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
                mainClass.getName(),
                "demo",
                "--drive"));
  }

  /**
   * Returns the class path with a folder of jars as one entry: of a longer command line the system
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
}
