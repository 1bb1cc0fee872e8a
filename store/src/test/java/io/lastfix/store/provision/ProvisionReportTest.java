package io.lastfix.store.provision;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.provision.ProvisionReport.Database;
import io.lastfix.store.provision.ProvisionReport.Finding;
import io.lastfix.store.provision.ProvisionReport.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProvisionReportTest {
  @Test
  void eachThingHasALineAndARefusalShowsWhatWasExpectedAndFound() {
    ProvisionReport report =
        new ProvisionReport(
            List.of(
                new Database(
                    "db1:27017",
                    "lastfix",
                    Topology.REPLICA_SET.words(),
                    List.of(
                        Finding.of(Status.MADE, "collection lastfix.history_2026_11"),
                        Finding.of(Status.THERE, "collection lastfix.last_known_location"),
                        Finding.refused(
                            "collection lastfix.history_2026_12",
                            new Difference("kind", "collection", "view", "rename or drop it")),
                        Finding.notAllowed("role lastfixJob in database lastfix", "ask")))));

    assertThat(report.lines())
        .containsExactly(
            "MongoDB at db1:27017, database lastfix: a replica set: nothing is sharded",
            "  made         collection lastfix.history_2026_11",
            "  there        collection lastfix.last_known_location",
            "  refused      collection lastfix.history_2026_12: kind: expected collection, found"
                + " view; rename or drop it",
            "  not allowed  role lastfixJob in database lastfix: ask");
    assertThat(report.failure().orElseThrow())
        .isEqualTo(
            "1 refused: these disagree with the configuration, and were not changed; 1 not"
                + " allowed: this user may not inspect or create these; --no-roles skips roles");
  }

  @Test
  void whatIsThereOrMadeOrWouldBeIsNoFailure() {
    ProvisionReport report = new ProvisionReport();
    report
        .databases()
        .add(
            new Database(
                "db1:27017",
                "lastfix",
                Topology.REPLICA_SET.words(),
                List.of(
                    Finding.of(Status.MADE, "a"),
                    Finding.of(Status.THERE, "b"),
                    Finding.of(Status.WOULD_MAKE, "c"))));

    assertThat(report.failure()).isEmpty();
  }
}
