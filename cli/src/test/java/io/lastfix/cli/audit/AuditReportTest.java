package io.lastfix.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.audit.Discrepancy.Kind;
import org.junit.jupiter.api.Test;

class AuditReportTest {
  private final Findings findings = new Findings(1);

  @Test
  void whatWasJudgedWholeAndDoesNotDifferIsClean() {
    AuditReport report = AuditReport.of(findings);

    assertThat(report.isClean()).isTrue();
    assertThat(report.verdict()).isEqualTo("clean: both collections hold what the topics say");
  }

  @Test
  void whatCouldNotBeJudgedIsNamedAndNotClean() {
    findings.notDue = 1_200;
    findings.undecidedPlaces = 3;
    findings.notCovered = 5;
    findings.rejectionGone = 7;
    findings.entriesNotJudged = 1;
    findings.expired = 4;

    AuditReport report = AuditReport.of(findings);

    assertThat(report.isClean()).isFalse();
    assertThat(report.differs()).isFalse();
    assertThat(report.verdict())
        .isEqualTo(
            "nothing differs; 1,220 not judged: 1,200 not due yet, 3 coordinates undecided,"
                + " 5 not covered, 4 expired, 8 rejections gone");
  }

  @Test
  void recordsOfForgottenUsersAreInTheSumAndNoDiscrepancy() {
    findings.records = 7;
    findings.history = 4;
    findings.forgotten = 3;

    AuditReport report = AuditReport.of(findings);

    assertThat(report.isClean()).isTrue();
    assertThat(report.toLines().get(0))
        .isEqualTo("Records in 7 = History 4 + duplicates 0 + rejected 0 + forgotten 3");
  }

  @Test
  void whatDiffersIsNamedWithWhatCouldNotBeJudged() {
    findings.add(new Discrepancy(Kind.MISSING, null, null, null, "history_2026_11", ""));
    findings.notDue = 2;

    assertThat(AuditReport.of(findings).verdict())
        .isEqualTo("1 missing from History; 2 not judged: 2 not due yet");
  }
}
