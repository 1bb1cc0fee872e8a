package io.lastfix.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.audit.Discrepancy.Kind;
import io.lastfix.audit.ExpectedRecordStore.Group;
import io.lastfix.audit.ExpectedRecordStore.Groups;
import io.lastfix.audit.PlaceJudge.Verdict;
import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.workload.StepProgress;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Compares the newest located record of each user, by (ts, cell), with Last Known Location, both in
 * the order of the user. Differences are {@link #readAgain read again} at the end.
 *
 * <p>The collection may be ahead of the expected state, by a record that is not committed yet. It
 * must never be behind, nor hold a position that is in no message.
 */
final class LastKnownComparison {
  private static final int DOCUMENTS_PER_QUERY = 500;

  private final ScratchDatabase scratch;
  private final StoredCollections collections;
  private final String collection;
  private final HistoryLayout layout;
  private final ExpectedRecordStore sightings;
  private final PlaceJudge places;
  private final Coverage coverage;
  private final Findings findings;
  private final ScratchDatabase.Insert located;
  private final ScratchDatabase.Insert suspects;
  private final ScratchDatabase.Insert again;

  LastKnownComparison(
      ScratchDatabase scratch,
      StoredCollections collections,
      String collection,
      HistoryLayout layout,
      ExpectedRecordStore sightings,
      PlaceJudge places,
      Coverage coverage,
      Findings findings)
      throws SQLException {
    this.scratch = scratch;
    this.collections = collections;
    this.collection = collection;
    this.layout = layout;
    this.sightings = sightings;
    this.places = places;
    this.coverage = coverage;
    this.findings = findings;
    scratch.execute("CREATE TABLE located (user, ts, cell, lon, lat, required)");
    located = scratch.insert("INSERT INTO located VALUES (?, ?, ?, ?, ?, ?)");
    scratch.execute("CREATE TABLE last_suspect (user, ts, cell)");
    suspects = scratch.insert("INSERT INTO last_suspect VALUES (?, ?, ?)");
    // Includes the period and id that the document's record has in History.
    scratch.execute("CREATE TABLE last_again (period, id, user, ts, cell, lon, lat)");
    again = scratch.insert("INSERT INTO last_again VALUES (?, ?, ?, ?, ?, ?, ?)");
  }

  /** A timestamp and a cell, which decide which record is newer. */
  private record Newest(long timestampMillis, String cell) {
    boolean isAfter(long otherMillis, String otherCell) {
      return timestampMillis == otherMillis
          ? cell.compareTo(otherCell) > 0
          : timestampMillis > otherMillis;
    }
  }

  /**
   * Notes a record with a position.
   *
   * @param place the position in History; null if History lacks it
   * @param isRequired whether its user's document must be at least as new
   */
  void located(FoundRecord record, @Nullable Place place, boolean isRequired) throws SQLException {
    located.row(
        record.user().getBytes(UTF_8),
        record.timestampMillis(),
        record.cell(),
        place == null ? null : place.lon(),
        place == null ? null : place.lat(),
        isRequired ? 1 : 0);
  }

  long expectedDocuments() {
    return collections.estimatedCount(collection);
  }

  /** Compares the located records of one user with the document. */
  private static final class User {
    private final byte[] user;
    private @Nullable Newest required;
    private boolean holdsDocument;

    User(byte[] user) {
      this.user = user;
    }

    void add(ResultSet row, @Nullable StoredDocument document) throws SQLException {
      long ts = row.getLong(2);
      String cell = row.getString(3);
      if (row.getInt(6) == 1) {
        // In ascending order: the last is the newest.
        required = new Newest(ts, cell);
      }
      Place place = document == null ? null : document.place();
      holdsDocument |=
          document != null
              && place != null
              && document.timestampMillis() == ts
              && document.cell().equals(cell)
              && row.getObject(4) != null
              && place.equals(new Place(row.getDouble(4), row.getDouble(5)));
    }

    boolean agreesWith(@Nullable StoredDocument document) {
      if (document == null) {
        return required == null;
      }
      return holdsDocument
          && (required == null || !required.isAfter(document.timestampMillis(), document.cell()));
    }
  }

  /** Runs the comparison. */
  void run(StepProgress progress) throws SQLException {
    scratch.flush();
    try (PreparedStatement select =
            scratch.prepare("SELECT * FROM located ORDER BY user, ts, cell");
        ResultSet rows = select.executeQuery();
        DocumentsById documents =
            new DocumentsById(collections.documents(collection, new BsonDocument()))) {
      boolean hasRow = rows.next();
      while (documents.hasNext()) {
        List<BsonDocument> same = documents.next();
        same.forEach(document -> progress.step());
        BsonValue id = same.get(0).get("_id");
        if (id == null || !id.isString()) {
          same.forEach(document -> report(Kind.LAST_EXTRA, null, null, "its _id is no user"));
          continue;
        }
        byte[] user = id.asString().getValue().getBytes(UTF_8);
        while (hasRow && Arrays.compareUnsigned(rows.getBytes(1), user) < 0) {
          hasRow = settle(rows, List.of());
        }
        if (hasRow && Arrays.equals(rows.getBytes(1), user)) {
          hasRow = settle(rows, same);
        } else if (same.stream().anyMatch(this::mayBeInRange)) {
          suspects.row(user, null, null);
        }
      }
      while (hasRow) {
        hasRow = settle(rows, List.of());
      }
    }
  }

  /** Returns whether a document is judged although no message in the range names its user. */
  private boolean mayBeInRange(BsonDocument document) {
    StoredDocument stored = StoredDocument.ofLastKnown(document);
    return stored == null || coverage.range().contains(stored.timestampMillis());
  }

  /** Reads all rows of the present user; returns false after the last row. */
  private boolean settle(ResultSet rows, List<BsonDocument> documents) throws SQLException {
    BsonDocument document = documents.isEmpty() ? null : documents.get(0);
    StoredDocument stored = document == null ? null : StoredDocument.ofLastKnown(document);
    User user = new User(rows.getBytes(1));
    boolean hasRow;
    do {
      user.add(rows, stored);
      hasRow = rows.next();
    } while (hasRow && Arrays.equals(rows.getBytes(1), user.user));
    boolean isReadable = document == null || stored != null;
    if (user.agreesWith(stored) && isReadable && documents.size() <= 1) {
      findings.users += document == null ? 0 : 1;
    } else {
      Newest required = user.required;
      suspects.row(
          user.user,
          required == null ? null : required.timestampMillis(),
          required == null ? null : required.cell());
    }
    return hasRow;
  }

  /** Reads the stored documents of all users with differences again. */
  void readAgain() throws SQLException {
    scratch.flush();
    Map<String, @Nullable Newest> batch = new HashMap<>();
    try (PreparedStatement select = scratch.prepare("SELECT * FROM last_suspect");
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        String cell = rows.getString(3);
        batch.put(
            new String(rows.getBytes(1), UTF_8),
            cell == null ? null : new Newest(rows.getLong(2), cell));
        if (batch.size() == DOCUMENTS_PER_QUERY) {
          readAgain(batch);
          batch.clear();
        }
      }
    }
    readAgain(batch);
    scratch.flush();
  }

  private void readAgain(Map<String, @Nullable Newest> users) throws SQLException {
    List<BsonString> ids = users.keySet().stream().map(BsonString::new).toList();
    Map<BsonValue, List<BsonDocument>> byId = DocumentsById.of(collections.find(collection, ids));
    for (Map.Entry<String, @Nullable Newest> entry : users.entrySet()) {
      String user = entry.getKey();
      Newest required = entry.getValue();
      List<BsonDocument> documents = byId.getOrDefault(new BsonString(user), List.of());
      BsonDocument document = documents.isEmpty() ? null : documents.get(0);
      StoredDocument stored = document == null ? null : StoredDocument.ofLastKnown(document);
      if (document == null) {
        if (required != null) {
          report(Kind.LAST_MISSING, user, required, "");
        }
      } else if (stored == null) {
        report(Kind.LAST_DIFFERENT, user, required, "its fields are not those of a place");
      } else if (required != null && required.isAfter(stored.timestampMillis(), stored.cell())) {
        report(
            Kind.LAST_DIFFERENT,
            user,
            required,
            "it is older: %s, cell %s"
                .formatted(Instant.ofEpochMilli(stored.timestampMillis()), stored.cell()));
      } else {
        again.row(
            layout.period(stored.timestampMillis()),
            layout.id(stored.timestampMillis(), stored.cell(), user),
            user,
            stored.timestampMillis(),
            stored.cell(),
            stored.place() == null ? null : stored.place().lon(),
            stored.place() == null ? null : stored.place().lat());
      }
      for (int i = 1; i < documents.size(); i++) {
        report(Kind.LAST_EXTRA, user, null, "another document with the same _id");
      }
    }
  }

  /** Judges these documents again, by the topics' present content. */
  void judgeAgain() throws SQLException {
    try (Groups groups = sightings.sortedFor("last_again");
        PreparedStatement select = scratch.prepare("SELECT * FROM last_again ORDER BY period, id");
        ResultSet rows = select.executeQuery()) {
      @Nullable Group group = groups.next();
      while (group != null && rows.next()) {
        judgeAgain(group, rows);
        group = groups.next();
      }
    }
  }

  private void judgeAgain(Group group, ResultSet row) throws SQLException {
    Newest stored = new Newest(row.getLong(4), row.getString(5));
    Place place = new Place(row.getDouble(6), row.getDouble(7));
    if (!group.sightings().isEmpty()) {
      Verdict verdict = places.judge(group.sightings(), place);
      if (verdict == Verdict.WRONG) {
        report(
            Kind.LAST_DIFFERENT,
            row.getString(3),
            stored,
            "loc is not the cell's position in the catalogue");
      } else if (verdict == Verdict.UNDECIDED) {
        findings.undecidedUsers++;
      } else {
        findings.users++;
        findings.laterUsers += verdict == Verdict.LATER ? 1 : 0;
      }
    } else if (!coverage.range().contains(stored.timestampMillis())) {
      // Outside of the audited range.
      findings.users++;
    } else if (!coverage.isCovered(stored.timestampMillis())) {
      findings.notCovered++;
    } else {
      report(Kind.LAST_EXTRA, row.getString(3), stored, "");
    }
  }

  private void report(Kind kind, @Nullable String user, @Nullable Newest record, String detail) {
    findings.add(
        new Discrepancy(
            kind,
            user,
            record == null ? null : Instant.ofEpochMilli(record.timestampMillis()),
            record == null ? null : record.cell(),
            collection,
            detail));
  }
}
