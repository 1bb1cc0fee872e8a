package io.lastfix.rebuild;

import io.lastfix.it.harness.NeedsMongos;
import io.lastfix.it.harness.TestStack;
import io.lastfix.it.sharded.ShardedCluster;
import io.lastfix.store.history.HistoryShardKey;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.types.MinKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cases of {@link HistorySplitReaderContract} behind a router, which has the documents of the
 * shards in no order unless it is given one.
 */
@NeedsMongos
class ShardedHistorySplitReaderIT extends HistorySplitReaderContract {
  private static final int SHARDS = 3;

  @TempDir private static Path directory;

  private static TestStack stack;
  private static ShardedCluster cluster;

  @BeforeAll
  static void startServers() {
    stack = TestStack.startShardedMongo(directory, SHARDS);
    cluster = new ShardedCluster(stack.sharded());
    cluster.stopBalancer();
  }

  @AfterAll
  static void stopServers() {
    if (cluster != null) {
      cluster.close();
    }
    if (stack != null) {
      stack.close();
    }
  }

  /** One router: a cursor exists on the router that opened it. */
  @Override
  String uri() {
    return "mongodb://%s/".formatted(stack.sharded().routerHosts().get(0));
  }

  @Override
  List<String> servers() {
    return IntStream.range(0, SHARDS)
        .mapToObj(shard -> stack.sharded().shard(shard).endpoint())
        .toList();
  }

  /** By the user, a collection begins as one chunk. */
  @Override
  void spread(String namespace, HistoryShardKey key) {
    if (key == HistoryShardKey.USER) {
      cluster.splitAndSpread(
          namespace,
          Stream.of("user333", "user666")
              .map(user -> new Document("user", user).append("ts", new MinKey()))
              .toList());
    }
  }

  @Override
  Document cursorListing() {
    return new Document("idleCursors", true).append("localOps", true);
  }
}
