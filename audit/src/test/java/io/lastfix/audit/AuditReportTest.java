package io.lastfix.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.audit.AuditReport.Demanded;
import io.lastfix.audit.Discrepancy.Kind;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditReportTest {
  private final Findings findings = new Findings(1);

  @Test
  void whatWasJudgedWholeAndDoesNotDifferIsClean() {
    AuditReport report = new AuditReport(findings);

    assertThat(report.isClean()).isTrue();
    assertThat(report.verdict()).isEqualTo("clean: both collections hold what the topics contain");
  }

  @Test
  void whatCouldNotBeJudgedIsNamedAndNotClean() {
    findings.notDue = 1_200;
    findings.undecidedPlaces = 3;
    findings.undecidedUsers = 2;
    findings.notCovered = 5;
    findings.rejectionGone = 7;
    findings.entriesNotJudged = 1;
    findings.expired = 4;

    AuditReport report = new AuditReport(findings);

    assertThat(report.isClean()).isFalse();
    assertThat(report.differs()).isFalse();
    assertThat(report.verdict())
        .isEqualTo(
            "nothing differs; 1,222 not judged: 1,200 not due yet, 5 coordinates undecided, 5"
                + " not covered, 4 expired, 8 rejections gone; 10 of these could hide a wrong"
                + " position");
    assertThat(report.undecided()).isEqualTo(10);
  }

  @Test
  void theExitCodeIsOneWhereAWrongPositionCouldHide() {
    Findings undecidedPlace = new Findings(1);
    undecidedPlace.undecidedPlaces = 1;
    Findings undecidedUser = new Findings(1);
    undecidedUser.undecidedUsers = 1;
    Findings notCovered = new Findings(1);
    notCovered.notCovered = 1;

    assertThat(List.of(undecidedPlace, undecidedUser, notCovered))
        .map(AuditReport::new)
        .allSatisfy(
            report -> {
              assertThat(report.exitCode(Demanded.DEFAULT)).isEqualTo(1);
              assertThat(report.exitCode(Demanded.LENIENT)).isZero();
              assertThat(report.exitCode(Demanded.STRICT)).isEqualTo(1);
            });
  }

  @Test
  void noWrongPositionCanHideInWhatIsNotStoredOrHasNone() {
    findings.notDue = 1;
    findings.rejectionGone = 1;
    findings.entriesNotJudged = 1;
    findings.expired = 1;

    AuditReport report = new AuditReport(findings);

    assertThat(report.undecided()).isZero();
    assertThat(report.exitCode(Demanded.DEFAULT)).isZero();
    assertThat(report.exitCode(Demanded.STRICT)).isEqualTo(1);
  }

  @Test
  void placesOfALaterCatalogueEntryAreToldAndAreNoFault() {
    findings.laterPlaces = 3;
    findings.laterUsers = 2;

    AuditReport report = new AuditReport(findings);

    assertThat(report.isClean()).isTrue();
    assertThat(report.exitCode(Demanded.STRICT)).isZero();
    assertThat(report.toLines())
        .contains(
            "By a later catalogue entry: 3 records have the position that the newest entry gives"
                + " for their time. It was published after them, so the job read them late, for"
                + " example after a stop",
            "By a later catalogue entry: the Last Known Location of 2 users; History does not"
                + " hold the same position");
  }

  @Test
  void aDiscrepancyIsOneHoweverLenientTheAuditIs() {
    findings.add(new Discrepancy(Kind.MISSING, null, null, null, "history_2026_11", ""));

    assertThat(new AuditReport(findings).exitCode(Demanded.LENIENT)).isEqualTo(1);
  }

  @Test
  void theLineOfWhatIsNotCoveredSaysSinceWhenAllIs() {
    findings.notCovered = 5;
    findings.coveredFromMillis = Instant.parse("2026-11-20T12:00:00Z").toEpochMilli();

    assertThat(new AuditReport(findings).toLines())
        .contains(
            "Not covered: 5 documents from before the beginning of the topics;"
                + " --from 2026-11-20T12:00:00Z judges what the topics cover");
  }

  @Test
  void recordsOfForgottenUsersAndWhatIsNoRecordAreInTheSumAndNoDiscrepancy() {
    findings.records = 9;
    findings.history = 4;
    findings.erased = 3;
    findings.notRecords = 2;

    AuditReport report = new AuditReport(findings);

    assertThat(report.isClean()).isTrue();
    assertThat(report.toLines().get(0))
        .isEqualTo(
            "Records in 9 = History 4 + duplicates 0 + rejected 0 + not records 2 + erased 3");
  }

  @Test
  void topicsThatNoAuditedProfileReadsAreNamedBeforeTheDocumentsThatTheyMayExplain() {
    findings.topicsNotAudited = List.of("lastfix.location.arcanum", "lastfix.location.mlp");
    findings.add(new Discrepancy(Kind.EXTRA, null, null, null, "history_2026_11", ""));

    AuditReport report = new AuditReport(findings);

    assertThat(report.toLines().get(0))
        .isEqualTo(
            "Not audited: lastfix.location.arcanum, lastfix.location.mlp. No profile of"
                + " profiles.names reads them, so documents that the job stored from them count as"
                + " extra or different. Run the audit with the job's own configuration, or add"
                + " their profiles to profiles.names");
    assertThat(report.verdict())
        .isEqualTo(
            "not audited: lastfix.location.arcanum, lastfix.location.mlp; of the other topics: 1 in"
                + " History, but in no message");
    assertThat(report.exitCode(Demanded.LENIENT)).isEqualTo(1);
  }

  @Test
  void whatDiffersIsNamedWithWhatCouldNotBeJudged() {
    findings.add(new Discrepancy(Kind.MISSING, null, null, null, "history_2026_11", ""));
    findings.notDue = 2;

    assertThat(new AuditReport(findings).verdict())
        .isEqualTo("1 missing from History; 2 not judged: 2 not due yet");
  }

  @Test
  void inJsonWhatWasCountedIsBesideWhatItMeans() {
    findings.erased = 3;
    findings.rejectedForGood = 1;
    findings.rejectedReadableNow = 2;

    JsonNode json = new ObjectMapper().valueToTree(new AuditReport(findings));

    assertThat(json.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "messages",
            "records",
            "history",
            "duplicates",
            "rejected",
            "notRecords",
            "forgotten",
            "notDue",
            "rejectionGone",
            "users",
            "recovered",
            "replayable",
            "undecidedPlaces",
            "undecidedUsers",
            "laterPlaces",
            "laterUsers",
            "notCovered",
            "coveredFrom",
            "expired",
            "entriesNotJudged",
            "topicsNotAudited",
            "counts",
            "discrepancies",
            "clean",
            "differs",
            "notJudged",
            "undecided");
    assertThat(json.get("forgotten").asLong()).isEqualTo(3);
    assertThat(json.get("rejected").asLong()).isEqualTo(3);
  }
}
