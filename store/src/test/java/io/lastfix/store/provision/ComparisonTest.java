package io.lastfix.store.provision;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.provision.Step.CreateCollection;
import io.lastfix.store.provision.Step.CreateIndex;
import io.lastfix.store.provision.Step.ShardCollection;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The planned steps for a server's description of a collection, in the server's own format. */
class ComparisonTest {
  private static final String DATABASE = "lastfix";
  private static final String NAME = "history_2026_11";
  private static final int SHARDS = 3;

  private static final KeyPattern USER_AND_TIME = KeyPattern.ascending("user", "ts");
  private static final KeyPattern CELL_AND_TIME = KeyPattern.ascending("cell", "ts");
  private static final KeyPattern HASHED = KeyPattern.hashed("user", "ts");
  private static final CollectionDescription WANTED =
      new CollectionDescription(NAME, HASHED, List.of(USER_AND_TIME), List.of(CELL_AND_TIME));

  private static final String PLAIN = "{name: 'history_2026_11', type: 'collection', options: {}}";
  private static final String ID = "{v: 2, key: {_id: 1}, name: '_id_'}";
  private static final String USER_INDEX = "{v: 2, key: {user: 1, ts: 1}, name: 'user_1_ts_1'}";
  private static final String CELL_INDEX = "{v: 2, key: {cell: 1, ts: 1}, name: 'cell_1_ts_1'}";
  private static final String HASHED_INDEX =
      "{v: 2, key: {user: 'hashed', ts: 1}, name: 'user_hashed_ts_1'}";

  private static ExistingCollection found(String listed, String... indexes) {
    return found(listed, null, false, indexes);
  }

  private static ExistingCollection found(
      String listed, @Nullable KeyPattern shardKey, boolean hasDocuments, String... indexes) {
    return ExistingCollection.of(
        BsonDocument.parse(listed),
        Arrays.stream(indexes).map(index -> ExistingIndex.of(BsonDocument.parse(index))).toList(),
        shardKey,
        hasDocuments);
  }

  private static CollectionPlan plan(Topology topology, @Nullable ExistingCollection found) {
    return Comparison.plan(DATABASE, WANTED, topology, SHARDS, found);
  }

  private static CollectionPlan onReplicaSet(ExistingCollection found) {
    return plan(Topology.REPLICA_SET, found);
  }

  @ParameterizedTest
  @EnumSource(names = {"STANDALONE", "REPLICA_SET"})
  void withoutShardsTheCollectionIsMadeAndThenItsIndexes(Topology topology) {
    assertThat(plan(topology, null).steps())
        .containsExactly(
            new CreateCollection(DATABASE, NAME),
            new CreateIndex(DATABASE, NAME, USER_AND_TIME),
            new CreateIndex(DATABASE, NAME, CELL_AND_TIME));
  }

  @Test
  void onShardsTheCollectionIsMadeShardedInSomeChunksForEachShardAndTheKeysIndexServesTheUser() {
    assertThat(plan(Topology.SHARDED_CLUSTER, null).steps())
        .containsExactly(
            new ShardCollection(DATABASE, NAME, HASHED, 12),
            new CreateIndex(DATABASE, NAME, CELL_AND_TIME));
  }

  @Test
  void aRangedKeyHasNoChunksBeforeItsUsersAreKnown() {
    CollectionDescription ranged =
        new CollectionDescription(NAME, USER_AND_TIME, List.of(USER_AND_TIME), List.of());

    assertThat(Comparison.plan(DATABASE, ranged, Topology.SHARDED_CLUSTER, SHARDS, null).steps())
        .containsExactly(new ShardCollection(DATABASE, NAME, USER_AND_TIME, 0));
  }

  @Test
  void nothingIsDoneWhereAllIsThere() {
    assertThat(onReplicaSet(found(PLAIN, ID, USER_INDEX, CELL_INDEX)).isMet()).isTrue();
    assertThat(
            plan(
                    Topology.SHARDED_CLUSTER,
                    found(PLAIN, HASHED, false, ID, HASHED_INDEX, CELL_INDEX))
                .isMet())
        .isTrue();
  }

  @Test
  void whatIsMissingIsMade() {
    assertThat(onReplicaSet(found(PLAIN, ID, CELL_INDEX)).steps())
        .containsExactly(new CreateIndex(DATABASE, NAME, USER_AND_TIME));
  }

