package io.lastfix.store.query;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The server's execution of one statement, from its answer to {@code explain}.
 *
 * @param collection the queried collection
 * @param stages stages of the plan, the outermost first, without repetitions, for instance {@code
 *     FETCH, IXSCAN}
 * @param indexes names of the indexes used
 * @param shards the queried shards; empty on a server or replica set
 * @param keysExamined index keys examined, on all shards
 * @param documentsExamined documents examined, on all shards
 * @param returned documents returned
 */
public record QueryPlan(
    String collection,
    List<String> stages,
    List<String> indexes,
    List<String> shards,
    long keysExamined,
    long documentsExamined,
    long returned) {
  /**
   * Searches the answer for known names. Its structure differs between find and aggregate, between
   * servers and routers, and between releases; the names do not.
   */
  static QueryPlan read(String collection, Document explained) {
    Search search = new Search();
    search.visit(explained);
    if (search.stages.contains("IDHACK")) {
      search.indexes.add("_id_");
    }
    return new QueryPlan(
        collection,
        List.copyOf(search.stages),
        List.copyOf(search.indexes),
        List.copyOf(search.shards),
        search.keysExamined,
        search.documentsExamined,
        search.returned);
  }

  private static final class Search {
    private final Set<String> stages = new LinkedHashSet<>();
    private final Set<String> indexes = new LinkedHashSet<>();
    private final Set<String> shards = new TreeSet<>();
    private long keysExamined;
    private long documentsExamined;
    private long returned;

    void visit(Document node) {
      node.forEach(
          (name, value) -> {
            switch (name) {
              case "winningPlan" -> visitPlan((Document) value);
              case "executionStats" -> visitStatistics((Document) value);
              case "shards" -> {
                // A router explains an aggregation by shard, under the shards' names.
                if (value instanceof Document byName) {
                  shards.addAll(byName.keySet());
                }
                visitAll(value);
              }
              default -> visitAll(value);
            }
          });
    }

    private void visitAll(@Nullable Object value) {
      eachDocument(value, this::visit);
    }

    private void visitPlan(Document plan) {
      add(stages, plan.getString("stage"));
      add(indexes, plan.getString("indexName"));
      add(shards, plan.getString("shardName"));
      plan.values().forEach(value -> eachDocument(value, this::visitPlan));
    }

    private static void add(Set<String> names, @Nullable String name) {
      if (name != null) {
        names.add(name);
      }
    }

    private static void eachDocument(@Nullable Object value, Consumer<Document> visitor) {
      if (value instanceof Document document) {
        visitor.accept(document);
      } else if (value instanceof List<?> list) {
        list.forEach(element -> eachDocument(element, visitor));
      }
    }

    /**
     * A router's figures are the sums over its shards, so the shards' own figures inside are
     * skipped.
     */
    private void visitStatistics(Document statistics) {
      keysExamined += count(statistics, "totalKeysExamined");
      documentsExamined += count(statistics, "totalDocsExamined");
      returned += count(statistics, "nReturned");
    }

    private static long count(Map<String, Object> statistics, String name) {
      return statistics.get(name) instanceof Number number ? number.longValue() : 0;
    }
  }
}
