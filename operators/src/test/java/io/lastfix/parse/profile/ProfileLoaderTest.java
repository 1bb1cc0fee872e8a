package io.lastfix.parse.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.ShippedProfiles;
import io.lastfix.parse.Decoded;
import io.lastfix.parse.DefaultLimits;
import io.lastfix.parse.Messages;
import io.lastfix.parse.RecordDecoder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileLoaderTest {
  private static final String GOOD =
      """
      format: xml
      record: row
      user: id
      cell: {text: cell}
      timestamp: {path: "@at", format: iso8601}
      """;

  private static Profile read(String yaml) throws IOException {
    return ProfileLoader.read("test", "test.yaml", new ByteArrayInputStream(Messages.utf8(yaml)));
  }

  @Test
  void theProfilesThatShipAreValid() throws IOException {
    for (String name : ShippedProfiles.names()) {
      assertThat(ProfileLoader.load(name, null).name()).isEqualTo(name);
    }
  }

  @Test
  void aDirectoryAddsProfilesAndReplacesThoseThatShip(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("vendor.yaml"), GOOD);
    Files.writeString(directory.resolve("json.yaml"), GOOD);
    assertThat(ProfileLoader.load("vendor", directory).record()).containsExactly("row");
    assertThat(ProfileLoader.load("json", directory).record()).containsExactly("row");
    assertThat(ProfileLoader.load("mlp", directory).record()).contains("trl_pos");
  }

  @Test
  void aNameThatNothingHasIsRefused(@TempDir Path directory) {
    assertThatThrownBy(() -> ProfileLoader.load("other", null))
        .hasMessage(
            "profile: no profile has the name 'other'; expected "
                + String.join(", ", ShippedProfiles.names()));
    assertThatThrownBy(() -> ProfileLoader.load("../json", directory))
        .hasMessageContaining("found '../json'");
  }

  @Test
  void everyProblemIsNamedAtOnce() {
    String yaml =
        """
        format: csv
        record: [a:b]
        usr: id
        cell:
          - {mcc: a/b, cid: "@c/d", colour: red}
          - {text: cell, mcc: x, constant-radio: 6G}
        timestamp: {path: at, format: "HH:mm", offset: [1]}
        """;
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .startsWith("Profile test.yaml cannot be used:\n")
        .contains(
            "  usr: unknown key; expected one of [batch, cell, error, format, only, pairs, position, record, timestamp, user]",
            "  format: expected xml, json or form, found 'csv'",
            "  record: expected the name of an element, without prefix, found 'a:b'",
            "  user: missing",
            "  cell[0].colour: unknown key",
            "  cell[0].mnc: missing",
            "  cell[0].cid: expected names joined by '/'",
            "  cell[1].mcc: expected text or parts, found both",
            "  cell[1].constant-radio: expected one of [GSM, CDMA, UMTS, LTE, NR], found '6G'",
            "  timestamp.format: expected iso8601, epoch-millis, epoch-seconds, auto, any, or",
            "  timestamp.offset: expected a path such as cell/mcc");
  }

  @Test
  void everyProblemOfAPositionIsNamedAtOnce() {
    String yaml =
        """
        format: xml
        record: row
        only: {path: kind, place: "yes"}
        batch: [a, b/c]
        user: id
        position:
          - {lon: lon, accuracy-is: 0.68, source: s, sources: {gps: satellite}, invalid: [1]}
          - {lon: lon, lat: lat, shape: shape, default-source: cell, keep-shape: "yes"}
          - {coordinates: c, accuracy-is: 68 percent, default-source: gnss, keep-shape: true}
          - {shape: shape, accuracy: a, colour: red, sources: {gps: gnss}, default-source: mlp}
        timestamp: {path: at, format: iso8601}
        """;
    assertThatThrownBy(() -> read(yaml))
        .message()
        .contains(
            "  only.values: missing: expected a list of texts",
            "  only.place: expected true or false",
            "  batch: expected only in JSON",
            "  batch: expected the name of a member, or a list of names, found 'b/c'",
            "  position[0].lat: missing",
            "  position[0].accuracy-is: expected a text",
            "  position[0].sources.gps: expected gnss, network or mlp, found 'satellite'",
            "  position[0].default-source: missing",
            "  position[0].invalid: expected path and values",
            "  position[1]: expected lon and lat, coordinates, or shape, found several",
            "  position[1].default-source: expected gnss, network or mlp, found 'cell'",
            "  position[1].keep-shape: expected true or false",
            "  position[2].coordinates: expected only in JSON",
            "  position[2].accuracy-is: expected the probability that the position is within the"
                + " accuracy, 1% to 100%, found '68 percent'",
            "  position[2].keep-shape: expected only beside shape",
            "  position[3].accuracy: expected none beside shape, which has a radius",
            "  position[3].colour: unknown key",
            "  position[3].source: missing beside sources",
            "  position: expected at most one shape");
  }

  @Test
  void whatCannotWorkTogetherIsRefused() {
    String yaml =
        """
        format: json
        record: body/events
        batch: list
        only: {path: kind, values: [""]}
        user: geometry/coordinates
        position:
          - {coordinates: geometry/coordinates, accuracy-is: 68%, default-source: gnss}
          - {lon: at, lat: at, confidence: c, default-source: gnss}
        timestamp: {path: geometry/coordinates/time, format: any}
        """;
    assertThatThrownBy(() -> read(yaml))
        .message()
        .contains(
            "  batch: expected only without record",
            "  only.values: expected a list of texts, none of them empty",
            "  user: expected a path outside of the coordinates at geometry/coordinates",
            "  timestamp.path: expected a path outside of the coordinates at geometry/coordinates",
            "  position[0].accuracy-is: expected only beside accuracy or shape",
            "  position[1].lat: expected another path than that of lon",
            "  position[1].confidence: expected only beside accuracy or shape");
    String shape =
        GOOD.replace("user: id", "user: pd/shape/@id")
            + "position: {shape: pd/shape, altitude: pd/shape/Point/alt, default-source: mlp}\n";
    assertThatThrownBy(() -> read(shape))
        .message()
        .contains(
            "  user: expected a path outside of the shape at pd/shape",
            "  position.altitude: expected a path outside of the shape at pd/shape");
  }

  @Test
  void whatCannotBeAListOfPairsIsRefused() {
    String yaml =
        """
        format: json
        pairs: {path: list, name: key, value: key, colour: red}
        user: list/id/number
        position: {coordinates: list/at, default-source: gnss}
        timestamp: {path: list, format: any}
        """;
    assertThatThrownBy(() -> read(yaml))
        .message()
        .contains(
            "  pairs.colour: unknown key; expected one of [name, path, value]",
            "  pairs.value: expected another member than that of name",
            "  user: expected the name of one pair after list, found 'list/id/number'",
            "  timestamp.path: expected the name of one pair after list, found 'list'",
            "  position.coordinates: expected a path outside of list");
    assertThatThrownBy(() -> read(GOOD + "pairs: {name: key}\n"))
        .message()
        .contains(
            "  pairs: expected only in JSON", "  pairs.path: missing", "  pairs.value: missing");
    assertThatThrownBy(() -> read(GOOD + "pairs: list\n"))
        .hasMessageContaining("  pairs: expected path, name and value");
  }

  @Test
  void aProfileNeedsACellOrAPosition() throws IOException {
    String neither = GOOD.replace("cell: {text: cell}\n", "");
    assertThatThrownBy(() -> read(neither))
        .hasMessageContaining("  cell: missing; expected cell, position or both");
    Profile profile = read(neither + "position: {lon: x, lat: y, default-source: gnss}\n");
    assertThat(profile.cells()).isEmpty();
    assertThat(profile.positions()).hasSize(1);
  }

  @Test
  void attributesAndTypesAreNotForJson() {
    assertThatThrownBy(() -> read(GOOD.replace("xml", "json")))
        .hasMessageContaining("timestamp.path: expected no @attribute in JSON, found '@at'");
  }

  @Test
  void aKeyGivenTwiceOrNoYamlIsRefused() {
    assertThatThrownBy(() -> read(GOOD + "user: other\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("test.yaml: not YAML: ");
    assertThatThrownBy(() -> read("")).hasMessageStartingWith("test.yaml: expected keys");
  }

  @Test
  void anAttributeOfTheRecordItselfIsRead() throws IOException {
    RecordDecoder decoder =
        RecordDecoder.of(
            read(GOOD), DefaultLimits.DECODER, DefaultLimits.TIMESTAMP, () -> Messages.NOW);
    String row = "<row at='2026-11-20T12:00:01.001Z'><id>u</id><cell>234-10--7</cell></row>";
    assertThat(Decoded.of(decoder, row).records)
        .containsExactly(Messages.record("u", "234-10--7", null, "2026-11-20T12:00:01.001Z"));
  }

  @Test
  void aProfileTravelsToTheTaskManagers() throws Exception {
    Profile copy = InstantiationUtil.clone(Decoded.profile("mlp"));
    assertThat(copy.record()).isEqualTo(Decoded.profile("mlp").record());
    assertThat(copy.users()).isEqualTo(Decoded.profile("mlp").users());
  }
}
