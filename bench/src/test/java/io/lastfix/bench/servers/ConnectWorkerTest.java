package io.lastfix.bench.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectWorkerTest {
  private static final Map<String, Map<String, String>> CONNECTORS =
      ConnectWorker.connectors("bench-1", "mongodb://127.0.0.1:27017/?replicaSet=rs", "records", 2);

  @Test
  void bothConnectorsReadTheSameTopicInGroupsOfTheirOwnAndWriteUnordered() {
    assertThat(CONNECTORS.values())
        .extracting(properties -> properties.get("name"))
        .containsExactlyInAnyOrder("bench-1-history", "bench-1-last-known-location");
    assertThat(CONNECTORS.values())
        .extracting(properties -> properties.get("collection"))
        .containsExactlyInAnyOrder(ConnectWorker.HISTORY, ConnectWorker.LAST_KNOWN_LOCATION);
    assertThat(CONNECTORS.values())
        .allSatisfy(
            properties ->
                assertThat(properties)
                    .containsEntry("topics", "records")
                    .containsEntry("tasks.max", "2")
                    .containsEntry("database", BenchDatabase.DATABASE)
                    .containsEntry("bulk.write.ordered", "false"));
  }

  @Test
  void lastKnownLocationHasOneDocumentForEachUser() {
    assertThat(CONNECTORS.get("connect-lkl.properties"))
        .containsEntry("document.id.strategy.partial.value.projection.list", "user")
        .containsEntry("document.id.strategy.overwrite.existing", "true");
  }

  @Test
  void theWorkerListensOnLoopbackAndReadsAsManyMessagesAsABulkHas() {
    assertThat(
            ConnectWorker.worker(
                "127.0.0.1:9092", URI.create("http://127.0.0.1:20001"), Path.of("/somewhere")))
        .containsEntry("bootstrap.servers", "127.0.0.1:9092")
        .containsEntry("listeners", "http://127.0.0.1:20001")
        .containsEntry("consumer.max.poll.records", "1000");
  }
}
