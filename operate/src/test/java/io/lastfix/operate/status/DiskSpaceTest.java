package io.lastfix.operate.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiskSpaceTest {
  private static final DiskSpace.Disk ROOM = new DiskSpace.Disk("/srv", 500, 1_000);
  private static final DiskSpace.Disk FULL = new DiskSpace.Disk("/srv", 0, 1_000);

  @TempDir private Path directory;

  private RecordedProcess ended(String line) throws IOException {
    Path log = directory.resolve("kafka.log");
    Files.writeString(log, "began\n%s\nended\n".formatted(line));
    return new RecordedProcess("kafka", Long.MAX_VALUE, 0, log.toString());
  }

  private DiskSpace of(RecordedProcess process) {
    return DiskSpace.of(List.of(ROOM), List.of(process));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Caused by: java.io.IOException: No space left on device",
        "{\"msg\":\"write failed\",\"attr\":{\"error\":\"28: No space left on device\"}}",
        "level=error err=\"write /data/wal: no space left on device\"",
        "java.nio.file.FileSystemException: x: Disk quota exceeded",
        "OutOfDiskSpace: available disk space is less than required",
        "ENOSPC"
      })
  void theLogOfAServerThatEndedSaysIfItsDiskWasFull(String line) throws IOException {
    DiskSpace disk = of(ended(line));

    assertThat(disk.failures()).containsOnlyKeys("kafka");
    assertThat(disk.lines())
        .last()
        .asString()
        .startsWith("kafka met a full disk: \"")
        .endsWith("\" in " + directory.resolve("kafka.log"));
  }

  @Test
  void aServerThatEndedForAnotherReasonMetNoFullDisk() throws IOException {
    assertThat(of(ended("java.lang.OutOfMemoryError: Java heap space")).failures()).isEmpty();
  }

  @Test
  void aLogThatIsGoneSaysNothing() {
    RecordedProcess process =
        new RecordedProcess("kafka", Long.MAX_VALUE, 0, directory.resolve("absent").toString());

    assertThat(of(process).failures()).isEmpty();
  }

  /** It met one before, and has room now. */
  @Test
  void aServerThatRunsIsNamedOnlyIfADiskIsFullNow() throws IOException {
    Path log = Files.writeString(directory.resolve("x.log"), "No space left on device");

    RecordedProcess runs = RecordedProcess.of("x", ProcessHandle.current(), log);
    assertThat(of(runs).failures()).isEmpty();
    assertThat(DiskSpace.of(List.of(ROOM, FULL), List.of(runs)).failures()).containsOnlyKeys("x");
  }

  @ParameterizedTest
  @CsvSource({"0, true", "49, true", "50, false", "1000, false"})
  void aDiskIsLowBelowFivePercent(long free, boolean isLow) {
    assertThat(new DiskSpace.Disk("/srv", free, 1_000).isLow()).isEqualTo(isLow);
  }

  @Test
  void aDiskIsNamedWithItsBytes() {
    DiskSpace disk =
        new DiskSpace(List.of(new DiskSpace.Disk("/srv", 31_457_280, 1L << 30)), Map.of());

    assertThat(disk.lines())
        .containsExactly("/srv: 31,457,280 bytes free of 1,073,741,824 (2.9 %): make room there");
  }

  /** The disk of this test is that of all its directories. */
  @Test
  void aDiskIsInspectedOnceForAllDirectoriesOnIt() throws IOException {
    Files.createDirectories(directory.resolve("data/mongod-0"));

    assertThat(DiskSpace.disks(new StackHome(directory)))
        .singleElement()
        .satisfies(
            disk -> {
              assertThat(disk.path()).isEqualTo(directory.toString());
              assertThat(disk.totalBytes()).isGreaterThan(disk.freeBytes()).isPositive();
            });
  }

  @Test
  void aStackThatWasNeverStartedHasNoDisk() {
    assertThat(DiskSpace.of(new StackHome(directory.resolve("absent"))).lines()).isEmpty();
  }
}
