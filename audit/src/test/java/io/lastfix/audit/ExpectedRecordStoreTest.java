package io.lastfix.audit;

import static io.lastfix.audit.Messages.HEARD;
import static io.lastfix.audit.Messages.recordOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.ExpectedRecordStore.Group;
import io.lastfix.audit.ExpectedRecordStore.Groups;
import io.lastfix.audit.stored.HistoryLayout;
import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.audit.tree.OwnPosition;
import io.lastfix.store.history.TestHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExpectedRecordStoreTest {
  private static final FoundRecord FIRST = recordOf("a\u00fc", HEARD);
  private static final FoundRecord NEXT_MONTH = recordOf("a", HEARD.plus(Duration.ofDays(30)));

  private static final long CAME = HEARD.toEpochMilli();

  private final HistoryLayout layout = new HistoryLayout(TestHistory.MONTHS);
  private ScratchDatabase scratch;
  private ExpectedRecordStore store;
  private Catalog catalog;

  @BeforeEach
  void open() throws Exception {
    scratch = new ScratchDatabase();
    store = new ExpectedRecordStore(scratch, layout, 2);
    catalog = new Catalog(scratch);
  }

  @AfterEach
  void close() throws Exception {
    scratch.close();
  }

  @Test
  void recordsWithPositionsOfTheirOwnComeBackAsTheyAreAndAreGroupsOfTheirOwn() throws Exception {
    OwnPosition full = new OwnPosition(-122.4, 37.75, "gnss", 12.5, -3.0, "{\"type\":\"Point\"}");
    OwnPosition bare = new OwnPosition(-122.4, 37.75, "network", null, null, null);
    List<FoundRecord> records =
        List.of(
            FIRST,
            FIRST.at(full),
            FIRST.at(bare),
            FoundRecord.withoutCell(FIRST.user(), FIRST.timestampMillis(), full));
    for (FoundRecord record : records) {
      add(record, Demand.REQUIRED);
    }

    List<Group> groups = all();

    assertThat(groups).hasSize(4);
    assertThat(groups.stream().flatMap(group -> group.sightings().stream()))
        .extracting(ExpectedRecord::record)
        .containsExactlyInAnyOrderElementsOf(records);
    assertThat(groups)
        .allSatisfy(
            group ->
                assertThat(group.id().getData())
                    .isEqualTo(layout.id(group.sightings().get(0).record())));
  }

  @Test
  void sightingsOfOneRecordAreOneGroupAndGroupsAreInTheOrderOfHistory() throws Exception {
    add(NEXT_MONTH, Demand.REJECTED);
    add(FIRST, Demand.NOT_DUE);
    add(FIRST, Demand.REQUIRED);
    add(FIRST, Demand.LATER);

    List<Group> groups = all();

    assertThat(groups).extracting(Group::period).containsExactly(202611L, 202612L);
    Group first = groups.get(0);
    assertThat(first.id().getData()).isEqualTo(layout.id(FIRST));
    assertThat(first.sightings()).extracting(ExpectedRecord::record).containsOnly(FIRST);
    assertThat(first.total()).as("without what came later").isEqualTo(2);
    assertThat(first.notDue()).isEqualTo(1);
    assertThat(first.isRequired()).isTrue();
    assertThat(groups.get(1).isRequired()).isFalse();
  }

  @Test
  void moreRecordsThanMayWaitFormABacklogOfAnyCells() throws Exception {
    FoundRecord elsewhere = new FoundRecord("a", 1, 2, 3, 4, null, FIRST.timestampMillis());
    add(FIRST, Demand.REQUIRED);
    add(FIRST, Demand.REQUIRED);
    add(elsewhere, Demand.REQUIRED);
    scratch.flush();

    assertThat(store.mayHaveFormed(CAME, CAME)).isTrue();
    assertThat(store.mayHaveFormed(CAME + 1, CAME + 2)).isFalse();
  }

  @Test
  void recordsOfKnownCellsFormNoBacklog() throws Exception {
    String cell = FIRST.mcc() + "-" + FIRST.mnc() + "-" + FIRST.area() + "-" + FIRST.cid();
    catalog.add(
        0,
        0,
        CAME - 1,
        cell,
        "{\"cell\":\"%s\",\"radio\":\"LTE\",\"lon\":1,\"lat\":2}".formatted(cell).getBytes(UTF_8));
    for (int i = 0; i < 3; i++) {
      add(FIRST, Demand.REQUIRED);
    }
    scratch.flush();

    assertThat(store.mayHaveFormed(CAME, CAME)).isFalse();
  }

  @Test
  void recordsThatDidNotWaitAtOneTimeFormNoBacklog() throws Exception {
    for (int minute = 0; minute < 3; minute++) {
      store.add(new ExpectedRecord(FIRST, CAME + minute * 60_000L, Demand.REQUIRED));
    }

    assertThat(store.mayHaveFormed(CAME, CAME + 119_999)).isFalse();
    assertThat(store.mayHaveFormed(CAME, CAME + 120_000)).isTrue();
  }

  private void add(FoundRecord record, Demand demand) throws Exception {
    store.add(new ExpectedRecord(record, HEARD.toEpochMilli(), demand));
  }

  private List<Group> all() throws Exception {
    List<Group> all = new ArrayList<>();
    try (Groups groups = store.sorted()) {
      for (Group group = groups.next(); group != null; group = groups.next()) {
        all.add(group);
      }
    }
    return all;
  }
}