  @Test
  void indexesThatNobodyAskedForAreLeftAlone() {
    CollectionPlan plan =
        onReplicaSet(
            found(
                PLAIN,
                ID,
                USER_INDEX,
                CELL_INDEX,
                HASHED_INDEX,
                "{v: 2, key: {ts: 1}, name: 'ttl', expireAfterSeconds: 3600}",
                "{v: 2, key: {user: 1, ts: 1}, name: 'partial', partialFilterExpression: {cell: 'x'}}"));

    assertThat(plan.isMet()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{v: 2, key: {user: 1, ts: 1}, name: 'a', unique: true} | {user: 1, ts: 1} unique",
        "{v: 2, key: {user: 1, ts: 1}, name: 'a', sparse: true} | {user: 1, ts: 1} sparse",
        "{v: 2, key: {user: 1.0, ts: 1}, name: 'a', hidden: true, sparse: true} | {user: 1, ts: 1} hidden, sparse",
      })
  void anIndexOnTheSameFieldsWithOtherOptionsDisagrees(String index, String words) {
    CollectionPlan plan = onReplicaSet(found(PLAIN, ID, CELL_INDEX, index));

    assertThat(plan.steps()).isEmpty();
    assertThat(plan.differences())
        .containsExactly(new Difference("index", "{user: 1, ts: 1}", words, "drop that index"));
  }

  @Test
  void anotherUniqueIndexDisagrees() {
    CollectionPlan plan =
        onReplicaSet(
            found(
                PLAIN,
                ID,
                USER_INDEX,
                CELL_INDEX,
                "{v: 2, key: {user: 1}, name: 'one', unique: true}"));

    assertThat(plan.differences())
        .singleElement()
        .hasToString(
            "unique index: expected none but {_id: 1}, found {user: 1} unique; drop that index:"
                + " it would reject records that must be stored");
  }

  @Test
  void aCollectionWithoutTheUniqueIndexOnIdDisagrees() {
    assertThat(onReplicaSet(found(PLAIN, USER_INDEX, CELL_INDEX)).differences())
        .singleElement()
        .satisfies(
            difference -> {
              assertThat(difference.what()).isEqualTo("unique index");
              assertThat(difference.expected()).isEqualTo("{_id: 1}");
              assertThat(difference.found()).isEqualTo("none");
            });
  }

