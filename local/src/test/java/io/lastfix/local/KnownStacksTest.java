package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.Latches;
import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackLock;
import io.lastfix.cluster.StackState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownStacksTest {
  private static final int MONGOD_PORT = PortsTest.free();

  @TempDir private Path directory;
  private final List<String> warnings = new ArrayList<>();

  @Test
  void aPortOfAStackThatIsUpBelongsToItWhileItsServerIsDown() {
    choosePort("first", processThatRuns());

    assertThat(stacks("second").portsOfOthers()).containsExactly(MONGOD_PORT);
    assertThat(new Ports(stacks("second")::portsOfOthers).choose(MONGOD_PORT))
        .isNotEqualTo(MONGOD_PORT);
    assertThat(new Ports(stacks("first")::portsOfOthers).choose(MONGOD_PORT))
        .isEqualTo(MONGOD_PORT);
  }

  @Test
  void aStackThatACommandStartsIsUpBeforeItsFirstProcess() {
    choosePort("first", List.of());

    assertThat(stacks("second").portsOfOthers()).isEmpty();
    StackLock.holding(
        home("first"),
        Duration.ZERO,
        () -> assertThat(stacks("second").portsOfOthers()).containsExactly(MONGOD_PORT));
    assertThat(stacks("second").portsOfOthers()).isEmpty();
  }

  @Test
  void twoStacksThatBeginAtOnceChooseOneAfterTheOther() throws Exception {
    CountDownLatch chooses = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CompletableFuture<Void> first =
        CompletableFuture.runAsync(
            () ->
                stacks("first")
                    .whileNoOtherChooses(
                        () -> {
                          chooses.countDown();
                          Latches.await(mayEnd);
                          return write("first", processThatRuns());
                        }));
    Latches.await(chooses);
    CompletableFuture<Integer> second =
        CompletableFuture.supplyAsync(
            () ->
                stacks("second")
                    .whileNoOtherChooses(
                        () -> new Ports(stacks("second")::portsOfOthers).choose(MONGOD_PORT)));
    Awaitility.await().during(Duration.ofMillis(300)).until(() -> !second.isDone());
    mayEnd.countDown();

    first.get(1, TimeUnit.MINUTES);
    assertThat(second.get(1, TimeUnit.MINUTES)).isNotEqualTo(MONGOD_PORT);
    assertThat(warnings).isEmpty();
  }

  @Test
  void aStackWithoutItsStateOrThatWasForgottenHasNoPorts() throws Exception {
    choosePort("first", processThatRuns());
    choosePort("third", processThatRuns());
    Files.delete(home("first").stateFile());
    stacks("third").forget();

    assertThat(stacks("second").portsOfOthers()).isEmpty();
    Files.delete(home("first").lockFile());
    Files.delete(home("first").root());
    assertThat(stacks("second").portsOfOthers()).isEmpty();
    assertThat(home("first").root()).doesNotExist();
    stacks("second").forget();
    assertThat(Files.readAllLines(directory.resolve("state/lastfix/stacks"))).isEmpty();
  }

  @Test
  void aStackThatIsUpKeepsItsPortAlsoIfAnotherOneHasHadIt() {
    choosePort("first", processThatRuns());
    choosePort("second", processThatRuns());
    StackState before = StackState.read(home("first")).orElseThrow();

    assertThat(
            new ServerSite(home("first"), before, stacks("first"))
                .port("mongod-0", "mongod-0", Ports.ANY))
        .isEqualTo(MONGOD_PORT);
  }

  @Test
  void aStackDoesNotHinderItselfByALinkToItsHome() throws Exception {
    choosePort("first", processThatRuns());
    Files.createSymbolicLink(directory.resolve("link"), home("first").root());

    assertThat(stacks("link").portsOfOthers()).isEmpty();
  }

  /** As /home/jürgen is in the locale C. */
  @Test
  void aHomeDirectoryThatIsNoPathHindersNoStack() {
    String home = System.setProperty("user.home", directory.toString());
    try {
      KnownStacks stacks =
          KnownStacks.seenFrom(home("first"), Map.of("HOME", "/no\0path"), warnings::add);

      assertThat(stacks.whileNoOtherChooses(() -> "done")).isEqualTo("done");
      assertThat(stacks.portsOfOthers()).isEmpty();
    } finally {
      System.setProperty("user.home", home);
    }
  }

  @Test
  void aDamagedStateOfAnotherStackKeepsNoneFromItsStart() throws Exception {
    choosePort("first", processThatRuns());
    Files.writeString(home("first").stateFile(), "{");

    assertThat(stacks("second").portsOfOthers()).isEmpty();
  }

  /** For example, a name with an umlaut is no path in the locale C. */
  @Test
  void aLineThatIsNoPathStaysAndHindersNoStack() throws Exception {
    choosePort("first", processThatRuns());
    Path list = directory.resolve("state/lastfix/stacks");
    Files.writeString(list, Files.readString(list) + "/no\0path\nrelative\n\n");
    choosePort("second", List.of());

    assertThat(stacks("third").portsOfOthers()).containsExactly(MONGOD_PORT);
    assertThat(Files.readAllLines(list)).contains("/no\0path", home("second").root().toString());
    assertThat(warnings).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"stacks", "stacks.lock"})
  void aListThatCannotBeUsedIsSaidAndHindersNoStack(String folder) throws Exception {
    Files.createDirectories(directory.resolve("state/lastfix").resolve(folder));

    choosePort("first", processThatRuns());
    stacks("first").forget();

    assertThat(stacks("second").portsOfOthers()).isEmpty();
    assertThat(warnings).isNotEmpty().allMatch(it -> it.contains("the list of stacks in"));
  }

  @Test
  void aListThatIsNoTextIsSaidAndHindersNoStack() throws Exception {
    Path list = directory.resolve("state/lastfix/stacks");
    Files.createDirectories(list.getParent());
    Files.write(list, new byte[] {(byte) 0xff, '\n'});

    choosePort("first", processThatRuns());
    stacks("first").forget();

    assertThat(stacks("second").portsOfOthers()).isEmpty();
    assertThat(warnings)
        .isNotEmpty()
        .allMatch(it -> it.contains("the list of stacks in"))
        .allMatch(it -> it.endsWith(": it is not UTF-8 text; make it this user's, or delete it"));
  }

  @Test
  void aListThatCannotBeWrittenIsSaidAndTheWorkIsDone() throws Exception {
    Files.writeString(directory.resolve("state"), "no folder");

    choosePort("first", processThatRuns());

    assertThat(StackState.read(home("first"))).isPresent();
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("another local stack may take this one's ports", "state");
  }

  private void choosePort(String name, List<RecordedProcess> processes) {
    StackState written = stacks(name).whileNoOtherChooses(() -> write(name, processes));
    assertThat(StackState.read(home(name))).hasValue(written);
  }

  private StackState write(String name, List<RecordedProcess> processes) {
    // As a command does that starts a stack.
    StackLock.holding(home(name), Duration.ZERO, () -> "");
    StackState state = new StackState(processes, Map.of("mongod-0", MONGOD_PORT), Map.of());
    state.write(home(name));
    return state;
  }

  /** Such as the JobManager, whose mongod is down. */
  private List<RecordedProcess> processThatRuns() {
    return List.of(
        RecordedProcess.of("jobmanager", ProcessHandle.current(), directory.resolve("log")));
  }

  private StackHome home(String name) {
    return new StackHome(directory.resolve(name));
  }

  private KnownStacks stacks(String name) {
    return KnownStacks.seenFrom(
        home(name), Map.of("XDG_STATE_HOME", directory.resolve("state").toString()), warnings::add);
  }
}
