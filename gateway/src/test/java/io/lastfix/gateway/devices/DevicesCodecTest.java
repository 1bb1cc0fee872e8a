package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.UserPatterns;
import io.lastfix.model.device.DeviceUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DevicesCodecTest {
  private static final DeviceId DEVICE = DeviceId.parse("00112233445566778899aabbccddeeff");
  private static final String HASH = "a".repeat(64);

  private static Stream<Arguments> messages() {
    return Stream.of(
        Arguments.of(
            new DevicesMessage.OfGroup("fleet-a", Fleet.A.withNextKey(Fleet.NOW)),
            "group/fleet-a",
            "{\"v\":1,\"keys\":[\"k2\",\"k1\"],\"tokens\":[\"%s\"],\"created\":\"2026-11-20T12:00:00Z\"}"
                .formatted(EnrolmentToken.hash(Fleet.TOKEN_A))),
        Arguments.of(
            new DevicesMessage.OfGroup(
                "fleet-b", Fleet.B.withSpeaksFor(new UserPatterns(List.of("35*", "ä")))),
            "group/fleet-b",
            "{\"v\":1,\"keys\":[\"k1\"],\"tokens\":[\"%s\"],\"created\":\"2026-11-20T12:00:00Z\",\"speaksFor\":[\"35*\",\"ä\"]}"
                .formatted(EnrolmentToken.hash(Fleet.TOKEN_B))),
        Arguments.of(
            new DevicesMessage.OfDevice(
                DEVICE, new RegisteredDevice("fleet-a", Fleet.UUID_1, "phone", HASH, Fleet.NOW)),
            "device/00112233445566778899aabbccddeeff",
            "{\"v\":1,\"group\":\"fleet-a\",\"uuid\":\"01234567-89ab-4def-8123-456789abcdef\",\"class\":\"phone\",\"manifest\":\"%s\",\"registered\":\"2026-11-20T12:00:00Z\"}"
                .formatted(HASH)),
        Arguments.of(
            new DevicesMessage.OfDevice(
                DEVICE, new RegisteredDevice("fleet-a", Fleet.UUID_1, "phone", null, Fleet.NOW)),
            "device/00112233445566778899aabbccddeeff",
            "{\"v\":1,\"group\":\"fleet-a\",\"uuid\":\"01234567-89ab-4def-8123-456789abcdef\",\"class\":\"phone\",\"manifest\":null,\"registered\":\"2026-11-20T12:00:00Z\"}"),
        Arguments.of(
            new DevicesMessage.OfState(DEVICE, new DeviceState(3, true)),
            "state/00112233445566778899aabbccddeeff",
            "{\"v\":1,\"generation\":3,\"disabled\":true}"),
        Arguments.of(
            new DevicesMessage.OfState(
                DEVICE,
                new DeviceState(2, true),
                Fleet.NOW,
                List.of(
                    new DeviceDecision(null, DeviceState.INITIAL),
                    new DeviceDecision(Fleet.NOW.minusSeconds(60), new DeviceState(2, false)))),
            "state/00112233445566778899aabbccddeeff",
            "{\"v\":1,\"generation\":2,\"disabled\":true,\"since\":\"2026-11-20T12:00:00Z\",\"earlier\":[{\"generation\":1,\"disabled\":false},{\"generation\":2,\"disabled\":false,\"since\":\"2026-11-20T11:59:00Z\"}]}"),
        Arguments.of(
            new DevicesMessage.OfGroup(
                "fleet-a", Fleet.A.withNextKey(Fleet.NOW).withCurrentKeyOnly(Fleet.NOW)),
            "group/fleet-a",
            "{\"v\":1,\"keys\":[\"k2\"],\"tokens\":[\"%s\"],\"created\":\"2026-11-20T12:00:00Z\",\"dropped\":{\"k1\":\"2026-11-20T12:00:00Z\"}}"
                .formatted(EnrolmentToken.hash(Fleet.TOKEN_A))),
        Arguments.of(
            new DevicesMessage.OfUsage(
                "a", new DeviceUsage("a", LocalDate.of(2026, 11, 25), 5_210, 3, 45)),
            "usage/a",
            "{\"v\":1,\"day\":\"2026-11-25\",\"bytes\":5210,\"partition\":3,\"offset\":45}"),
        Arguments.of(
            new DevicesMessage.OfManifest(HASH, "{\"ä\":[1,2.123456789012345678901]}", "fleet-a"),
            "manifest/" + HASH,
            "{\"v\":1,\"manifest\":{\"ä\":[1,2.123456789012345678901]},\"group\":\"fleet-a\"}"));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageHasThisTextAndIsReadBack(DevicesMessage message, String key, String value)
      throws DevicesFormatException {
    assertThat(message.key()).isEqualTo(key);
    assertThat(new String(DevicesCodec.value(message), StandardCharsets.UTF_8)).isEqualTo(value);
    assertThat(
            DevicesCodec.read(
                message.key().getBytes(StandardCharsets.UTF_8), DevicesCodec.value(message)))
        .contains(message);
  }

  /** By the part of the key before its slash. */
  @Test
  void theManualHasTheMembersOfEachKindOfMessage() throws IOException {
    Map<String, Set<String>> written = new TreeMap<>();
    messages()
        .map(Arguments::get)
        .forEach(message -> addMembers((String) message[1], (String) message[2], written));
    String page = Files.readString(Path.of("..", "docs", "reference", "topics.md"));
    Map<String, Set<String>> onPage = new TreeMap<>();
    page.split("\\| key \\| value \\| written by \\|\n\\|-.*\n", -1)[1]
        .split("\n\n", -1)[0]
        .lines()
        .map(row -> row.split("\\|", -1))
        .forEach(cells -> addMembers(cells[1].replace("`", "").strip(), cells[2], onPage));

    assertThat(onPage).isEqualTo(written);
  }

  private static void addMembers(String key, String json, Map<String, Set<String>> members) {
    Set<String> names =
        members.computeIfAbsent(key.replaceFirst("/.*", ""), kind -> new TreeSet<>());
    Pattern.compile("\"(\\w+)\":")
        .matcher(json)
        .results()
        .forEach(member -> names.add(member.group(1)));
  }

  @Test
  void aMessageWithoutAValueRemovesItsKey() throws DevicesFormatException {
    DevicesMessage removal = new DevicesMessage.OfState(DEVICE, null);

    assertThat(DevicesCodec.value(removal)).isNull();
    assertThat(DevicesCodec.read(removal.key().getBytes(StandardCharsets.UTF_8), null))
        .contains(removal);
  }

  @Test
  void keysOfOtherProgramsAreSkipped() throws DevicesFormatException {
    assertThat(DevicesCodec.read(bytes("quota/x"), bytes("no JSON"))).isEmpty();
    assertThat(DevicesCodec.read(bytes("x"), null)).isEmpty();
    assertThat(DevicesCodec.read(null, null)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "state/x   | {\"v\":1}                | device: expected 32 hexadecimal digits",
        "state/00112233445566778899aabbccddeeff | {\"v\":1,\"generation\":2,\"disabled\":\"yes\"} | disabled is neither true nor false",
        "state/00112233445566778899aabbccddeeff | {\"v\":1,\"generation\":4294967298,\"disabled\":false} | generation is no whole number of 32 bits",
        "state/00112233445566778899aabbccddeeff | {\"v\":1,\"generation\":1.5,\"disabled\":false} | generation is no whole number of 32 bits",
        "usage/a   | {\"v\":1,\"day\":\"2026-11-20\",\"bytes\":\"many\",\"partition\":0,\"offset\":0} | bytes is no whole number of 64 bits",
        "group/a   | {                        | the value is no JSON",
        "group/a   | {\"v\":2}                | the value has version 2, and this release reads version 1: upgrade it",
        "group/a   | {}                       | the value has version 0",
        "group/a   | {\"v\":1}                | the value has no member keys",
        "group/A   | {\"v\":1}                | group: expected 1 to 64",
        "group/a   | {\"v\":1,\"keys\":[],\"tokens\":[],\"created\":\"2026-11-20T12:00:00Z\"} | group a: expected 1 or 2 keys, found 0",
        "group/a   | {\"v\":1,\"keys\":[\"k1\"],\"tokens\":[],\"created\":\"now\"} | Text 'now' could not be parsed",
      })
  void aWrongMessageIsAnErrorThatSaysWhy(String key, String value, String message) {
    assertThatThrownBy(() -> DevicesCodec.read(bytes(key), bytes(value)))
        .isInstanceOf(DevicesFormatException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void unknownMembersAreSkipped() throws DevicesFormatException {
    assertThat(
            DevicesCodec.read(
                bytes("state/" + DEVICE),
                bytes("{\"v\":1,\"generation\":1,\"disabled\":false,\"why\":\"x\"}")))
        .contains(new DevicesMessage.OfState(DEVICE, DeviceState.INITIAL));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
