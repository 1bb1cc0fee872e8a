package io.lastfix.store;

import static io.lastfix.store.CollectionsPage.fields;
import static io.lastfix.store.CollectionsPage.names;
import static io.lastfix.store.CollectionsPage.outline;
import static io.lastfix.store.CollectionsPage.outlines;
import static io.lastfix.store.CollectionsPage.rows;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.store.alerts.AlertConverter;
import io.lastfix.store.alerts.TestAlerts;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.history.HistoryDocumentConverter;
import io.lastfix.store.history.HistoryShardKey;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.history.TestRecords;
import io.lastfix.store.lastknown.LastKnownLocationConverter;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.presence.PresenceCollection;
import io.lastfix.store.presence.PresenceConverter;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.KeyPattern;
import io.lastfix.store.provision.Role;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.FlowCount;
import io.lastfix.store.timeline.LateCount;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.ResultConverter;
import io.lastfix.store.timeline.Stay;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.StoredResult;
import io.lastfix.store.timeline.Trip;
import io.lastfix.store.timeline.TripChange;
import io.lastfix.store.timeline.WindowState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

/**
 * Holds {@code docs/reference/collections.md} to what the converters write, and to what is made.
 */
class CollectionsPageTest {
  private static final long T = TestRecords.TIMESTAMP_MILLIS;

  @Test
  void historyHasTheFieldsOfItsTable() {
    Fix fix =
        new Fix(
            TestRecords.FIX.position(),
            TestRecords.FIX.source(),
            TestRecords.FIX.accuracyMeters(),
            TestRecords.FIX.altitudeMeters(),
            "{\"type\": \"Point\", \"coordinates\": [0, 0]}");
    Set<String> written = new TreeSet<>(inserted(TestRecords.unlocated()).keySet());
    written.addAll(
        inserted(
                new LocatedRecord(
                    "u",
                    new Place.AtFixAndCell(fix, TestRecords.CELL, null),
                    T,
                    TestRecords.POSITION,
                    true))
            .keySet());
    written.addAll(
        update(HistoryDocumentConverter.locatedLater(TestRecords.RECORD, T))
            .getDocument("$set")
            .keySet());
    written.remove("_id");

    assertThat(fields("## History", 1)).containsExactlyInAnyOrderElementsOf(written);
    assertThat(outlines("history_2026_11"))
        .containsExactly(outline(inserted(TestRecords.RECORD)).replaceFirst("}$", ", ...}"));
  }

  @Test
  void lastKnownLocationHasTheFieldsOfItsTablesInTheirOrder() {
    UpdateOneModel<BsonDocument> write =
        (UpdateOneModel<BsonDocument>) new LastKnownLocationConverter().apply(TestRecords.RECORD);
    BsonDocument greatest = update(write).getDocument("$max");
    BsonDocument document = write.getFilter().toBsonDocument();
    document.putAll(greatest);

    assertThat(fields("## Last Known Location", 0)).containsExactlyElementsOf(greatest.keySet());
    assertThat(fields("## Last Known Location", 1))
        .as("the order decides which record is the newest")
        .containsExactlyElementsOf(greatest.getDocument("last").keySet());
    assertThat(outlines("last_known_location")).containsExactly(outline(document));
  }

  @Test
  void aDeviceHasTheFieldsOfItsTable() {
    Presence presence =
        new Presence("d", Presence.State.ONLINE, T, T, new DeviceDescription("phone", "a/1", "0f"));
    UpdateOneModel<BsonDocument> write =
        (UpdateOneModel<BsonDocument>) new PresenceConverter().apply(presence);
    BsonValue replacement =
        Objects.requireNonNull(write.getUpdatePipeline())
            .get(0)
            .toBsonDocument()
            .getDocument("$replaceWith")
            .getArray("$cond")
            .get(1);
    BsonDocument document = replacement.asDocument().getDocument("$literal");

    assertThat(fields("## Devices", 0)).containsExactlyElementsOf(document.keySet());
    assertThat(outlines("devices")).containsExactly(outline(document));
  }

  @Test
  void aCountHasTheFieldsOfItsTable() {
    UpdateOneModel<BsonDocument> write =
        (UpdateOneModel<BsonDocument>)
            new WindowCount(T, CountBy.CELL, "k", 1, WindowCount.State.BATCH, 1).toUpsert();
    BsonDocument document = write.getFilter().toBsonDocument();
    document.putAll(update(write).getDocument("$set"));

    assertThat(fields("## Counts", 0)).containsExactlyInAnyOrderElementsOf(document.keySet());
    assertThat(outlines("counts_2026_11")).containsExactly(outline(document));
  }

  @Test
  void lateRecordsHaveTheFieldsOfTheirTable() {
    BsonDocument document = replaced(new LateCount(T, NumberKind.FLOWS, "burst", 1, T));

    assertThat(fields("## Late records", 0)).containsExactlyElementsOf(document.keySet());
    assertThat(outlines("late_2026_11")).containsExactly(outline(document));
  }

