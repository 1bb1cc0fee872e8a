package io.lastfix.cli.audit;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import io.lastfix.cli.audit.Discrepancy.Kind;
import io.lastfix.cli.audit.PlaceJudge.Verdict;
import io.lastfix.cli.audit.SightingStore.Group;
import io.lastfix.cli.audit.SightingStore.Groups;
import io.lastfix.cli.audit.tree.FoundRecord;
import io.lastfix.cli.catalog.CatalogImport;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the topics say with the collections of History, both in the order of {@code _id}.
 * What does not agree is looked at {@link #judgeAgain again} at the end, since the job may go on
 * writing meanwhile.
 */
final class HistoryComparison {
  private static final int DOCUMENTS_PER_QUERY = 500;

  private final MongoDatabase database;
  private final HistoryLayout layout;
  private final SightingStore sightings;
  private final PlaceJudge places;
  private final LastKnownComparison lastKnown;
  private final Coverage coverage;
  private final Findings findings;
  private final ScratchDatabase.Insert suspects;

  HistoryComparison(
      ScratchDatabase scratch,
      MongoDatabase database,
      HistoryLayout layout,
      SightingStore sightings,
      PlaceJudge places,
      LastKnownComparison lastKnown,
      Coverage coverage,
      Findings findings)
      throws SQLException {
    this.database = database;
    this.layout = layout;
    this.sightings = sightings;
    this.places = places;
    this.lastKnown = lastKnown;
    this.coverage = coverage;
    this.findings = findings;
    scratch.execute("CREATE TABLE history_suspect (period, id)");
    suspects = scratch.insert("INSERT INTO history_suspect VALUES (?, ?)");
  }

  /** How a record and its document agree. */
  private record Outcome(@Nullable Kind discrepancy, boolean isPlaceUndecided, String detail) {
    static final Outcome AGREED = new Outcome(null, false, "");
    static final Outcome UNDECIDED = new Outcome(null, true, "");

    static Outcome of(Kind discrepancy, String detail) {
      return new Outcome(discrepancy, false, detail);
    }
  }

  /** How many documents {@link #run} will read, about. */
  long expectedDocuments() {
    long documents = 0;
    for (String name : database.listCollectionNames()) {
      if (layout.isHistory(name)) {
        documents += database.getCollection(name).estimatedDocumentCount();
      }
    }
    return documents;
  }

  /** Compares all of it. */
  void run(CatalogImport.Progress progress) throws SQLException {
    NavigableMap<Long, String> collections = new TreeMap<>();
    for (String name : database.listCollectionNames()) {
      if (layout.isHistory(name)) {
        layout
            .period(name)
            .ifPresentOrElse(
                period -> collections.put(period, name), () -> reportForeign(name, progress));
      }
    }
    try (Groups groups = sightings.sorted()) {
      @Nullable Group group = groups.next();
      for (Map.Entry<Long, String> collection : collections.entrySet()) {
        long period = collection.getKey();
        try (MongoCursor<BsonDocument> documents = documents(collection.getValue())) {
          while (documents.hasNext()) {
            BsonDocument document = documents.next();
            progress.step();
            BsonBinary id = id(document);
            if (id == null) {
              // No record has such an id.
              reportExtra(collection.getValue(), document);
              continue;
            }
            while (group != null && group.compareTo(period, id) < 0) {
              settle(group, null);
              group = groups.next();
            }
            if (group != null && group.compareTo(period, id) == 0) {
              settle(group, document);
              group = groups.next();
            } else {
              settle(new Group(period, id, List.of(), 0, 0, 0), document);
            }
          }
        }
      }
      while (group != null) {
        settle(group, null);
        group = groups.next();
      }
    }
  }

  private MongoCursor<BsonDocument> documents(String collection) {
    return collection(collection)
        .find(coverage.filter())
        .sort(Sorts.ascending("_id"))
        .hint(new BsonDocument("_id", new BsonInt32(1)))
        .iterator();
  }

  private MongoCollection<BsonDocument> collection(String name) {
    return database.getCollection(name, BsonDocument.class);
  }

  /** The job's own kind of {@code _id}; null for any other. */
  private static @Nullable BsonBinary id(BsonDocument document) {
    BsonValue id = document.get("_id");
    if (id == null || !id.isBinary()) {
      return null;
    }
    BsonBinary binary = id.asBinary();
    return binary.getType() == 0 && binary.getData().length == HistoryLayout.ID_BYTES
        ? binary
        : null;
  }

  /** Counts a record that agrees with its document, and keeps any other for the end. */
  private void settle(Group group, @Nullable BsonDocument document) throws SQLException {
    Outcome outcome = outcome(group, document);
    rememberLocated(group, document, outcome);
    if (outcome.discrepancy() == null) {
      count(group, document != null, outcome);
    } else {
      suspects.row(group.period(), group.id().getData());
    }
  }

  private Outcome outcome(Group group, @Nullable BsonDocument document) throws SQLException {
    if (document == null) {
      return group.isRequired() ? Outcome.of(Kind.MISSING, "") : Outcome.AGREED;
    }
    StoredDocument stored = StoredDocument.ofHistory(document);
    if (group.sightings().isEmpty()) {
      return Outcome.of(Kind.EXTRA, "");
    }
    if (stored == null) {
      return Outcome.of(Kind.DIFFERENT, "its fields are not those of a record");
    }
    FoundRecord record = group.sightings().get(0).record();
    if (!stored.user().equals(record.user())
        || stored.timestampMillis() != record.timestampMillis()
        || !stored.cell().equals(record.cell())) {
      return Outcome.of(Kind.DIFFERENT, "its user, ts or cell are not those of its _id");
    }
    return switch (places.judge(group.sightings(), stored.place())) {
      case RIGHT -> Outcome.AGREED;
      case UNDECIDED -> Outcome.UNDECIDED;
      case WRONG ->
          Outcome.of(
              Kind.DIFFERENT,
              stored.place() == null
                  ? "no loc, though the catalogue has the cell"
                  : "loc is not where the catalogue has the cell");
    };
  }

  /** Last Known Location must be at least as new as what must be in History with a place. */
  private void rememberLocated(Group group, @Nullable BsonDocument document, Outcome outcome)
      throws SQLException {
    if (group.sightings().isEmpty()) {
      return;
    }
    FoundRecord record = group.sightings().get(0).record();
    StoredDocument stored = document == null ? null : StoredDocument.ofHistory(document);
    if (stored != null && stored.place() != null && outcome.discrepancy() == null) {
      lastKnown.located(record, stored.place(), group.isRequired());
    } else if (group.isRequired() && places.judge(group.sightings(), null) == Verdict.WRONG) {
      lastKnown.located(record, null, true);
    }
  }

  private void count(Group group, boolean isStored, Outcome outcome) {
    if (isStored && group.total() > 0) {
      findings.history++;
      findings.duplicates += group.total() - 1;
      findings.recovered += group.rejected();
      findings.undecidedPlaces += outcome.isPlaceUndecided() ? 1 : 0;
      return;
    }
    findings.rejectedReadableNow += group.rejected();
    if (group.isRequired()) {
      findings.duplicates += group.total() - group.rejected() - 1;
    } else {
      findings.notDue += group.notDue();
    }
    if (group.rejected() > 0
        && coverage.isBelievedNow(group.sightings().get(0).record().timestampMillis())) {
      findings.replayable += group.rejected();
    }
  }

  /** Looks once more at all that did not agree, with what came into the topics meanwhile. */
  void judgeAgain(CatalogImport.Progress progress) throws SQLException {
    try (Groups groups = sightings.sortedFor("history_suspect")) {
      List<Group> batch = new ArrayList<>();
      @Nullable Group group = groups.next();
      while (group != null) {
        if (batch.size() == DOCUMENTS_PER_QUERY
            || (!batch.isEmpty() && batch.get(0).period() != group.period())) {
          judgeAgain(batch);
          batch.clear();
        }
        batch.add(group);
        progress.step();
        group = groups.next();
      }
      if (!batch.isEmpty()) {
        judgeAgain(batch);
      }
    }
  }

  private void judgeAgain(List<Group> batch) throws SQLException {
    String collection = layout.collection(batch.get(0).period());
    Map<BsonValue, BsonDocument> documents = new HashMap<>();
    List<BsonBinary> ids = batch.stream().map(Group::id).toList();
    collection(collection)
        .find(Filters.in("_id", ids))
        .forEach(document -> documents.put(document.get("_id"), document));
    for (Group group : batch) {
      BsonDocument document = documents.get(group.id());
      Outcome outcome = outcome(group, document);
      Kind discrepancy = outcome.discrepancy();
      if (discrepancy == Kind.EXTRA) {
        reportExtra(collection, document);
        continue;
      }
      count(group, document != null, outcome);
      if (discrepancy != null) {
        FoundRecord record = group.sightings().get(0).record();
        findings.add(
            new Discrepancy(
                discrepancy,
                record.user(),
                Instant.ofEpochMilli(record.timestampMillis()),
                record.cell(),
                collection,
                outcome.detail()));
      }
    }
  }

  /** A collection of another kind of period than the job's: nothing in it can be the job's. */
  private void reportForeign(String collection, CatalogImport.Progress progress) {
    try (MongoCursor<BsonDocument> documents = documents(collection)) {
      while (documents.hasNext()) {
        reportExtra(collection, documents.next());
        progress.step();
      }
    }
  }

  private void reportExtra(String collection, @Nullable BsonDocument document) {
    StoredDocument stored = document == null ? null : StoredDocument.ofHistory(document);
    if (stored != null && !coverage.isCovered(stored.timestampMillis())) {
      findings.notCovered++;
      return;
    }
    findings.add(
        stored == null
            ? new Discrepancy(
                Kind.EXTRA, null, null, null, collection, "its fields are not those of a record")
            : new Discrepancy(
                Kind.EXTRA,
                stored.user(),
                Instant.ofEpochMilli(stored.timestampMillis()),
                stored.cell(),
                collection,
                ""));
  }
}
