package io.lastfix.it.sharded;

import io.lastfix.it.harness.TestStack;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Provisioning on a replica set of one, where nothing is sharded. */
class ProvisionIT extends ProvisionContract {
  @TempDir private static Path servers;

  private static TestStack stack;

  @BeforeAll
  static void startServer() {
    stack = TestStack.startMongo(servers);
  }

  @AfterAll
  static void stopServer() {
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
    return 0;
  }
}
