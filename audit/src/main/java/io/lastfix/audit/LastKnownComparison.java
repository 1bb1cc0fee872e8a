package io.lastfix.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.audit.Discrepancy.Kind;
import io.lastfix.audit.ExpectedRecordStore.Group;
import io.lastfix.audit.ExpectedRecordStore.Groups;
import io.lastfix.audit.stored.DocumentsById;
import io.lastfix.audit.stored.HistoryLayout;
import io.lastfix.audit.stored.Newest;
import io.lastfix.audit.stored.Place;
import io.lastfix.audit.stored.StoredCollections;
import io.lastfix.audit.stored.StoredDocument;
import io.lastfix.audit.stored.StoredDocument.LastKnown;
import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.workload.StepProgress;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Compares the newest located record of each user, and the newest with a position of its own, with
 * Last Known Location, in the order of the user. Differences are {@link #readAgain read again} at
 * the end.
 *
 * <p>The collection may be ahead of the expected state, by a record that is not committed yet. It
 * must never be behind, nor hold a position that is in no message.
 */
final class LastKnownComparison {
  private static final int DOCUMENTS_PER_QUERY = 500;

  /** The number of columns of a {@link Newest}. */
  private static final int WIDTH = Newest.row(null).length;

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
  private final ScratchDatabase.Insert judged;

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
    scratch.execute("CREATE TABLE located (user, required, " + Newest.COLUMNS + ")");
    located = scratch.insert("INSERT INTO located VALUES (?, ?" + ", ?".repeat(WIDTH) + ")");
    // The required last and fix; nulls: none is.
    scratch.execute("CREATE TABLE last_suspect (user, a, b, c, d, e, f, g, h, i, j, k, l)");
    suspects = scratch.insert("INSERT INTO last_suspect VALUES (?" + ", ?".repeat(2 * WIDTH) + ")");
    // Includes the period and id that the stored record has in History. A user has a row for last,
    // and one for fix.
    scratch.execute("CREATE TABLE last_again (period, id, user, " + Newest.COLUMNS + ")");
    again = scratch.insert("INSERT INTO last_again VALUES (?, ?, ?" + ", ?".repeat(WIDTH) + ")");
    // The columns after the outcome are of a discrepancy. A user has a row for last, and one for
    // fix.
    scratch.execute("CREATE TABLE last_judged (user, outcome, kind, ts, cell, detail)");
    judged = scratch.insert("INSERT INTO last_judged VALUES (?, ?, ?, ?, ?, ?)");
  }

  /**
   * Notes a record at a cell.
   *
   * @param place the position in History; null if History lacks it
   * @param isRequired whether its user's document must be at least as new
   */
  void located(FoundRecord record, @Nullable Place place, boolean isRequired) throws SQLException {
    insert(record.user(), Newest.ofCell(record, place), isRequired);
  }

  /**
   * Notes a record with a position of its own.
   *
   * @param sightings all of them; they may differ in their accuracy, of which any is right
   */
  void located(List<ExpectedRecord> sightings) throws SQLException {
    // A topic may have been replayed many times.
    Map<Newest, Boolean> isRequired = new LinkedHashMap<>();
    for (ExpectedRecord sighting : sightings) {
      isRequired.merge(
          Newest.ofOwn(sighting.record()),
          sighting.demand() == Demand.REQUIRED,
          Boolean::logicalOr);
    }
    for (Map.Entry<Newest, Boolean> newest : isRequired.entrySet()) {
      insert(sightings.get(0).record().user(), newest.getKey(), newest.getValue());
    }
  }

  private void insert(String user, Newest newest, boolean isRequired) throws SQLException {
    located.row(row(List.of(user.getBytes(UTF_8), isRequired ? 1 : 0), newest));
  }

  /** The values, then the columns of each record. */
  private static @Nullable Object[] row(List<Object> first, @Nullable Newest... newest) {
    List<@Nullable Object> values = new ArrayList<>(first);
    for (Newest one : newest) {
      values.addAll(Arrays.asList(Newest.row(one)));
    }
    return values.toArray();
  }

  long expectedDocuments() {
    return collections.estimatedCount(collection);
  }

  /** Compares the located records of one user with the document. */
  private static final class User {
    private final byte[] user;
    private @Nullable Newest required;
    private @Nullable Newest requiredFix;
    private boolean holdsLast;
    private boolean holdsFix;

    User(byte[] user) {
      this.user = user;
    }

    void add(ResultSet row, @Nullable LastKnown document) throws SQLException {
      Newest newest = Objects.requireNonNull(Newest.read(row, 3));
      if (row.getInt(2) == 1) {
        // In ascending order: the last is the newest.
        required = newest;
        requiredFix = newest.isOwn() ? newest : requiredFix;
      }
      if (document != null && newest.place() != null) {
        holdsLast |= newest.equals(document.last());
        holdsFix |= newest.equals(document.fix());
      }
    }

    boolean agreesWith(@Nullable LastKnown document) {
      return document == null
          ? required == null
          : holdsLast
              && (holdsFix || document.fix() == null)
              && difference(document, required, requiredFix) == null;
    }
  }

  /** Describes how a document is behind what is required of it; null if it is not. */
  private static @Nullable String difference(
      LastKnown document, @Nullable Newest required, @Nullable Newest requiredFix) {
    Newest last = document.last();
    Newest fix = document.fix();
    if (required != null && required.isAfter(last)) {
      return "it is older: " + words(last);
    }
    if (requiredFix != null && fix == null) {
      return "it has no fix, expected " + words(requiredFix);
    }
    if (requiredFix != null && requiredFix.isAfter(fix)) {
      return "its fix is older: " + words(fix);
    }
    if (fix != null && fix.isAfter(last)) {
      return "its fix is newer than last: " + words(fix);
    }
    return last.isOwn() && !last.equals(fix)
        ? "its fix is another than last, which has a position of its own"
        : null;
  }

  private static String words(Newest newest) {
    return "%s, %s"
        .formatted(
            Instant.ofEpochMilli(newest.timestampMillis()),
            newest.cell().isEmpty() ? "no cell" : "cell " + newest.cell());
  }

  /** Runs the comparison. */
  void run(StepProgress progress) throws SQLException {
    scratch.flush();
    try (PreparedStatement select =
            scratch.prepare("SELECT * FROM located ORDER BY user, " + Newest.COLUMNS);
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
          suspects.row(row(List.of(user), null, null));
        }
      }
      while (hasRow) {
        hasRow = settle(rows, List.of());
      }
    }
  }

  /** Returns whether a document is judged although no message in the range names its user. */
  private boolean mayBeInRange(BsonDocument document) {
    LastKnown stored = StoredDocument.ofLastKnown(document);
    return stored == null || coverage.range().contains(stored.last().timestampMillis());
  }

  /** Reads all rows of the present user; returns false after the last row. */
  private boolean settle(ResultSet rows, List<BsonDocument> documents) throws SQLException {
    BsonDocument document = documents.isEmpty() ? null : documents.get(0);
    LastKnown stored = document == null ? null : StoredDocument.ofLastKnown(document);
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
      suspects.row(row(List.of(user.user), user.required, user.requiredFix));
    }
    return hasRow;
  }

  /** What a user's document must not be older than. */
  private record Required(@Nullable Newest last, @Nullable Newest fix) {}

  /** Reads the stored documents of all users with differences again. */
  void readAgain() throws SQLException {
    scratch.flush();
    Map<String, Required> batch = new HashMap<>();
    try (PreparedStatement select = scratch.prepare("SELECT * FROM last_suspect");
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        batch.put(
            new String(rows.getBytes(1), UTF_8),
            new Required(Newest.read(rows, 2), Newest.read(rows, 2 + WIDTH)));
        if (batch.size() == DOCUMENTS_PER_QUERY) {
          readAgain(batch);
          batch.clear();
        }
      }
    }
    readAgain(batch);
    scratch.flush();
  }

  private void readAgain(Map<String, Required> users) throws SQLException {
    List<BsonString> ids = users.keySet().stream().map(BsonString::new).toList();
    Map<BsonValue, List<BsonDocument>> byId = DocumentsById.of(collections.find(collection, ids));
    for (Map.Entry<String, Required> entry : users.entrySet()) {
      String user = entry.getKey();
      Newest required = entry.getValue().last();
      List<BsonDocument> documents = byId.getOrDefault(new BsonString(user), List.of());
      BsonDocument document = documents.isEmpty() ? null : documents.get(0);
      LastKnown stored = document == null ? null : StoredDocument.ofLastKnown(document);
      if (document == null) {
        if (required != null) {
          report(Kind.LAST_MISSING, user, required, "");
        }
      } else if (stored == null) {
        report(Kind.LAST_DIFFERENT, user, required, "its fields are not those of a place");
      } else {
        String difference = difference(stored, required, entry.getValue().fix());
        if (difference != null) {
          report(Kind.LAST_DIFFERENT, user, required, difference);
        } else {
          judgeLater(user, stored.last());
          if (stored.fix() != null) {
            judgeLater(user, stored.fix());
          }
        }
      }
      for (int i = 1; i < documents.size(); i++) {
        report(Kind.LAST_EXTRA, user, null, "another document with the same _id");
      }
    }
  }

  private void judgeLater(String user, Newest stored) throws SQLException {
    String cell = stored.cell().isEmpty() ? null : stored.cell();
    again.row(
        row(
            List.of(
                layout.period(stored.timestampMillis()),
                layout.id(stored.timestampMillis(), cell, stored.ownIdentity(), user),
                user),
            stored));
  }

  /** The outcomes for last or fix, from bad to good; the worse one counts for the user. */
  private enum Outcome {
    REPORTED,
    NOT_COVERED,
    UNDECIDED,
    LATER,
    RIGHT;

    private static final List<Outcome> ALL = List.of(values());
  }

  /** Judges these documents again, by the topics' present content. */
  void judgeAgain() throws SQLException {
    try (Groups groups = sightings.sortedFor("last_again");
        PreparedStatement select = scratch.prepare("SELECT * FROM last_again ORDER BY period, id");
        ResultSet rows = select.executeQuery()) {
      @Nullable Group group = groups.next();
      while (rows.next()) {
        while (group != null
            && group.compareTo(rows.getLong(1), new BsonBinary(rows.getBytes(2))) < 0) {
          group = groups.next();
        }
        Newest stored = Objects.requireNonNull(Newest.read(rows, 4));
        Judgement judgement = judge(Objects.requireNonNull(group, "a group for each row"), stored);
        judged.row(
            rows.getString(3),
            Outcome.ALL.indexOf(judgement.outcome()),
            judgement.kind() == null ? null : judgement.kind().name(),
            stored.timestampMillis(),
            stored.cell(),
            judgement.detail());
      }
    }
    scratch.flush();
    try (PreparedStatement select =
            // With min(), SQLite takes the other columns from a row that has it.
            scratch.prepare(
                "SELECT min(outcome), user, kind, ts, cell, detail FROM last_judged GROUP BY user");
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        count(Outcome.ALL.get(rows.getInt(1)), rows);
      }
    }
  }

  private void count(Outcome outcome, ResultSet user) throws SQLException {
    switch (outcome) {
      case REPORTED ->
          report(
              Kind.valueOf(user.getString(3)),
              user.getString(2),
              user.getLong(4),
              user.getString(5),
              user.getString(6));
      case NOT_COVERED -> findings.notCovered++;
      case UNDECIDED -> findings.undecidedUsers++;
      case LATER -> {
        findings.users++;
        findings.laterUsers++;
      }
      case RIGHT -> findings.users++;
    }
  }

  /**
   * What is found about last or fix.
   *
   * @param kind null if there is no discrepancy
   */
  private record Judgement(Outcome outcome, @Nullable Kind kind, String detail) {
    private static Judgement of(Outcome outcome) {
      return new Judgement(outcome, null, "");
    }

    private static Judgement reported(Kind kind, String detail) {
      return new Judgement(Outcome.REPORTED, kind, detail);
    }
  }

  private Judgement judge(Group group, Newest stored) throws SQLException {
    if (group.sightings().isEmpty()) {
      if (!coverage.range().contains(stored.timestampMillis())) {
        return Judgement.of(Outcome.RIGHT);
      }
      return coverage.isCovered(stored.timestampMillis())
          ? Judgement.reported(Kind.LAST_EXTRA, "")
          : Judgement.of(Outcome.NOT_COVERED);
    }
    if (stored.isOwn()) {
      // Its id is that of its position and source.
      return group.sightings().stream().anyMatch(it -> stored.equals(Newest.ofOwn(it.record())))
          ? Judgement.of(Outcome.RIGHT)
          : Judgement.reported(Kind.LAST_DIFFERENT, "acc is not the record's");
    }
    return switch (places.judge(group.sightings(), stored.place())) {
      case WRONG ->
          Judgement.reported(
              Kind.LAST_DIFFERENT, "loc is not the cell's position in the catalogue");
      case UNDECIDED -> Judgement.of(Outcome.UNDECIDED);
      case LATER -> Judgement.of(Outcome.LATER);
      case RIGHT -> Judgement.of(Outcome.RIGHT);
    };
  }

  private void report(Kind kind, @Nullable String user, @Nullable Newest record, String detail) {
    if (record == null) {
      findings.add(new Discrepancy(kind, user, null, null, collection, detail));
    } else {
      report(kind, user, record.timestampMillis(), record.cell(), detail);
    }
  }

  private void report(
      Kind kind, @Nullable String user, long timestampMillis, String cell, String detail) {
    findings.add(
        new Discrepancy(
            kind,
            user,
            Instant.ofEpochMilli(timestampMillis),
            cell.isEmpty() ? null : cell,
            collection,
            detail));
  }
}
