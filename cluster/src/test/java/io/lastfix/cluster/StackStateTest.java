package io.lastfix.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackStateTest {
  @TempDir private Path directory;

  @Test
  void whatIsWrittenIsRead() {
    StackHome home = new StackHome(directory);
    StackState state =
        new StackState(
            List.of(thisProcess(0)), Map.of("kafka", 9092), Map.of("kafka", "127.0.0.1:9092"));

    state.write(home);

    assertThat(StackState.read(home)).contains(state);
  }

  @Test
  void aHomeWithoutStateHasNone() {
    assertThat(StackState.read(new StackHome(directory))).isEmpty();
  }

  @Test
  void aDamagedFileIsNamedWithWhatToDo() throws Exception {
    Files.writeString(directory.resolve("stack.json"), "{\"processes\": [");

    assertThatThrownBy(() -> StackState.read(new StackHome(directory)))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("stack.json is damaged")
        .hasMessageContaining("delete it");
  }

  @Test
  void aProcessThatRunsSinceTheRecordedTimeIsFound() {
    assertThat(thisProcess(0).find()).contains(ProcessHandle.current());
  }

  @Test
  void anotherProcessWithTheSameIdIsNotFound() {
    assertThat(thisProcess(-60_000).find()).isEmpty();
  }

  @Test
  void anAddressIsTakenOnceItsServerHasEndedAndAnotherProgramListensThere() throws Exception {
    ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Map<String, String> endpoints = Map.of("kafka", "127.0.0.1:" + other.getLocalPort());
    StackState ended = new StackState(List.of(thisProcess(-60_000)), Map.of(), endpoints);
    StackState running = new StackState(List.of(thisProcess(0)), Map.of(), endpoints);

    assertThat(ended.isAddressTaken("kafka")).isTrue();
    assertThat(running.isAddressTaken("kafka")).isFalse();
    assertThat(new StackState(List.of(), Map.of(), endpoints).isAddressTaken("kafka"))
        .as("a server that answers, and is listed once it is ready")
        .isFalse();
    assertThat(ended.isAddressTaken("flink")).as("no such server").isFalse();
    other.close();
    assertThat(ended.isAddressTaken("kafka")).as("nobody listens").isFalse();
  }

  private static RecordedProcess thisProcess(long shiftMillis) {
    ProcessHandle self = ProcessHandle.current();
    long started = RecordedProcess.startOf(self).toEpochMilli();
    return new RecordedProcess("kafka", self.pid(), started + shiftMillis, "kafka.log");
  }
}
