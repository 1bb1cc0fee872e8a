package io.lastfix.it;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.it.Scenario.Message;
import io.lastfix.it.Scenario.TowerFact;
import io.lastfix.it.Scenario.Version;
import io.lastfix.it.StoreFixture.Part;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Writes the messages and towers of a {@link StoreFixture}, which {@link MakeStore} then gives to
 * the former version; see the README beside the fixture. It is no test: its name keeps it out of
 * the build.
 */
class MakeStoreInput {
  private static final long SEED = 20261125;
  private static final int SIGHTINGS = 700;

  /** Formats that came with positions: nobody sent them before. */
  private static final Set<String> NEW_FORMATS = Set.of("osmand", "geojson");

  @Test
  void writeMessagesOfBothVersions() {
    StoreFixture fixture =
        StoreFixture.of(System.getProperty("lastfix.fixture", "before-positions"));
    assertThat(fixture.folder()).doesNotExist();
    Scenario scenario = new Scenario(SEED, SIGHTINGS);
    List<Message> before = scenario.firstHalf();
    List<Message> after = scenario.secondHalf();
    Set<String> cells = scenario.allTowers().stream().map(MakeStoreInput::anyArea).collect(toSet());
    Map<Part, List<Message>> parts = new EnumMap<>(Part.class);
    for (Part part : Part.values()) {
      parts.put(part, new ArrayList<>());
    }
    for (int i = 0; i < before.size(); i++) {
      Message message = before.get(i);
      Part part = partOf(i, before.size());
      if (NEW_FORMATS.contains(message.profile())) {
        part = Part.AFTER;
      }
      if (part != Part.STORED && waitsForEver(message, cells)) {
        part = Part.AT_REPLAY;
      }
      parts.get(part).add(message);
    }
    for (Message message : after) {
      parts.get(waitsForEver(message, cells) ? Part.AT_REPLAY : Part.AFTER).add(message);
    }
    fixture.writeTowers(withoutRange(scenario.towers()), withoutRange(scenario.lateTowers()));
    parts.forEach(fixture::writeMessages);
  }

  /** The rest comes late: records of before the upgrade that only the new version reads. */
  private static Part partOf(int index, int count) {
    if (index < count * 2 / 5) {
      return Part.STORED;
    }
    return index < count * 4 / 5 ? Part.WAITING : Part.AFTER;
  }

  /** Also beside a position, which the former version does not read. */
  private static boolean waitsForEver(Message message, Set<String> cells) {
    return message.facts().stream()
        .anyMatch(
            fact ->
                fact.cell() != null
                    && !cells.contains(fact.mcc() + "-" + fact.mnc() + "-" + fact.cid()));
  }

  private static String anyArea(TowerFact tower) {
    return tower.mcc() + "-" + tower.mnc() + "-" + tower.cid();
  }

  /** The former version read no range, and its state has none. */
  private static List<TowerFact> withoutRange(List<TowerFact> towers) {
    return towers.stream()
        .map(
            tower ->
                new TowerFact(
                    tower.mcc(),
                    tower.mnc(),
                    tower.area(),
                    tower.cid(),
                    tower.radio(),
                    tower.versions().stream()
                        .map(version -> new Version(version.from(), version.lon(), version.lat()))
                        .toList()))
        .toList();
  }
}
