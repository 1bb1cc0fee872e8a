package io.lastfix.audit;

import io.lastfix.audit.stored.HistoryLayout;
import io.lastfix.store.history.TestHistory;
import io.lastfix.workload.StepProgress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Runs both comparisons in the audit's order, over collections in memory. */
abstract class ComparisonFixture {
  static final String HISTORY = "history_2026_11";
  static final String LAST_KNOWN = "last_known_location";

  /** Those that a comparison makes. */
  private static final List<String> TABLES =
      List.of(
          "partial_message",
          "partial_record",
          "partial_stored",
          "located",
          "last_suspect",
          "last_again",
          "last_judged",
          "history_suspect");

  static final AuditRange ALL = new AuditRange(null, null);

  final HistoryLayout layout = new HistoryLayout(TestHistory.MONTHS);
  Findings findings = new Findings(10);
  final StoredInMemory stored = new StoredInMemory();
  ScratchDatabase scratch;
  ExpectedRecordStore sightings;
  Catalog catalog;

  @BeforeEach
  void open() throws Exception {
    scratch = new ScratchDatabase();
    sightings = new ExpectedRecordStore(scratch, layout, 2);
    catalog = new Catalog(scratch);
  }

  @AfterEach
  void close() throws Exception {
    scratch.close();
  }

  final void compare(AuditRange range) throws Exception {
    compare(new Coverage(range, Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE));
  }

  /** Compares anew, whatever was found before. */
  final void compare(Coverage coverage) throws Exception {
    findings = new Findings(10);
    for (String table : TABLES) {
      scratch.execute("DROP TABLE IF EXISTS " + table);
    }
    catalog.refresh();
    PartialMessages partial = new PartialMessages(scratch, layout);
    PlaceJudge places = new PlaceJudge(catalog, sightings, 0);
    LastKnownComparison lastKnown =
        new LastKnownComparison(
            scratch, stored, LAST_KNOWN, layout, sightings, places, coverage, findings);
    HistoryComparison history =
        new HistoryComparison(
            scratch, stored, layout, sightings, places, lastKnown, partial, coverage, findings);
    history.run(StepProgress.silent());
    lastKnown.run(StepProgress.silent());
    lastKnown.readAgain();
    history.judgeAgain(StepProgress.silent());
    lastKnown.judgeAgain();
  }
}
