package io.lastfix.rebuild;

import io.lastfix.it.harness.TestStack;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The cases of {@link HistorySplitReaderContract} on a replica set. */
class HistorySplitReaderIT extends HistorySplitReaderContract {
  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServer() {
    stack = TestStack.startMongo(directory);
  }

  @AfterAll
  static void stopServer() {
    if (stack != null) {
      stack.close();
    }
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
