package io.lastfix.alert;

import static io.lastfix.alert.JudgeHarness.AIRPORT;
import static io.lastfix.alert.JudgeHarness.CITY;
import static io.lastfix.alert.JudgeHarness.T;
import static io.lastfix.serialization.TestBytes.bytes;
import static io.lastfix.serialization.TestBytes.hex;
import static io.lastfix.serialization.TestBytes.serializer;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.judge.Progress;
import io.lastfix.rules.judge.ReportedSilence;
import io.lastfix.rules.judge.Silence;
import io.lastfix.rules.judge.Standing;
import io.lastfix.rules.rule.Condition.Silent.Sign;
import io.lastfix.serialization.VersionedSerializer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.SerializerTestBase;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AlertSerializersTest {
  private static final CellId CELL = new CellId(310, 260, 7, 1);

  private static final LastJudged LAST = new LastJudged(record("a", 1_000), 2_000, null, 61_000);

  /** A device that has had no record. */
  private static final LastJudged OFFLINE =
      new LastJudged(null, Standing.NONE, new Silence(1_000, 4_000, 5_000), 604_000);

  /** A device waits for its rule, and had an alert before. */
  private static final Standings STANDINGS =
      new Standings(
          Map.of("left", new Standing(4, 2, true, record("a", 900), 60_900, 400, 3, null, null)));

  /** A device is inside of the fence of a sequence's third step, and has taken two steps. */
  private static final Standings SEQUENCE =
      new Standings(
          Map.of(
              "round",
              new Standing(
                  4,
                  5,
                  false,
                  null,
                  Standing.NONE,
                  Standing.NONE,
                  0,
                  new Progress(4, List.of(900L, 400L)),
                  null)));

  /** A device has fallen silent. */
  private static final Standings SILENCE =
      new Standings(
          Map.of(
              "mute",
              new Standing(
                  4,
                  0,
                  true,
                  null,
                  Standing.NONE,
                  Standing.NONE,
                  0,
                  null,
                  new ReportedSilence(Sign.POSITION, 1_000))));

  private static final Alert LEFT =
      new Alert(
          "a",
          1_000,
          "left",
          4,
          Alert.Kind.LEFT,
          61_000,
          "sfo",
          Alert.Cause.RECORD,
          AIRPORT,
          CELL,
          PositionSource.GNSS,
          12.0,
          1,
          3,
          List.of(new Action(Action.Kind.WEBHOOK, "dispatch")));

  private static final Alert FAST =
      new Alert(
          "a",
          1_000,
          "fast",
          1,
          Alert.Kind.EXPR,
          1_000,
          null,
          Alert.Cause.RECORD,
          AIRPORT,
          null,
          PositionSource.CELL,
          null,
          1,
          0,
          List.of());

  private static final Alert SILENT =
      new Alert(
          "a",
          1_000,
          "silent",
          1,
          Alert.Kind.SILENT,
          601_000,
          null,
          Alert.Cause.SILENCE,
          null,
          null,
          null,
          null,
          1,
          0,
          List.of());

  private static LocatedRecord record(String user, long millis) {
    return new LocatedRecord(
        user, new Place.AtFix(new Fix(AIRPORT, PositionSource.GNSS)), millis, null, false);
  }

  private static LocatedRecord atCell() {
    return new LocatedRecord(
        "Zürich-\u0416", new Place.AtCell(CELL, Radio.NR), -5, CITY, false, 1_000);
  }

  private static LocatedRecord farFromCell() {
    return new LocatedRecord(
        "\uD83D\uDE95",
        new Place.AtFixAndCell(new Fix(CITY, PositionSource.NETWORK, 3.5, -2.0, null), CELL, null),
        T,
        new Position(-180, -90),
        true);
  }

  @Nested
  class OfLastJudged extends SerializerTestBase<LastJudged> {
    @Override
    protected TypeSerializer<LastJudged> createSerializer() {
      return new LastJudgedSerializer();
    }

    @Override
    protected int getLength() {
      return -1;
    }

    @Override
    protected Class<LastJudged> getTypeClass() {
      return LastJudged.class;
    }

    @Override
    protected LastJudged[] getTestData() {
      return new LastJudged[] {
        LAST,
        OFFLINE,
        new LastJudged(atCell(), Long.MAX_VALUE, null, LastJudged.NO_TIMER),
        new LastJudged(farFromCell(), T, new Silence(T - 1, T, T), Long.MIN_VALUE + 1),
        new LastJudged(null, Standing.NONE, null, LastJudged.NO_TIMER),
      };
    }
  }

  @Nested
  class OfStandings extends SerializerTestBase<Standings> {
    @Override
    protected TypeSerializer<Standings> createSerializer() {
      return new StandingsSerializer();
    }

    @Override
    protected int getLength() {
      return -1;
    }

    @Override
    protected Class<Standings> getTypeClass() {
      return Standings.class;
    }

    @Override
    protected Standings[] getTestData() {
      return new Standings[] {
        STANDINGS,
        new Standings(
            Map.of(
                "began",
                new Standing(
                    Long.MAX_VALUE,
                    0,
                    false,
                    farFromCell(),
                    Long.MAX_VALUE,
                    Standing.NONE,
                    0,
                    null,
                    null),
                "quiet",
                new Standing(1, 1, false, null, Standing.NONE, T + 5, Long.MAX_VALUE, null, null),
                "on",
                new Standing(1, 1, true, null, Standing.NONE, Standing.NONE, 0, null, null),
                "inside",
                new Standing(
                    1,
                    1,
                    false,
                    null,
                    Standing.NONE,
                    Standing.NONE,
                    0,
                    new Progress(31, List.of()),
                    null))),
        SEQUENCE,
        SILENCE,
        new Standings(
            Map.of(
                "gone",
                new Standing(
                    1,
                    0,
                    true,
                    null,
                    Standing.NONE,
                    T,
                    2,
                    null,
                    new ReportedSilence(Sign.PRESENCE, T - 1)))),
      };
    }
  }

  @Nested
  class OfAlerts extends SerializerTestBase<Alert> {
    @Override
    protected TypeSerializer<Alert> createSerializer() {
      return new AlertSerializer();
    }

    @Override
    protected int getLength() {
      return -1;
    }

    @Override
    protected Class<Alert> getTypeClass() {
      return Alert.class;
    }

    @Override
    protected Alert[] getTestData() {
      return new Alert[] {
        LEFT,
        FAST,
        SILENT,
        new Alert(
            "Zürich-\u0416-\uD83D\uDE95",
            -1,
            "inside",
            Long.MAX_VALUE,
            Alert.Kind.INSIDE,
            Long.MAX_VALUE,
            "depot",
            Alert.Cause.FENCE_CHANGED,
            new Position(180, -90),
            null,
            PositionSource.MLP,
            0.1,
            0.5,
            Long.MAX_VALUE,
            List.of(
                new Action(Action.Kind.MQTT, "lastfix/v1/alerts"),
                new Action(Action.Kind.WEBHOOK, "dispatch"))),
      };
    }
  }

  @Test
  void alertsNeedNoKryo() {
    assertThat(serializer(AlertSerializer.TYPE)).isInstanceOf(VersionedSerializer.class);
  }

  /** The entry in a checkpoint has the user as its key, too, and its timer. */
  @Test
  void theStateOfADeviceAndOfARuleThatItWaitsFor() throws IOException {
    String user = "350000000007919";
    LocatedRecord last = record(user, T);
    Standing inside = new Standing(4, 2, true, null, Standing.NONE, Standing.NONE, 0, null, null);
    Standing waits =
        new Standing(4, 2, true, record(user, T - 30_000), T + 30_000, T - 1, 3, null, null);
    Standing fourSteps =
        new Standing(
            4,
            5,
            false,
            null,
            Standing.NONE,
            Standing.NONE,
            0,
            new Progress(31, List.of(T, T - 1, T - 2, T - 3)),
            null);

    assertThat(bytes(new LastJudgedSerializer(), new LastJudged(last, T, null, T + 2_592_000_000L)))
        .hasSizeLessThanOrEqualTo(50);
    assertThat(
            bytes(
                new LastJudgedSerializer(),
                new LastJudged(
                    null,
                    Standing.NONE,
                    new Silence(T, T + 180_000, T + 181_000),
                    T + 2_592_000_000L)))
        .hasSizeLessThanOrEqualTo(20);
    assertThat(bytes(new StandingsSerializer(), new Standings(Map.of("left-airport", inside))))
        .hasSizeLessThanOrEqualTo(20);
    assertThat(bytes(new StandingsSerializer(), new Standings(Map.of("left-airport", waits))))
        .hasSizeLessThanOrEqualTo(70);
    assertThat(bytes(new StandingsSerializer(), new Standings(Map.of("left-airport", fourSteps))))
        .hasSizeLessThanOrEqualTo(50);
  }

  // If one of these fails, raise the serializer's VERSION, keep reading the old one, then update.

  @Test
  void theLayoutOfTheLastJudgedRecordIsThatOfVersion1() throws IOException {
    assertThat(LastJudgedSerializer.VERSION).isEqualTo(1);
    assertThat(hex(new LastJudgedSerializer(), LAST))
        .isEqualTo("01016102c05e98d4fdf3b6464042cec8b43958100100d00f00d00fc0a907");
    assertThat(
            hex(
                new LastJudgedSerializer(),
                new LastJudged(
                    new LocatedRecord("a", new Place.AtCell(CELL, null), 1_000, CITY, false, 1_000),
                    1_000,
                    null,
                    61_000)))
        .isEqualTo("01016101b60284020801d00f05c05e9ae147ae147b4042e28f5c28f5c3e80700c0a907");
    assertThat(hex(new LastJudgedSerializer(), OFFLINE)).isEqualTo("02d00ff02ec03ef0cd49");
  }

  @Test
  void theLayoutOfStandingsIsThatOfVersion1() throws IOException {
    assertThat(StandingsSerializer.VERSION).isEqualTo(1);
    assertThat(hex(new StandingsSerializer(), STANDINGS))
        .isEqualTo(
            "01046c656674040207016102c05e98d4fdf3b6464042cec8b43958100100880e00c0a907a00603");
    assertThat(hex(new StandingsSerializer(), SEQUENCE))
        .isEqualTo("0105726f756e64040508000402880ea006");
    assertThat(hex(new StandingsSerializer(), SILENCE)).isEqualTo("01046d75746504001100d00f");
  }

  @Test
  void theLayoutOfAnAlertIsThatOfVersion1() throws IOException {
    assertThat(AlertSerializer.VERSION).isEqualTo(1);
    assertThat(hex(new AlertSerializer(), LEFT))
        .isEqualTo(
            "0161d00f046c65667404044c454654c0a9070f0373666f065245434f5244c05e98d4fdf3b6464042cec8b4395810b602840208010140280000000000003ff0000000000000030107574542484f4f4b086469737061746368");
    assertThat(hex(new AlertSerializer(), FAST))
        .isEqualTo(
            "0161d00f04666173740104455850520008065245434f5244c05e98d4fdf3b6464042cec8b4395810003ff00000000000000000");
    assertThat(hex(new AlertSerializer(), SILENT))
        .isEqualTo(
            "0161d00f0673696c656e74010653494c454e54809f49000753494c454e43453ff00000000000000000");
  }
}
