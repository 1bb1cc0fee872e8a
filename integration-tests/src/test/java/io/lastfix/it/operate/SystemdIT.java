package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Volume;
import io.lastfix.cluster.Installation;
import io.lastfix.it.harness.NeedsDockerImage;
import io.lastfix.it.harness.TestImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * The archive's systemd units, installed by the commands of docs/operate/install.md, "As services",
 * in a container whose first process is systemd, beside a local stack that the same user has
 * started.
 */
@NeedsDockerImage(TestImage.SYSTEMD)
@EnabledOnOs(OS.LINUX)
class SystemdIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final Pattern COMMANDS =
      Pattern.compile("## As services\n.*?```sh\n(.*?)```.*?```sh\n(.*?)```", Pattern.DOTALL);

  private static GenericContainer<?> machine;

  @BeforeAll
  static void install() throws Exception {
    Path archive = archive();
    machine =
        new GenericContainer<>(DockerImageName.parse(TestImage.SYSTEMD.reference()))
            .withCommand("/lib/systemd/systemd")
            .withCopyFileToContainer(
                MountableFile.forHostPath(archive), "/root/" + archive.getFileName())
            .withTmpFs(Map.of("/run", "rw", "/tmp", "rw"))
            .withCreateContainerCmdModifier(
                command ->
                    command
                        .getHostConfig()
                        .withCapAdd(Capability.SYS_ADMIN)
                        .withSecurityOpts(List.of("seccomp=unconfined"))
                        .withBinds(
                            new Bind(
                                "/sys/fs/cgroup", new Volume("/sys/fs/cgroup"), AccessMode.rw)));
    machine.start();
    await("systemd runs")
        .atMost(LIMIT)
        .until(
            () ->
                List.of("running\n", "degraded\n")
                    .contains(run("systemctl is-system-running || true")));
    Matcher page =
        COMMANDS.matcher(Files.readString(Installation.root().resolve("docs/operate/install.md")));
    assertThat(page.find()).as("the commands of the page").isTrue();
    String version = archive.getFileName().toString().replaceAll("^lastfix-(.*)\\.tar\\.gz$", "$1");
    run("cd /root && " + page.group(1).strip().replace("<version>", version).replace("\n", " && "));
    // In place of an operator's own servers.
    run(
        "install -d -o lastfix -m 700 /var/lib/lastfix && runuser -u lastfix -- env LASTFIX_HOME=/var/lib/lastfix /opt/lastfix/bin/lastfix up");
    run(page.group(2));
  }

  private static Path archive() throws IOException {
    try (Stream<Path> files = Files.list(Installation.root().resolve("dist/target"))) {
      return files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
    }
  }

  @AfterAll
  static void stop() {
    if (machine != null) {
      machine.close();
    }
  }

  @Test
  void theGatewayAndTheConsoleAnswerAndEachServiceOfALostProcessComesBack() throws Exception {
    for (String unit : List.of("gateway", "console", "supervise")) {
      await(unit + " runs").atMost(LIMIT).until(() -> state(unit).equals("active"));
    }
    awaitAnswer("http://127.0.0.1:8480/ready");
    awaitAnswer("http://127.0.0.1:8490/");
    String before = mainProcess("gateway");

    run("kill -9 " + before);

    await("the gateway is another process")
        .atMost(LIMIT)
        .until(() -> !List.of(before, "0").contains(mainProcess("gateway")));
    awaitAnswer("http://127.0.0.1:8480/ready");
    assertThat(run("systemctl show -P NRestarts lastfix@supervise lastfix@console"))
        .as("restarts of the others")
        .matches("0\\s+0\\s+");
    assertThat(run("stat -c %a /var/lib/lastfix")).isEqualTo("700\n");
  }

  private static String state(String unit) throws Exception {
    return run("systemctl is-active lastfix@%s || true".formatted(unit)).strip();
  }

  private static String mainProcess(String unit) throws Exception {
    return run("systemctl show -P MainPID lastfix@" + unit).strip();
  }

  private static void awaitAnswer(String url) {
    await(url)
        .atMost(LIMIT)
        .until(
            () ->
                machine
                        .execInContainer("curl", "-s", "-f", "-m", "10", "-o", "/dev/null", url)
                        .getExitCode()
                    == 0);
  }

  private static String run(String commands) throws Exception {
    ExecResult result = machine.execInContainer("bash", "-c", commands);
    assertThat(result.getExitCode())
        .as("%s%n%s%n%s", commands, result.getStdout(), result.getStderr())
        .isZero();
    return result.getStdout();
  }
}
