package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackHome;
import java.nio.file.Path;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerSiteTest {
  @TempDir private Path directory;

  @Test
  void onlyAnAlertmanagerWithTheStacksOwnSettingsIsAStray() throws Exception {
    ServerSite site = ServerSite.fresh(directory);
    Path own = site.prometheusSettings(AlertmanagerServer.NAME);
    Process left = waiting("--config.file=" + own);
    Process users = waiting("--config.file=" + own.resolveSibling("mine.yml"));
    try {
      Awaitility.await()
          .until(
              () -> RecordedProcess.withArgument(argument -> argument.endsWith("mine.yml")),
              found -> !found.isEmpty());
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(site.strays())
                      .extracting(ProcessHandle::pid)
                      .containsExactly(left.pid()));
    } finally {
      left.destroyForcibly();
      users.destroyForcibly();
    }
  }

  /** It waits for input that never arrives, and has the argument as its name. */
  private static Process waiting(String argument) throws Exception {
    return new ProcessBuilder("sh", "-c", "read line", argument).start();
  }

  @Test
  void whatTheLastStackHadTheNextHasEvenAfterItWasTakenDown() {
    StackHome home = new StackHome(directory);
    StackOptions defaults = StackOptions.defaults(home);
    LastServices.write(
        home,
        new StackOptions(
            home,
            defaults.external(),
            defaults.mongo(),
            1,
            1,
            Set.of(GatewayServer.NAME, PrometheusServer.NAME),
            defaults.readyLimit()));
    LocalStack stack = new LocalStack(home, line -> {});
    stack.down(false);

    StackOptions next = StackOptions.fromLastStart(home);
    StackOptions running = StackOptions.asRunning(home);
    stack.down(true);

    assertThat(next.services())
        .containsExactlyInAnyOrder(GatewayServer.NAME, PrometheusServer.NAME);
    assertThat(running.services()).isEmpty();
    assertThat(StackOptions.fromLastStart(home).services()).as("after a purge").isEmpty();
  }
}
