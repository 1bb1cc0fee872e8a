package io.lastfix.it.sharded;

import io.lastfix.it.harness.TestStack;
import org.junit.jupiter.api.BeforeAll;

/** Provisioning on a replica set of one, where nothing is sharded. */
class ProvisionIT extends ProvisionContract {
  private static TestStack stack;

  @BeforeAll
  static void startServer() {
    stack = TestStack.sharedMongo();
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
