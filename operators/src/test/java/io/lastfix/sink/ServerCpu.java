package io.lastfix.sink;

import com.mongodb.client.MongoDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** The CPU time of a mongod on this machine, for benchmarks: from {@code /proc/<pid>/stat}. */
final class ServerCpu {
  /** Linux counts a process's CPU time in hundredths of a second on all our machines. */
  private static final double MICROS_PER_TICK = 10_000;

  private final Path processStatistics;

  ServerCpu(MongoDatabase database) {
    int pid =
        database
            .runCommand(new BsonDocument("serverStatus", new BsonInt32(1)))
            .get("pid", Number.class)
            .intValue();
    processStatistics = Path.of("/proc", Integer.toString(pid), "stat");
  }

  /** Returns the server's user and system time in microseconds: fields 14 and 15 of proc(5). */
  double micros() throws IOException {
    String line = Files.readString(processStatistics);
    List<String> fields = Arrays.asList(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
    return (Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12))) * MICROS_PER_TICK;
  }
}
