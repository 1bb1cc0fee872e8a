package io.lastfix.rules.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.kit.kafka.UnreadableMessageException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeviceGroupsTest {
  private static final String DEVICE = "00112233445566778899aabbccddeeff";

  private final DeviceGroups groups = new DeviceGroups(device -> device);

  private static void take(DeviceGroups target, String key, @Nullable String value)
      throws UnreadableMessageException {
    target.message(
        new ConsumerRecord<>(
            "lastfix.devices",
            0,
            7,
            key.getBytes(UTF_8),
            value == null ? null : value.getBytes(UTF_8)));
  }

  private void take(@Nullable String value) throws UnreadableMessageException {
    take(groups, "device/" + DEVICE, value);
  }

  @Test
  void aDeviceHasTheGroupOfItsNewestMessage() throws UnreadableMessageException {
    assertThat(groups.of(DEVICE)).isNull();

    take("{\"v\":1,\"group\":\"vans\",\"uuid\":\"any\"}");
    assertThat(groups.of(DEVICE)).isEqualTo("vans");
    take("{\"v\":1,\"group\":\"cabs\"}");
    assertThat(groups.of(DEVICE)).isEqualTo("cabs");
    take(null);
    assertThat(groups.of(DEVICE)).isNull();
  }

  @Test
  void otherUsersHaveNone() throws UnreadableMessageException {
    take("{\"v\":1,\"group\":\"vans\"}");

    assertThat(groups.of("ashgati")).isNull();
    assertThat(groups.of(DEVICE.replace('0', '1'))).isNull();
    assertThat(groups.of(DEVICE.replace('0', 'x'))).isNull();
    assertThat(groups.of("")).isNull();
  }

  @Test
  void otherMessagesAreSkipped() throws UnreadableMessageException {
    take(groups, "group/vans", "no JSON");
    take(groups, "state/" + DEVICE, "{}");
    take(groups, "usage/" + DEVICE, null);
    groups.message(new ConsumerRecord<>("lastfix.devices", 0, 7, null, new byte[0]));

    assertThat(groups.of(DEVICE)).isNull();
  }

  @Test
  void whatCannotBeReadChangesNothing() throws UnreadableMessageException {
    take("{\"v\":1,\"group\":\"vans\"}");

    assertUnreadable("device/" + DEVICE, "{", "the value is no JSON");
    assertUnreadable("device/" + DEVICE, "{\"v\":1}", "the value is no device of version 1");
    assertUnreadable(
        "device/" + DEVICE, "{\"v\":2,\"group\":\"cabs\"}", "the value is no device of version 1");
    assertUnreadable("device/van-1", "{\"v\":1,\"group\":\"cabs\"}", "its key names no device");

    assertThat(groups.of(DEVICE)).isEqualTo("vans");
  }

  private void assertUnreadable(String key, String value, String message) {
    assertThatThrownBy(() -> take(groups, key, value))
        .isInstanceOf(UnreadableMessageException.class)
        .hasMessage(message);
  }

  @Test
  void aDeviceThatATopicLacksWhichWasCreatedAgainHasNoGroup_OnceThatIsReadToItsEnd()
      throws UnreadableMessageException {
    String other = DEVICE.replace('0', '1');
    take("{\"v\":1,\"group\":\"vans\"}");
    take(groups, "device/" + other, "{\"v\":1,\"group\":\"vans\"}");
    groups.caughtUp();

    groups.beginAgain(1);
    groups.caughtUp();
    assertThat(groups.of(DEVICE)).as("it is of another partition").isEqualTo("vans");

    groups.beginAgain(0);
    take(groups, "device/" + other, "{\"v\":1,\"group\":\"vans\"}");
    assertThat(groups.of(DEVICE)).isEqualTo("vans");
    groups.caughtUp();
    assertThat(groups.of(DEVICE)).isNull();
    assertThat(groups.of(other)).isEqualTo("vans");
  }

  /** A pseudonym is of the same form. */
  @Test
  void devicesAreFoundUnderTheNamesOfTheirRecords() throws UnreadableMessageException {
    DeviceGroups named = new DeviceGroups(device -> device.replace('0', 'f'));

    take(named, "device/" + DEVICE, "{\"v\":1,\"group\":\"vans\"}");

    assertThat(named.of(DEVICE.replace('0', 'f'))).isEqualTo("vans");
    assertThat(named.of(DEVICE)).isNull();
  }
}
