package io.lastfix.workload;

import static io.lastfix.workload.Examples.NOW;
import static io.lastfix.workload.Examples.all;
import static io.lastfix.workload.Examples.cellAt;
import static io.lastfix.workload.Examples.generated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lastfix.model.CellId;
import io.lastfix.model.CellSite;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LocationGeneratorTest {

  @ParameterizedTest
  @EnumSource
  void theSameOptionsGiveTheSameBytes(MessageFormat format) {
    GeneratorOptions options = allKinds().format(format).build(NOW);

    List<OutgoingMessage> first = generated(options);
    List<OutgoingMessage> second = generated(options);

    assertThat(second).hasSameSizeAs(first);
    for (int i = 0; i < first.size(); i++) {
      assertThat(second.get(i).value()).isEqualTo(first.get(i).value());
      assertThat(second.get(i).key()).isEqualTo(first.get(i).key());
    }
  }

  @Test
  void anotherSeedGivesOtherMessages() {
    assertThat(generated(allKinds().seed(2).build(NOW)).get(0).value())
        .isNotEqualTo(generated(allKinds().seed(1).build(NOW)).get(0).value());
  }

  @Property(tries = 50)
  void theCountIsExactAndDistinctRecordsAreDistinct(
      @ForAll @IntRange(min = 1, max = 500) int count,
      @ForAll @IntRange(min = 1, max = 20) int users,
      @ForAll @IntRange(min = 1, max = 30) int batch,
      @ForAll @DoubleRange(min = 0, max = 1) double late,
      @ForAll @DoubleRange(min = 0, max = 0.5) double malformed,
      @ForAll @DoubleRange(min = 0, max = 0.5) double duplicates) {
    List<OutgoingMessage> messages =
        generated(
            new GeneratorOptionsBuilder()
                .count(count)
                .users(users)
                .batch(batch)
                .late(late)
                .malformed(malformed)
                .duplicates(duplicates)
                .build(NOW));

    assertThat(messages.stream().mapToInt(OutgoingMessage::recordCount).sum()).isEqualTo(count);
    List<LocationRecord> distinct =
        messages.stream()
            .filter(message -> !message.resent())
            .flatMap(message -> message.records().stream())
            .toList();
    assertThat(distinct).doesNotHaveDuplicates();
    assertThat(distinct)
        .containsAll(
            messages.stream()
                .filter(OutgoingMessage::resent)
                .flatMap(message -> message.records().stream())
                .toList());
  }

  @ParameterizedTest
  @EnumSource
  void aMessageHoldsTheRecordsItSaysItHolds(MessageFormat format) throws IOException {
    for (OutgoingMessage message : generated(allKinds().batch(7).format(format).build(NOW))) {
      if (message.rejected() == 0) {
        assertThat(PlainReader.read(format, message.value())).isEqualTo(message.records());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMalformedMessageCannotBeRead(MessageFormat format) {
    List<OutgoingMessage> malformed =
        generated(new GeneratorOptionsBuilder().count(500).malformed(1).format(format).build(NOW));

    assertThat(malformed).hasSize(500);
    for (OutgoingMessage message : malformed) {
      assertThat(message.rejected()).isEqualTo(1);
      assertThat(message.records()).isEmpty();
      assertThatThrownBy(() -> PlainReader.read(format, message.value()))
          .isInstanceOfAny(IOException.class, IllegalArgumentException.class);
    }
  }

  @Test
  void sharesAreMet() {
    int count = 20_000;
    List<OutgoingMessage> messages =
        generated(
            new GeneratorOptionsBuilder().count(count).malformed(0.1).duplicates(0.2).build(NOW));

    assertThat(messages.stream().filter(message -> message.rejected() > 0).count())
        .isCloseTo(count / 10, within(count / 100L));
    assertThat(messages.stream().filter(OutgoingMessage::resent).count())
        .isCloseTo(count / 5, within(count / 100L));
  }

  @Test
  void aShareOfTheRecordsStatesAPositionOfItsOwnHalfOfThemBesideTheCell() {
    int count = 20_000;
    Map<CellId, Position> cells =
        SyntheticCells.grid().stream()
            .collect(Collectors.toMap(CellSite::cell, CellSite::position));
    int[] kinds = new int[3];
    Set<PositionSource> sources = new HashSet<>();
    for (OutgoingMessage message : generated(fixes(0.5).count(count).build(NOW))) {
      LocationRecord record = message.records().get(0);
      Fix fix = record.fix();
      kinds[fix == null ? 0 : record.cell() == null ? 1 : 2]++;
      if (fix != null) {
        sources.add(fix.source());
        assertThat(fix.accuracyMeters()).isBetween(3.0, 1_000.0);
      }
      if (fix != null && record.cell() != null) {
        assertThat(cells.get(record.cell()).metersTo(fix.position())).isLessThan(1_000);
      }
    }

    assertThat(kinds[0]).isCloseTo(count / 2, within(count / 50));
    assertThat(kinds[1]).isCloseTo(count / 4, within(count / 50));
    assertThat(kinds[2]).isCloseTo(count / 4, within(count / 50));
    assertThat(sources).containsExactlyInAnyOrder(PositionSource.GNSS, PositionSource.NETWORK);
  }

  @Test
  void aMessageOfAllKindsOfRecordsHoldsTheRecordsItSaysItHolds() throws IOException {
    for (MessageFormat format : List.of(MessageFormat.JSON, MessageFormat.NDJSON)) {
      for (OutgoingMessage message :
          generated(allKinds().fixes(0.6).malformed(0.1).batch(7).format(format).build(NOW))) {
        if (message.rejected() == 0) {
          assertThat(PlainReader.read(format, message.value())).isEqualTo(message.records());
        } else {
          assertThatThrownBy(() -> PlainReader.read(format, message.value()))
              .isInstanceOfAny(IOException.class, IllegalArgumentException.class);
        }
      }
    }
  }

  @Test
  void aPositionBesideAPoleOrTheDateLineIsInRange() {
    List<OutgoingMessage> messages =
        all(
            new LocationGenerator(
                fixes(1).count(200).users(3).build(NOW), List.of(cellAt(1, 180, -90))));

    assertThat(messages)
        .allSatisfy(
            message -> {
              Position position = message.records().get(0).fix().position();
              assertThat(position.lon()).isBetween(179.99, 180.0);
              assertThat(position.lat()).isBetween(-90.0, -89.99);
            });
  }

  private static GeneratorOptionsBuilder fixes(double share) {
    return new GeneratorOptionsBuilder().format(MessageFormat.JSON).fixes(share);
  }

  @Test
  void devicesStayOrGoToANeighbouringCell() {
    List<CellSite> cells = SyntheticCells.grid();
    CellMap map = new CellMap(cells);
    Map<CellId, Integer> indexes =
        IntStream.range(0, cells.size())
            .boxed()
            .collect(Collectors.toMap(i -> cells.get(i).cell(), i -> i));
    Map<String, Integer> lastCell = new HashMap<>();
    Set<Boolean> moved = new HashSet<>();

    for (OutgoingMessage message :
        generated(new GeneratorOptionsBuilder().count(20_000).users(50).build(NOW))) {
      LocationRecord record = message.records().get(0);
      Integer here = indexes.get(record.cell());
      Integer before = lastCell.put(record.user(), here);
      if (before != null) {
        moved.add(!before.equals(here));
        assertThat(before.equals(here) || contains(map.neighboursOf(before), here)).isTrue();
      }
    }

    assertThat(moved).containsExactlyInAnyOrder(true, false);
  }

  private static boolean contains(int[] values, int value) {
    return IntStream.of(values).anyMatch(each -> each == value);
  }

  @Test
  void neighboursOnAGridAreTheCellsAround() {
    int side = 100;
    int inside = 50 * side + 50;

    assertThat(new CellMap(SyntheticCells.grid()).neighboursOf(inside))
        .containsExactlyInAnyOrder(
            inside - 1,
            inside + 1,
            inside - side,
            inside + side,
            inside - side - 1,
            inside - side + 1,
            inside + side - 1,
            inside + side + 1);
  }

  @Test
  void whereThereIsOneCellDevicesStay() {
    List<OutgoingMessage> messages =
        all(
            new LocationGenerator(
                new GeneratorOptionsBuilder().count(100).users(3).build(NOW),
                List.of(cellAt(1, 0, 0))));

    assertThat(messages)
        .allSatisfy(
            message ->
                assertThat(message.records().get(0).cell()).isEqualTo(cellAt(1, 0, 0).cell()));
  }

  @ParameterizedTest
  @EnumSource
  void withoutAStartTheLastTimeIsNowAndNoneIsAhead(MessageFormat format) {
    GeneratorOptions options = new GeneratorOptionsBuilder().count(5_000).format(format).build(NOW);

    long last =
        generated(options).stream()
            .mapToLong(message -> message.records().get(0).timestampMillis())
            .max()
            .orElseThrow();

    assertThat(last).isBetween(NOW.millis() - 2_000, NOW.millis());
  }

  @Test
  void lateRecordsComeAfterYoungerOnesByAtMostFiveMinutes() {
    int count = 20_000;
    long newest = Long.MIN_VALUE;
    int late = 0;
    for (OutgoingMessage message :
        generated(new GeneratorOptionsBuilder().count(count).users(100).late(0.1).build(NOW))) {
      long timestampMillis = message.records().get(0).timestampMillis();
      if (timestampMillis < newest) {
        late++;
        assertThat(newest - timestampMillis)
            .isLessThanOrEqualTo(LocationGenerator.MAX_DELAY.toMillis());
      }
      newest = Math.max(newest, timestampMillis);
    }
    assertThat(late).isCloseTo(count / 10, within(count / 50));
  }

  @Test
  void byZipfsLawTheSecondDeviceIsHeardHalfAsOftenAsTheFirst() {
    Map<String, Long> heard = recordsByUser(1.0);
    double first = heard.get(Imei.ofDevice(0));

    assertThat(heard.get(Imei.ofDevice(1)) / first).isCloseTo(1.0 / 2, within(0.05));
    assertThat(heard.get(Imei.ofDevice(9)) / first).isCloseTo(1.0 / 10, within(0.03));
  }

  @Test
  void withoutSkewAllDevicesAreHeardAlike() {
    Map<String, Long> heard = recordsByUser(0);

    assertThat(heard).hasSize(100);
    assertThat(heard.values()).allSatisfy(times -> assertThat(times).isBetween(400L, 600L));
  }

  private static Map<String, Long> recordsByUser(double skew) {
    return generated(new GeneratorOptionsBuilder().count(50_000).users(100).skew(skew).build(NOW))
        .stream()
        .collect(
            Collectors.groupingBy(
                message -> message.records().get(0).user(), Collectors.counting()));
  }

  @Test
  void aMessageOfOneRecordHasItsUserAsKeyAndABatchHasNone() {
    OutgoingMessage single = generated(new GeneratorOptionsBuilder().count(1).build(NOW)).get(0);
    OutgoingMessage batch =
        generated(new GeneratorOptionsBuilder().count(2).batch(2).build(NOW)).get(0);

    assertThat(single.key())
        .isEqualTo(single.records().get(0).user().getBytes(StandardCharsets.UTF_8));
    assertThat(batch.key()).isNull();
    assertThat(batch.records()).hasSize(2);
  }

  @Test
  void nothingComesAfterTheLastMessage() {
    LocationGenerator generator =
        new LocationGenerator(
            new GeneratorOptionsBuilder().count(1).build(NOW), SyntheticCells.grid());
    all(generator);

    assertThatThrownBy(generator::next)
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("all 1 records were generated");
  }

  private static GeneratorOptionsBuilder allKinds() {
    return new GeneratorOptionsBuilder()
        .count(2_000)
        .users(40)
        .skew(1)
        .late(0.1)
        .malformed(0.1)
        .duplicates(0.1);
  }
}