  @Test
  void theIndexOfAClusteredCollectionIsTheOneOnId() {
    String clustered = "{v: 2, key: {_id: 1}, name: '_id_', unique: true, clustered: true}";

    assertThat(onReplicaSet(found(PLAIN, clustered, USER_INDEX, CELL_INDEX)).isMet()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"view", "timeseries"})
  void whatIsNoCollectionDisagrees(String type) {
    CollectionPlan plan =
        onReplicaSet(found("{name: 'history_2026_11', type: '%s', options: {}}".formatted(type)));

    assertThat(plan.steps()).isEmpty();
    assertThat(plan.differences())
        .containsExactly(new Difference("kind", "collection", type, "rename or drop it"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{capped: true, size: 4096} | capped",
        "{collation: {locale: 'en', strength: 2}} | collation",
      })
  void aCollectionThatWouldLoseRecordsDisagrees(String options, String what) {
    String listed = "{name: 'history_2026_11', type: 'collection', options: %s}".formatted(options);

    assertThat(onReplicaSet(found(listed, ID, USER_INDEX, CELL_INDEX)).differences())
        .singleElement()
        .satisfies(difference -> assertThat(difference.what()).isEqualTo(what));
  }

  @Test
  void anotherShardKeyDisagreesAndBothAreShown() {
    CollectionPlan plan =
        plan(
            Topology.SHARDED_CLUSTER,
            found(PLAIN, KeyPattern.ascending("ts"), false, ID, CELL_INDEX));

    assertThat(plan.steps()).isEmpty();
    assertThat(plan.differences())
        .singleElement()
        .satisfies(
            difference ->
                assertThat(difference.toString())
                    .startsWith("shard key: expected {user: \"hashed\", ts: 1}, found {ts: 1}; "));
  }

  @Test
  void anEmptyCollectionThatIsNotShardedIsShardedBeforeItsIndexesAreMade() {
    assertThat(plan(Topology.SHARDED_CLUSTER, found(PLAIN, ID)).steps())
        .containsExactly(
            new ShardCollection(DATABASE, NAME, HASHED, 12),
            new CreateIndex(DATABASE, NAME, CELL_AND_TIME));
  }

  @Test
  void oneWithDocumentsThatIsNotShardedDisagreesAndTheRemedyCanBeTypedInMongosh() {
    CollectionPlan plan = plan(Topology.SHARDED_CLUSTER, found(PLAIN, null, true, ID, CELL_INDEX));

    assertThat(plan.steps()).isEmpty();
    assertThat(plan.differences())
        .singleElement()
        .satisfies(
            difference -> {
              assertThat(difference.found()).startsWith("not sharded, with documents in it");
              assertThat(difference.remedy())
                  .contains("createIndex({user: \"hashed\", ts: 1})")
                  .contains(
                      "sh.shardCollection(\"lastfix.history_2026_11\", {user: \"hashed\", ts: 1})");
            });
  }

  @Test
  void withoutShardsNobodyAsksForAShardKey() {
    assertThat(onReplicaSet(found(PLAIN, null, true, ID, USER_INDEX, CELL_INDEX)).isMet()).isTrue();
  }

  @Test
  void theExceptionNamesEverythingThatDisagreesAndEverythingThatIsMissing() {
    CollectionPlan missing = plan(Topology.REPLICA_SET, null);
    CollectionPlan disagrees =
        onReplicaSet(found("{name: 'history_2026_11', type: 'view', options: {}}"));

    assertThat(ProvisionException.of(List.of(disagrees, missing)))
        .hasMessage(
            """
            MongoDB differs from the configuration: \
            lastfix.history_2026_11: kind: expected collection, found view; rename or drop it
            missing: collection lastfix.history_2026_11
            missing: index {user: 1, ts: 1} on lastfix.history_2026_11
            missing: index {cell: 1, ts: 1} on lastfix.history_2026_11
            To create what is missing, run lastfix provision with the job's configuration, or set \
            provision: auto for the job""");
  }

  @Test
  void partitionsThatDisagreeInTheSameWayAreOneLineWithTheirNumber() {
    Difference shardKey =
        new Difference("shard key", "{user: \"hashed\", ts: 1}", "{user: 1, ts: 1}", "change it");
    List<CollectionPlan> plans =
        IntStream.rangeClosed(1, 42)
            .mapToObj("lastfix.history_%d"::formatted)
            .map(name -> new CollectionPlan(name, List.of(), List.of(shardKey)))
            .toList();

    assertThat(ProvisionException.of(plans))
        .hasMessage(
            """
            MongoDB differs from the configuration: \
            lastfix.history_1, lastfix.history_2, lastfix.history_3 and 39 more collections: shard key: \
            expected {user: "hashed", ts: 1}, found {user: 1, ts: 1}; change it""");
  }

  @Test
  void remediesThatNameTheirCollectionsAreSaidOfTheFirst() {
    List<CollectionPlan> plans =
        Stream.of("a", "b")
            .map(
                name ->
                    new CollectionPlan(
                        name,
                        List.of(),
                        List.of(new Difference("sharding", "x", "y", "shard " + name))))
            .toList();

    assertThat(ProvisionException.of(plans))
        .hasMessage(
            "MongoDB differs from the configuration: a, b: sharding: expected x, found y; shard a;"
                + " the others likewise");
  }

  @Test
  void ofMuchThatIsMissingTheFirstAndTheNumberAreNamed() {
    List<CollectionPlan> plans = Collections.nCopies(14, plan(Topology.REPLICA_SET, null));

    assertThat(ProvisionException.of(plans).getMessage().lines())
        .hasSize(11)
        .contains("missing: 33 more; lastfix provision --dry-run lists all");
  }

  @Test
  void theExceptionNamesTheCommandThatMakesWhatIsMissing() {
    CollectionPlan missing = plan(Topology.REPLICA_SET, null);

    assertThat(ProvisionException.of(List.of(missing), "lastfix partitions create --from X --to Y"))
        .hasMessageContaining(
            "To create what is missing, run lastfix partitions create --from X --to Y with the job's"
                + " configuration")
        .hasMessageNotContaining("lastfix provision,");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{isWritablePrimary: true, maxWireVersion: 17} | STANDALONE",
        "{isWritablePrimary: true, setName: 'rs0'} | REPLICA_SET",
        "{isWritablePrimary: true, msg: 'isdbgrid'} | SHARDED_CLUSTER",
      })
  void theAnswerToHelloTellsWhatTheServerIs(String hello, Topology topology) {
    assertThat(Topology.of(BsonDocument.parse(hello))).isEqualTo(topology);
  }
}