  @Test
  void densityFlowsStaysAndTripsHaveTheFieldsOfTheirTable() {
    Map<String, BsonDocument> documents =
        Map.of(
            "density_2026_11",
            replaced(new DensityCount(T, PlaceKind.CELL, "k", 20, WindowState.OPEN)),
            "flows_2026_11",
            replaced(new FlowCount(T, PlaceKind.CELL, "a", "b", 40, 20, WindowState.OPEN)),
            "stays_2026_11",
            replaced(
                new StayChange("u", new Stay(PlaceKind.CELL, "k", T, T, Stay.End.LEFT), false)),
            "trips_2026_11",
            replaced(new TripChange("u", new Trip(PlaceKind.CELL, "a", "b", T, T, 3), false)));
    List<String> ends =
        Arrays.stream(Stay.End.values()).map(end -> end.name().toLowerCase(Locale.ROOT)).toList();

    assertThat(rows("## Density, flows, stays and trips", 0))
        .hasSameSizeAs(documents.keySet())
        .allSatisfy(
            cells -> {
              BsonDocument document =
                  Objects.requireNonNull(documents.get(names(cells.get(0)).get(0)));
              Set<String> others = new TreeSet<>(document.keySet());
              others.removeAll(List.of("_id", "state"));
              assertThat(names(cells.get(1))).startsWith(outline(document.getDocument("_id")));
              assertThat(names(cells.get(2)))
                  .filteredOn(name -> !ends.contains(name))
                  .containsExactlyInAnyOrderElementsOf(others);
            });
  }

  @Test
  void anAlertHasTheFieldsOfItsTable() {
    BsonDocument inserted =
        update(AlertConverter.upsert(TestAlerts.LEFT)).getDocument("$setOnInsert");
    List<String> written = new ArrayList<>(List.of("_id"));
    written.addAll(inserted.keySet());
    written.add("ack");

    assertThat(fields("## Alerts", 0)).containsExactlyElementsOf(written);
    assertThat(names(rows("## Alerts", 0).get(0).get(1)))
        .startsWith(outline(AlertConverter.id(TestAlerts.LEFT)));
  }

  @Test
  void theIndexesAreThoseThatAreMade() {
    List<String> onPage = new ArrayList<>();
    List<String> collections = List.of();
    for (List<String> cells : rows("## Indexes and shard keys", 0)) {
      // An empty cell repeats the one above it.
      collections = cells.get(0).isEmpty() ? collections : names(cells.get(0));
      collections.forEach(name -> onPage.add("`%s` %s".formatted(name, cells.get(1))));
    }

    assertThat(onPage)
        .containsExactlyInAnyOrderElementsOf(
            collections().entrySet().stream()
                .flatMap(
                    collection ->
                        Stream.concat(
                                collection.getValue().unshardedIndexes().stream(),
                                collection.getValue().indexes().stream())
                            .map(
                                index ->
                                    "%s `%s`"
                                        .formatted(
                                            collection.getKey().replaceFirst(", .*", ""), index)))
                .distinct()
                .toList());
  }

  @Test
  void theShardKeysAreThoseThatAreMade() {
    Map<KeyPattern, List<String>> byKey =
        collections().entrySet().stream()
            .collect(
                groupingBy(
                    collection -> collection.getValue().shardKey(),
                    LinkedHashMap::new,
                    mapping(Map.Entry::getKey, toList())));

    assertThat(rows("## Indexes and shard keys", 1))
        .extracting(cells -> cells.subList(0, 2))
        .containsExactlyElementsOf(
            byKey.entrySet().stream()
                .map(it -> List.of(String.join(", ", it.getValue()), "`" + it.getKey() + "`"))
                .toList());
  }

  /** What is made, by the page's name of it: with all indexes, and each shard key. */
  private static Map<String, CollectionDescription> collections() {
    Map<String, CollectionDescription> collections = new LinkedHashMap<>();
    collections.put(
        "`last_known_location`",
        new LastKnownLocationOptions("last_known_location", true, true, true).description());
    collections.put("`devices`", new PresenceCollection("devices").description());
    for (NumberKind kind : NumberKind.values()) {
      collections.put(
          "`%s_...`".formatted(kind.text()),
          NumberCollections.of(kind, PartitionPeriod.MONTH).description(kind.text()));
    }
    collections.put(
        "`alerts_...`", NumberCollections.ofAlerts(PartitionPeriod.MONTH).description("alerts"));
    for (HistoryShardKey key : HistoryShardKey.values()) {
      collections.put(
          "`history_...`, `history.shard-key: %s`".formatted(key),
          TestHistory.of(PartitionPeriod.MONTH, key, true).description("history"));
    }
    return collections;
  }

  /** Each with the collections that it names. */
  @Test
  void theRolesAreThoseThatAreShipped() {
    List<Role> roles =
        Role.shipped(
            new Role.Names(
                "lastfix",
                "last_known_location",
                "history",
                "devices",
                "forgotten",
                "forgotten_audit"));
    List<List<String>> rows = rows("## Roles", 0);

    assertThat(rows)
        .extracting(cells -> cells.get(0))
        .containsExactlyElementsOf(
            roles.stream()
                .map(
                    role ->
                        "`%s`".formatted(role.name())
                            + (role.database().equals("lastfix")
                                ? ""
                                : " in `%s`".formatted(role.database())))
                .toList());
    for (int i = 0; i < rows.size(); i++) {
      assertThat(names(rows.get(i).get(2)))
          .as(roles.get(i).name())
          .containsAll(
              roles.get(i).rights().getArray("privileges").stream()
                  .map(privilege -> privilege.asDocument().getDocument("resource"))
                  .filter(resource -> resource.getString("db").getValue().equals("lastfix"))
                  .map(resource -> resource.getString("collection").getValue())
                  .filter(name -> !name.isEmpty())
                  .toList());
    }
  }

  private static BsonDocument inserted(LocatedRecord record) {
    return ((InsertOneModel<BsonDocument>) new HistoryDocumentConverter().apply(record))
        .getDocument();
  }

  private static BsonDocument update(WriteModel<BsonDocument> write) {
    return Objects.requireNonNull(((UpdateOneModel<BsonDocument>) write).getUpdate())
        .toBsonDocument();
  }

  private static BsonDocument replaced(StoredResult result) {
    return ((ReplaceOneModel<BsonDocument>) ResultConverter.ofStream().apply(result))
        .getReplacement();
  }
}
