package io.lastfix.audit;

import com.mongodb.client.MongoCursor;
import io.lastfix.audit.Discrepancy.Kind;
import io.lastfix.audit.ExpectedRecordStore.Group;
import io.lastfix.audit.ExpectedRecordStore.Groups;
import io.lastfix.audit.PlaceJudge.Verdict;
import io.lastfix.audit.stored.DocumentsById;
import io.lastfix.audit.stored.HistoryLayout;
import io.lastfix.audit.stored.Place;
import io.lastfix.audit.stored.StoredCollections;
import io.lastfix.audit.stored.StoredDocument;
import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.audit.tree.OwnPosition;
import io.lastfix.workload.StepProgress;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Compares the topics' records with the collections of History, both in the order of {@code _id}.
 * Differences are checked {@link #judgeAgain again} at the end, because the job may still write
 * meanwhile.
 */
final class HistoryComparison {
  private static final int DOCUMENTS_PER_QUERY = 500;

  private final StoredCollections collections;
  private final HistoryLayout layout;
  private final ExpectedRecordStore sightings;
  private final PlaceJudge places;
  private final LastKnownComparison lastKnown;
  private final PartialMessages partial;
  private final Coverage coverage;
  private final Findings findings;
  private final ScratchDatabase.Insert suspects;

  HistoryComparison(
      ScratchDatabase scratch,
      StoredCollections collections,
      HistoryLayout layout,
      ExpectedRecordStore sightings,
      PlaceJudge places,
      LastKnownComparison lastKnown,
      PartialMessages partial,
      Coverage coverage,
      Findings findings)
      throws SQLException {
    this.collections = collections;
    this.layout = layout;
    this.sightings = sightings;
    this.places = places;
    this.lastKnown = lastKnown;
    this.partial = partial;
    this.coverage = coverage;
    this.findings = findings;
    scratch.execute("CREATE TABLE history_suspect (period, id)");
    suspects = scratch.insert("INSERT INTO history_suspect VALUES (?, ?)");
  }

  /**
   * The result of comparing a record with its document.
   *
   * @param verdict on the document's position of the cell; null if there is none to judge
   * @param place the document's position to use, if they agree and it has one
   */
  private record Outcome(
      @Nullable Kind discrepancy, @Nullable Verdict verdict, @Nullable Place place, String detail) {
    static final Outcome NOT_REQUIRED = new Outcome(null, null, null, "");

    static Outcome judged(Verdict verdict, @Nullable Place place) {
      return new Outcome(null, verdict, place, "");
    }

    static Outcome of(Kind discrepancy, String detail) {
      return new Outcome(discrepancy, null, null, detail);
    }
  }

  /** The approximate maximum number of documents that {@link #run} reads. */
  long expectedDocuments() {
    return collections.names().stream()
        .filter(layout::isHistory)
        .filter(name -> layout.period(name).stream().allMatch(this::isJudged))
        .mapToLong(collections::estimatedCount)
        .sum();
  }

  /** Runs the comparison. */
  void run(StepProgress progress) throws SQLException {
    NavigableMap<Long, String> byPeriod = new TreeMap<>();
    for (String name : collections.names()) {
      if (layout.isHistory(name)) {
        layout
            .period(name)
            .ifPresentOrElse(
                period -> byPeriod.put(period, name), () -> reportForeign(name, progress));
      }
    }
    byPeriod.keySet().removeIf(period -> !isJudged(period));
    try (Groups groups = sightings.sorted()) {
      @Nullable Group group = groups.next();
      for (Map.Entry<Long, String> collection : byPeriod.entrySet()) {
        long period = collection.getKey();
        try (DocumentsById documents = documents(collection.getValue())) {
          while (documents.hasNext()) {
            List<BsonDocument> same = documents.next();
            same.forEach(document -> progress.step());
            BsonBinary id = id(same.get(0));
            if (id == null) {
              // No record has such an id.
              same.forEach(document -> reportExtra(collection.getValue(), document));
              continue;
            }
            while (group != null && group.compareTo(period, id) < 0) {
              settle(group, List.of());
              group = groups.next();
            }
            if (group != null && group.compareTo(period, id) == 0) {
              settle(group, same);
              group = groups.next();
            } else {
              settle(new Group(period, id, List.of(), 0, 0, 0), same);
            }
          }
        }
        reportOtherIds(collection.getValue(), progress);
      }
      while (group != null) {
        settle(group, List.of());
        group = groups.next();
      }
    }
  }

  private DocumentsById documents(String collection) {
    return new DocumentsById(collections.documents(collection, coverage.range().filterOfIds()));
  }

  /** Returns whether a collection of that period may hold documents to judge. */
  private boolean isJudged(long period) {
    AuditRange range = coverage.range();
    return period >= layout.period(coverage.keptFromMillis())
        && (range.from() == null || period >= layout.period(range.from().toEpochMilli()))
        && (range.to() == null || period <= layout.period(range.to().toEpochMilli() - 1));
  }

  /** The {@code _id}, if it has the job's form; else null. */
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
  private void settle(Group group, List<BsonDocument> documents) throws SQLException {
    BsonDocument document = bestOf(group, documents);
    Outcome outcome = outcome(group, document);
    rememberLocated(group, outcome);
    if (outcome.discrepancy() == null && documents.size() <= 1) {
      count(group, document != null, outcome);
    } else {
      suspects.row(group.period(), group.id().getData());
    }
  }

  /**
   * Of several documents with one {@code _id}, one that agrees, else the first; null if there is
   * none.
   */
  private @Nullable BsonDocument bestOf(Group group, List<BsonDocument> documents)
      throws SQLException {
    if (documents.isEmpty()) {
      return null;
    }
    if (documents.size() > 1) {
      for (BsonDocument document : documents) {
        if (outcome(group, document).discrepancy() == null) {
          return document;
        }
      }
    }
    return documents.get(0);
  }

  private Outcome outcome(Group group, @Nullable BsonDocument document) throws SQLException {
    if (document == null) {
      return group.isRequired() ? Outcome.of(Kind.MISSING, "") : Outcome.NOT_REQUIRED;
    }
    if (group.sightings().isEmpty()) {
      return Outcome.of(Kind.EXTRA, "");
    }
    StoredDocument stored = StoredDocument.ofHistory(document);
    if (stored == null) {
      return Outcome.of(Kind.DIFFERENT, "its fields are not those of a record");
    }
    FoundRecord record = group.sightings().get(0).record();
    if (!stored.user().equals(record.user())
        || stored.timestampMillis() != record.timestampMillis()
        || !Objects.equals(stored.cell(), record.cell())) {
      return Outcome.of(Kind.DIFFERENT, "its user, ts or cell are not those of its _id");
    }
    return record.own() == null
        ? atCell(group, stored)
        : atOwnPosition(group, record.own(), stored);
  }

  private Outcome atCell(Group group, StoredDocument stored) throws SQLException {
    if (stored.isOwn()) {
      return Outcome.of(Kind.DIFFERENT, "src is not cell, though the record has no position");
    }
    String radio = stored.radio();
    if (radio != null
        && group.sightings().stream().noneMatch(it -> radioOf(it.record()).equals(radio))) {
      return Outcome.of(Kind.DIFFERENT, "radio is not the record's");
    }
    Place place = stored.place();
    Verdict verdict =
        place == null || stored.locatedMillis() == null
            ? places.judge(group.sightings(), place)
            : places.judgeLocatedLater(group.sightings(), place, stored.locatedMillis());
    return switch (verdict) {
      case RIGHT, LATER, UNDECIDED -> Outcome.judged(verdict, place);
      case WRONG ->
          Outcome.of(
              Kind.DIFFERENT,
              place == null
                  ? "no loc, though the catalogue has the cell"
                  : "loc is not the cell's position in the catalogue");
    };
  }

  private static String radioOf(FoundRecord record) {
    return record.radio() == null ? StoredDocument.NO_RADIO : record.radio().name();
  }

  /** One of the sightings decided the fields that are no part of the identity. */
  private Outcome atOwnPosition(Group group, OwnPosition own, StoredDocument stored)
      throws SQLException {
    Place place = new Place(own.lon(), own.lat());
    if (!place.equals(stored.place()) || !own.source().equals(stored.source())) {
      return Outcome.of(Kind.DIFFERENT, "its loc or src are not those of its _id");
    }
    if (group.sightings().stream().noneMatch(sighting -> isOf(sighting, stored))) {
      return Outcome.of(Kind.DIFFERENT, "acc, alt or shape are not the record's");
    }
    Place cellPlace = stored.cellPlace();
    Verdict verdict = places.judgeCell(group.sightings(), cellPlace);
    if (verdict == Verdict.WRONG) {
      return Outcome.of(
          Kind.DIFFERENT,
          cellPlace == null
              ? "no cellLoc, though the catalogue had the cell"
              : "cellLoc is not the cell's position in the catalogue");
    }
    if (cellPlace != null) {
      Verdict far = places.judgeFar(group.sightings(), cellPlace, stored.isFar());
      if (far == Verdict.WRONG) {
        return Outcome.of(
            Kind.DIFFERENT,
            stored.isFar()
                ? "far, though loc and cellLoc are near each other, or the range is unknown"
                : "not far, though loc and cellLoc are far apart");
      }
      verdict = far.compareTo(verdict) < 0 ? far : verdict;
    }
    return Outcome.judged(verdict, place);
  }

  /** A document may lack the shape: it may be older than the profile's {@code keep-shape}. */
  private static boolean isOf(ExpectedRecord sighting, StoredDocument stored) {
    OwnPosition own = Objects.requireNonNull(sighting.record().own(), "own");
    BsonDocument shape = own.shape() == null ? null : BsonDocument.parse(own.shape());
    return Objects.equals(own.accuracyMeters(), stored.accuracyMeters())
        && Objects.equals(own.altitudeMeters(), stored.altitudeMeters())
        && (stored.shape() == null || stored.shape().equals(shape));
  }

  /**
   * Last Known Location must be at least as new as the records that must be in History with a
   * position.
   */
  private void rememberLocated(Group group, Outcome outcome) throws SQLException {
    if (group.sightings().isEmpty()) {
      return;
    }
    FoundRecord record = group.sightings().get(0).record();
    if (record.own() != null) {
      if (outcome.place() != null || group.isRequired()) {
        lastKnown.located(group.sightings());
      }
    } else if (outcome.place() != null) {
      lastKnown.located(record, outcome.place(), group.isRequired());
    } else if (group.isRequired() && places.judge(group.sightings(), null) == Verdict.WRONG) {
      lastKnown.located(record, null, true);
    }
  }

  private void count(Group group, boolean isStored, Outcome outcome) throws SQLException {
    if (isStored && group.rejected() > 0) {
      partial.stored(group.period(), group.id().getData());
    }
    if (isStored && group.total() > 0) {
      findings.history++;
      findings.duplicates += group.total() - 1;
      findings.recovered += group.rejected();
      findings.undecidedPlaces += outcome.verdict() == Verdict.UNDECIDED ? 1 : 0;
      findings.laterPlaces += outcome.verdict() == Verdict.LATER ? 1 : 0;
      return;
    }
    findings.rejectedReadableNow += group.rejected();
    if (group.isRequired()) {
      findings.duplicates += group.total() - group.rejected() - 1;
    } else {
      findings.notDue += group.notDue();
    }
    if (group.rejected() > 0
        && coverage.isAcceptedNow(group.sightings().get(0).record().timestampMillis())) {
      findings.replayable += group.rejected();
    }
  }

  /** Checks all differences again, with the messages that arrived meanwhile. */
  void judgeAgain(StepProgress progress) throws SQLException {
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
    partial.report(findings);
  }

  private void judgeAgain(List<Group> batch) throws SQLException {
    String collection = layout.collection(batch.get(0).period());
    Map<BsonValue, List<BsonDocument>> byId =
        DocumentsById.of(collections.find(collection, batch.stream().map(Group::id).toList()));
    for (Group group : batch) {
      List<BsonDocument> documents = byId.getOrDefault(group.id(), List.of());
      if (group.sightings().isEmpty()) {
        documents.forEach(document -> reportExtra(collection, document));
        continue;
      }
      BsonDocument document = bestOf(group, documents);
      Outcome outcome = outcome(group, document);
      count(group, document != null, outcome);
      if (outcome.discrepancy() != null) {
        report(outcome.discrepancy(), group, outcome.detail());
      }
      for (int i = 1; i < documents.size(); i++) {
        report(Kind.EXTRA, group, "another document with the same _id");
      }
    }
  }

  private void report(Kind kind, Group group, String detail) {
    FoundRecord record = group.sightings().get(0).record();
    findings.add(Discrepancy.of(kind, record, layout.collection(group.period()), detail));
  }

  /**
   * Reports a collection of another kind of period than the job's, which cannot belong to the job.
   */
  private void reportForeign(String collection, StepProgress progress) {
    try (DocumentsById documents = documents(collection)) {
      while (documents.hasNext()) {
        for (BsonDocument document : documents.next()) {
          reportExtra(collection, document);
          progress.step();
        }
      }
    }
    reportOtherIds(collection, progress);
  }

  /**
   * Reports the documents whose {@code _id} cannot be a record's. A range's filter of ids skips
   * them; an audit of all time reads them with the others.
   */
  private void reportOtherIds(String collection, StepProgress progress) {
    if (coverage.range().isAll()) {
      return;
    }
    try (MongoCursor<BsonDocument> below =
            collections.documentsBelow(collection, HistoryLayout.FIRST_ID);
        MongoCursor<BsonDocument> above =
            collections.documentsFrom(collection, HistoryLayout.END_OF_IDS)) {
      for (MongoCursor<BsonDocument> documents : List.of(below, above)) {
        while (documents.hasNext()) {
          reportOtherId(collection, documents.next());
          progress.step();
        }
      }
    }
  }

  /** Only its {@code ts} can tell its time; without one, it may be of any time. */
  private void reportOtherId(String collection, BsonDocument document) {
    BsonValue ts = document.get("ts");
    if (ts == null || !ts.isDateTime() || coverage.range().contains(ts.asDateTime().getValue())) {
      reportExtra(collection, document);
    }
  }

  private void reportExtra(String collection, BsonDocument document) {
    StoredDocument stored = StoredDocument.ofHistory(document);
    if (stored != null
        && (!coverage.range().contains(stored.timestampMillis())
            || !coverage.isKept(stored.timestampMillis()))) {
      return;
    }
    if (stored != null && !coverage.isCovered(stored.timestampMillis())) {
      findings.notCovered++;
      return;
    }
    findings.add(
        stored == null
            ? Discrepancy.at(Kind.EXTRA, collection, "its fields are not those of a record")
            : new Discrepancy(
                Kind.EXTRA,
                stored.user(),
                Instant.ofEpochMilli(stored.timestampMillis()),
                stored.cell(),
                collection,
                ""));
  }
}
