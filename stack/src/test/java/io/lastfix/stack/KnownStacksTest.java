package io.lastfix.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownStacksTest {
  private static final int MONGOD_PORT = new Ports().choose(Ports.ANY);

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
                          await(mayEnd);
                          return write("first", processThatRuns());
                        }));
    await(chooses);
    CompletableFuture<Integer> second =
        CompletableFuture.supplyAsync(
            () ->
                stacks("second")
                    .whileNoOtherChooses(
                        () -> new Ports(stacks("second")::portsOfOthers).choose(MONGOD_PORT)));
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
    stacks("second").forget();
    assertThat(Files.readAllLines(directory.resolve("state/lastfix/stacks"))).isEmpty();
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

  @Test
  void aListThatCannotBeReadIsSaidAndHindersNoStack() throws Exception {
    Files.createDirectories(directory.resolve("state/lastfix/stacks"));

    choosePort("first", processThatRuns());

    assertThat(stacks("second").portsOfOthers()).isEmpty();
    assertThat(warnings).hasSize(2).allMatch(it -> it.contains("the list of stacks in"));
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

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
