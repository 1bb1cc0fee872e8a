package io.lastfix.rebuild;

import io.lastfix.it.harness.TestStack;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;

/** The cases of {@link HistorySplitReaderContract} on a replica set. */
class HistorySplitReaderIT extends HistorySplitReaderContract {
  private static TestStack stack;

  @BeforeAll
  static void startServer() {
    stack = TestStack.sharedMongo();
  }

  @Override
  String uri() {
    return stack.mongoUri();
  }

  @Override
  List<String> servers() {
    return List.of(uri());
  }

  @Override
  Document cursorListing() {
    return new Document("idleCursors", true);
  }
}
