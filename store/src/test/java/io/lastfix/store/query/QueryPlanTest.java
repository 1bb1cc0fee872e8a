package io.lastfix.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Answers of MongoDB 5.0 and 6.0 to explain, reduced to the parts that are read. */
class QueryPlanTest {
  @Test
  void aFindOnAServer() {
    assertThat(
            read(
                """
                {queryPlanner: {
                   winningPlan: {stage: "FETCH", inputStage: {stage: "IXSCAN", indexName: "user_1_ts_1",
                     keyPattern: {user: 1, ts: 1}, indexBounds: {user: ["[\\"a\\", \\"a\\"]"]}}},
                   rejectedPlans: [{stage: "FETCH", inputStage: {stage: "IXSCAN", indexName: "other"}}]},
                 executionStats: {nReturned: 2, totalKeysExamined: 3, totalDocsExamined: 2,
                   executionStages: {stage: "FETCH", nReturned: 2}}}
                """))
        .hasToString(
            "QueryPlan[collection=history_2026_11, stages=[FETCH, IXSCAN], indexes=[user_1_ts_1],"
                + " shards=[], keysExamined=3, documentsExamined=2, returned=2]");
  }

  @Test
  void aFindByIdOnAServer() {
    assertThat(
            read("""
            {queryPlanner: {winningPlan: {stage: "IDHACK"}, rejectedPlans: []},
             executionStats: {nReturned: 1, totalKeysExamined: 1, totalDocsExamined: 1}}
            """)
                .indexes())
        .containsExactly("_id_");
  }

  @Test
  void aFindThroughARouter() {
    assertThat(
            read(
                """
                {queryPlanner: {winningPlan: {stage: "SHARD_MERGE_SORT", shards: [
                   {shardName: "s1", winningPlan: {stage: "SHARDING_FILTER", inputStage: {stage: "IXSCAN", indexName: "cell_1_ts_1"}}},
                   {shardName: "s0", winningPlan: {stage: "SHARDING_FILTER", inputStage: {stage: "IXSCAN", indexName: "cell_1_ts_1"}}}]}},
                 executionStats: {nReturned: 7, totalKeysExamined: {$numberLong: "9"}, totalDocsExamined: 8,
                   executionStages: {stage: "SHARD_MERGE_SORT", shards: [
                     {shardName: "s1", nReturned: 3, totalKeysExamined: 4, totalDocsExamined: 4},
                     {shardName: "s0", nReturned: 4, totalKeysExamined: 5, totalDocsExamined: 4}]}}}
                """))
        .hasToString(
            "QueryPlan[collection=history_2026_11, stages=[SHARD_MERGE_SORT, SHARDING_FILTER,"
                + " IXSCAN], indexes=[cell_1_ts_1], shards=[s0, s1], keysExamined=9,"
                + " documentsExamined=8, returned=7]");
  }

  @Test
  void anAggregationThroughARouter() {
    assertThat(
            read(
                """
                {splitPipeline: {}, shards: {
                   s0: {host: "h:1", stages: [{$geoNearCursor: {
                     queryPlanner: {winningPlan: {stage: "GEO_NEAR_2DSPHERE", indexName: "last.loc_2dsphere",
                       inputStages: [{stage: "FETCH", inputStage: {stage: "IXSCAN", indexName: "last.loc_2dsphere"}}]}},
                     executionStats: {nReturned: 2, totalKeysExamined: 5, totalDocsExamined: 2}}}, {$limit: 3}]},
                   s1: {host: "h:2", stages: [{$geoNearCursor: {
                     queryPlanner: {winningPlan: {stage: "GEO_NEAR_2DSPHERE", indexName: "last.loc_2dsphere"}},
                     executionStats: {nReturned: 1, totalKeysExamined: 4, totalDocsExamined: 1}}}]}}}
                """))
        .hasToString(
            "QueryPlan[collection=history_2026_11, stages=[GEO_NEAR_2DSPHERE, FETCH, IXSCAN],"
                + " indexes=[last.loc_2dsphere], shards=[s0, s1], keysExamined=9,"
                + " documentsExamined=3, returned=3]");
  }

  private static QueryPlan read(String explained) {
    return QueryPlan.read("history_2026_11", Document.parse(explained));
  }
}
