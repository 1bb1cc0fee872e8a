package io.lastfix.store.erasure;

import static io.lastfix.store.CollectionsPage.outline;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import io.lastfix.store.CollectionsPage;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/reference/collections.md} to what an erasure writes. */
class ErasurePageTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final UserHash USER = new UserHash(1, 2);

  private final List<BsonDocument> written = new ArrayList<>();
  private final MongoClient server = recording(MongoClient.class);

  @Test
  void theListHasTheDocumentsOfThePage() {
    var unused =
        new ErasureListCollection(server, "lastfix", "forgotten", Duration.ofSeconds(1))
            .add(USER, NOW);

    assertThat(written)
        .extracting(CollectionsPage::outline)
        .isEqualTo(CollectionsPage.outlines("forgotten"));
  }

  @Test
  void theAuditHasTheFieldsOfThePageInTheirOrder() {
    ErasureAudit audit =
        new ErasureAudit(
            server.getDatabase("lastfix").getCollection("forgotten_audit", BsonDocument.class));
    audit.begin(NOW, List.of(USER), new ErasureListCollection.Added(1, NOW));
    audit.deleted(Map.of("collection", 1L), List.of("id"), Duration.ZERO);
    audit.finish(NOW);
    BsonDocument document = new BsonDocument();
    written.forEach(document::putAll);

    assertThat(CollectionsPage.withoutValues(CollectionsPage.section("## The erasure list")))
        .contains(outline(document));
  }

  /** Keeps what is written, as far as these tests need it. */
  private <T> T recording(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "insertOne" -> {
                    written.add((BsonDocument) arguments[0]);
                    yield null;
                  }
                  case "updateOne" -> {
                    var unused = updated((Bson) arguments[0], (Bson) arguments[1]);
                    yield null;
                  }
                  case "findOneAndUpdate" -> updated((Bson) arguments[0], (Bson) arguments[1]);
                  default -> recording(method.getReturnType());
                }));
  }

  private BsonDocument updated(Bson filter, Bson update) {
    BsonDocument document = filter.toBsonDocument().clone();
    update.toBsonDocument().values().forEach(fields -> document.putAll(fields.asDocument()));
    written.add(document);
    return document;
  }
}
