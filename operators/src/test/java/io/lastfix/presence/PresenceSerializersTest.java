package io.lastfix.presence;

import static io.lastfix.serialization.TestBytes.hex;
import static io.lastfix.serialization.TestBytes.roundTrip;
import static io.lastfix.serialization.TestBytes.serializer;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.DeviceUsage;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import io.lastfix.model.device.HeartbeatMessage.RecordSign;
import io.lastfix.model.device.Presence;
import io.lastfix.presence.PresenceInput.OutageEnded;
import io.lastfix.presence.PresenceInput.SignOfLife;
import io.lastfix.serialization.TestBytes;
import io.lastfix.serialization.VersionedSerializer;
import java.time.LocalDate;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.junit.jupiter.api.Test;

/** The layouts of our own. If a line here has to change, raise the version instead. */
class PresenceSerializersTest {
  private static final String MANIFEST = "0f".repeat(32);
  private static final DeviceState STATE =
      new DeviceState(
          true,
          1_000,
          1_010,
          1_005,
          1_040,
          60,
          3,
          20_000,
          300,
          new DeviceDescription("p", "s", MANIFEST));

  @Test
  void theStateOfADevice() throws Exception {
    DeviceStateSerializer serializer = new DeviceStateSerializer();
    DeviceState offline =
        new DeviceState(
            false, 1_000, 970, 970, DeviceState.NO_TIMER, 0, 0, 0, 0, DeviceDescription.NONE);

    assertThat(hex(serializer, STATE))
        .isEqualTo("03d00f14093c3c03c0b802ac0201700173" + "01" + MANIFEST);
    assertThat(hex(serializer, offline)).isEqualTo("00d00f3b0000000000000000");
    assertThat(roundTrip(serializer, STATE)).isEqualTo(STATE);
    assertThat(roundTrip(serializer, offline)).isEqualTo(offline);
  }

  @Test
  void anOutage() throws Exception {
    Outage outage = new Outage(1, 2, 3);

    assertThat(roundTrip(serializer(Types.POJO(Outage.class)), outage)).isEqualTo(outage);
  }

  @Test
  void whatReachesTheJudgement() throws Exception {
    PresenceInputSerializer serializer = new PresenceInputSerializer();
    PresenceInput record = new SignOfLife("a", 1, 300, 2, new RecordSign(5, null));
    PresenceInput heartbeat =
        new SignOfLife("a", 1, 2, 3, new Heartbeat(1, 2, 3, "p", "s", MANIFEST, "fine"));
    PresenceInput outage = new OutageEnded("7", new Outage(1, 2, 3));

    assertThat(hex(serializer, record)).isEqualTo("0161010201ac020401010500");
    assertThat(hex(serializer, outage)).isEqualTo("013701030202");
    assertThat(roundTrip(serializer, record)).isEqualTo(record);
    assertThat(roundTrip(serializer, heartbeat)).isEqualTo(heartbeat);
    assertThat(roundTrip(serializer, outage)).isEqualTo(outage);
  }

  @Test
  void whatTheFunctionPutsOut() throws Exception {
    TypeSerializer<Presence> presences = serializer(PresenceFunction.CHANGES.getTypeInfo());
    Presence presence =
        new Presence("a", Presence.State.ONLINE, 1, 2, new DeviceDescription(null, "s", null));
    Presence forgotten = new Presence("a", Presence.State.FORGOTTEN, 1, 2, DeviceDescription.NONE);
    DeviceUsage usage = new DeviceUsage("a", LocalDate.ofEpochDay(1), 300, 2, 4);

    assertThat(roundTrip(presences, presence)).isEqualTo(presence);
    assertThat(roundTrip(presences, forgotten)).isEqualTo(forgotten);
    assertThat(roundTrip(serializer(PresenceFunction.USAGE.getTypeInfo()), usage)).isEqualTo(usage);
  }

  @Test
  void whatReachesTheJudgementNeedsNoKryo() {
    assertThat(serializer(PresenceInputSerializer.TYPE)).isInstanceOf(VersionedSerializer.class);
  }

  /** A registered device that says everything: its entry in a savepoint, and its timer. */
  @Test
  void aDeviceHasLessThan200BytesOfState() throws Exception {
    String device = "0123456789abcdef0123456789abcdef";
    long now = 1_795_176_000_000L;
    DeviceState state =
        new DeviceState(
            true,
            now - 86_400_000,
            now,
            now - 200_000,
            now + 180_000,
            60,
            11,
            20_777,
            1_048_576,
            new DeviceDescription("telematics-unit", "example-agent/12.34.56", MANIFEST));
    int key = 1 + device.length();
    int namespace = 1;
    int value = TestBytes.bytes(new DeviceStateSerializer(), state).length;
    int timer = Long.BYTES + key + namespace;

    assertThat(namespace + key + value + timer).isLessThan(200);
  }
}
