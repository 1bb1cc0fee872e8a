package io.lastfix.it.sharded;

import io.lastfix.it.harness.NeedsMongos;
import io.lastfix.it.harness.TestStack;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Provisioning on a sharded cluster, through its routers. */
@NeedsMongos
class ShardedProvisionIT extends ProvisionContract {
  private static final int SHARDS = 2;

  @TempDir private static Path servers;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.startShardedMongo(servers, SHARDS);
  }

  @AfterAll
  static void stopServers() {
    if (stack != null) {
      stack.close();
    }
  }

  @Override
  String mongoUri() {
    return stack.mongoUri();
  }

  @Override
  int shards() {
    return SHARDS;
  }
}
