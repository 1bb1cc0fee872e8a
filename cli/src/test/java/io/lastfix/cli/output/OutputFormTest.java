package io.lastfix.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import io.lastfix.store.query.LastKnownLocationQueries.Neighbour;
import io.lastfix.store.query.SightingJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class OutputFormTest {
  private static final Sighting LOCATED =
      new Sighting(
          "350000000007919",
          Instant.parse("2026-11-20T12:00:01.001Z"),
          "234-10-4021-20911362",
          new Position(-0.1276, 51.5072));
  private static final Sighting UNLOCATED =
      new Sighting("a \"user\", odd", Instant.parse("2026-11-20T12:00:02Z"), "1-1-1-1", null);
  private static final Sighting OWN =
      new Sighting(
          "350000000007919",
          Instant.parse("2026-11-20T12:00:03Z"),
          null,
          new Position(-0.13, 51.51),
          PositionSource.NETWORK,
          null,
          null,
          null,
          false,
          null);
  private static final Sighting BOTH =
      new Sighting(
          "350000000007919",
          Instant.parse("2026-11-20T12:00:04Z"),
          "234-10-4021-20911362",
          new Position(1.5, 52),
          PositionSource.GNSS,
          6.5,
          35.0,
          new Position(-0.1276, 51.5072),
          true,
          null);
  private static final Sighting FOUND_LATER =
      new Sighting(
          "350000000007919",
          Instant.parse("2026-11-20T12:00:05Z"),
          "234-10-4021-20911362",
          new Position(-0.1276, 51.5072),
          PositionSource.CELL,
          null,
          null,
          null,
          false,
          Instant.parse("2026-11-21T09:30:00.5Z"));
  private static final String LINE_END = System.lineSeparator();

  private final StringWriter out = new StringWriter();
  private final PrintWriter printer = new PrintWriter(out);

  @Command
  private static final class AnyCommand {
    @Mixin private final OutputForm form = new OutputForm();
  }

  private static OutputForm form(String... options) {
    AnyCommand command = new AnyCommand();
    new CommandLine(command).parseArgs(options);
    return command.form;
  }

  private String print(RowWriter rows, ObjectNode about, ObjectNode... given) throws IOException {
    for (ObjectNode row : given) {
      rows.write(row);
    }
    rows.finish(about);
    printer.flush();
    return out.toString();
  }

  private static ObjectNode row(Sighting sighting) {
    return SightingJson.of(sighting, null);
  }

  private static ObjectNode row(Neighbour neighbour) {
    return SightingJson.of(neighbour.sighting(), neighbour.distanceMeters());
  }

  private static ObjectNode about() {
    return JsonNodeFactory.instance.objectNode();
  }

  @Test
  void jsonHasTheSightingsAndWhatIsSaidOfThem() throws IOException {
    assertThat(
            print(
                form("--json").open(printer, false),
                about().put("next", "AQ"),
                row(LOCATED),
                row(UNLOCATED)))
        .isEqualTo(
            "{\"sightings\":[{\"user\":\"350000000007919\",\"ts\":\"2026-11-20T12:00:01.001Z\","
                + "\"cell\":\"234-10-4021-20911362\",\"loc\":{\"lon\":-0.1276,\"lat\":51.5072},\"src\":\"cell\"},"
                + "{\"user\":\"a"
                + " \\\"user\\\", odd\",\"ts\":\"2026-11-20T12:00:02Z\",\"cell\":\"1-1-1-1\"}],"
                + "\"next\":\"AQ\"}"
                + LINE_END);
  }

  @Test
  void jsonOfNothingIsAnEmptyArray() throws IOException {
    assertThat(print(form("--json").open(printer, false), about()))
        .isEqualTo("{\"sightings\":[]}" + LINE_END);
  }

  @Test
  void csvIsAsRfc4180SaysWithEmptyFieldsForWhatIsNotKnown() throws IOException {
    assertThat(
            print(
                form("--csv").open(printer, false),
                about(),
                row(LOCATED),
                row(UNLOCATED),
                row(OWN),
                row(BOTH),
                row(FOUND_LATER)))
        .isEqualTo(
            """
            user,ts,cell,lon,lat,src,acc,alt,cellLon,cellLat,far,located\r
            350000000007919,2026-11-20T12:00:01.001Z,234-10-4021-20911362,-0.1276,51.5072,cell,,,,,,\r
            "a ""user"", odd",2026-11-20T12:00:02Z,1-1-1-1,,,,,,,,,\r
            350000000007919,2026-11-20T12:00:03Z,,-0.13,51.51,network,,,,,,\r
            350000000007919,2026-11-20T12:00:04Z,234-10-4021-20911362,1.5,52.0,gnss,6.5,35.0,-0.1276,51.5072,true,\r
            350000000007919,2026-11-20T12:00:05Z,234-10-4021-20911362,-0.1276,51.5072,cell,,,,,,2026-11-21T09:30:00.500Z\r
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"=HYPERLINK(\"http://a\")", "+49170", "-1+1", "@SUM(1)", "\t=1", "\uff1d1"})
  void inASpreadsheetAUserIsATextAndADegreeIsANumber(String user) throws IOException {
    Sighting west =
        new Sighting(
            user, Instant.parse("2026-11-20T12:00:01Z"), "1-1-1-1", new Position(-122.4, -3.5));

    assertThat(print(form("--spreadsheet").open(printer, false), about(), row(west)))
        .contains("'" + user.replace("\"", "\"\""), ",-122.4,-3.5,");
    assertThat(print(form("--csv").open(printer, false), about(), row(west)))
        .contains("\r\n" + (user.contains("\"") ? "\"" : "") + user.replace("\"", "\"\""));
  }

  @Test
  void inASpreadsheetWhatIsNoFormulaStaysAsItIs() throws IOException {
    String csv = print(form("--csv").open(printer, true), about(), row(new Neighbour(BOTH, 2)));
    out.getBuffer().setLength(0);

    assertThat(
            print(form("--spreadsheet").open(printer, true), about(), row(new Neighbour(BOTH, 2))))
        .isEqualTo(csv);
  }

  @Test
  void csvHasTheDistanceWhereThereIsOne() throws IOException {
    assertThat(
            print(form("--csv").open(printer, true), about(), row(new Neighbour(LOCATED, 12.25))))
        .isEqualTo(
            """
            user,ts,cell,lon,lat,distance,src,acc,alt,cellLon,cellLat,far,located\r
            350000000007919,2026-11-20T12:00:01.001Z,234-10-4021-20911362,-0.1276,51.5072,12.25,cell,,,,,,\r
            """);
  }

  @Test
  void whatWasWrittenIsPrintedIfTheQueryFails() throws IOException {
    RowWriter csv = form("--csv").open(printer, false);
    csv.write(row(LOCATED));

    assertThat(csv.breakOff()).isTrue();
    printer.flush();
    assertThat(out.toString()).endsWith(",cell,,,,,,\r\n");

    out.getBuffer().setLength(0);
    RowWriter json = form("--json").open(printer, false);
    json.write(row(LOCATED));

    assertThat(json.breakOff()).isTrue();
    printer.flush();
    assertThat(out.toString()).startsWith("{\"sightings\":[{").endsWith("\"src\":\"cell\"}");

    out.getBuffer().setLength(0);
    RowWriter table = form().open(printer, false);
    table.write(row(LOCATED));

    assertThat(table.breakOff()).isTrue();
    printer.flush();
    assertThat(out.toString().lines()).hasSize(2);
  }

  @Test
  void aLineIsPrintedWholeOrNotAtAll() throws IOException {
    RowWriter line = form("--geojson").openLine(printer);
    line.write(row(LOCATED));

    assertThat(line.breakOff()).isFalse();
    printer.flush();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void geoJsonIsACollectionOfPointsWithoutGeometryWhereTheCellWasUnknown() throws IOException {
    assertThat(
            print(
                form("--geojson").open(printer, true),
                about().put("next", "AQ"),
                row(new Neighbour(LOCATED, 12.25)),
                row(UNLOCATED)))
        .isEqualTo(
            "{\"type\":\"FeatureCollection\",\"features\":["
                + "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[-0.1276,51.5072]},"
                + "\"properties\":{\"user\":\"350000000007919\",\"ts\":\"2026-11-20T12:00:01.001Z\","
                + "\"cell\":\"234-10-4021-20911362\",\"src\":\"cell\",\"distance\":12.25}},"
                + "{\"type\":\"Feature\",\"geometry\":null,\"properties\":{\"user\":\"a"
                + " \\\"user\\\", odd\",\"ts\":\"2026-11-20T12:00:02Z\",\"cell\":\"1-1-1-1\"}}]}"
                + LINE_END);
  }

  @Test
  void jsonOfAnOwnPositionHasANullForNoCellAndOnlyWhatIsKnown() throws IOException {
    assertThat(print(form("--json").open(printer, false), about(), row(OWN), row(BOTH)))
        .isEqualTo(
            "{\"sightings\":[{\"user\":\"350000000007919\",\"ts\":\"2026-11-20T12:00:03Z\","
                + "\"cell\":null,\"loc\":{\"lon\":-0.13,\"lat\":51.51},\"src\":\"network\"},"
                + "{\"user\":\"350000000007919\",\"ts\":\"2026-11-20T12:00:04Z\","
                + "\"cell\":\"234-10-4021-20911362\",\"loc\":{\"lon\":1.5,\"lat\":52.0},"
                + "\"src\":\"gnss\",\"acc\":6.5,\"alt\":35.0,"
                + "\"cellLoc\":{\"lon\":-0.1276,\"lat\":51.5072},\"far\":true}]}"
                + LINE_END);
  }

  @Test
  void geoJsonOfAnOwnPositionHasTheAccuracyAsAProperty() throws IOException {
    assertThat(print(form("--geojson").open(printer, false), about(), row(BOTH)))
        .contains(
            "\"coordinates\":[1.5,52.0]},\"properties\":{\"user\":\"350000000007919\","
                + "\"ts\":\"2026-11-20T12:00:04Z\",\"cell\":\"234-10-4021-20911362\","
                + "\"src\":\"gnss\",\"acc\":6.5,\"alt\":35.0,"
                + "\"cellLoc\":{\"lon\":-0.1276,\"lat\":51.5072},\"far\":true}}");
  }

  @Test
  void jsonAndGeoJsonSayWhenAPositionWasFoundLater() throws IOException {
    assertThat(print(form("--json").open(printer, false), about(), row(FOUND_LATER)))
        .contains("\"src\":\"cell\",\"located\":\"2026-11-21T09:30:00.500Z\"}");
    assertThat(print(form("--geojson").open(printer, false), about(), row(FOUND_LATER)))
        .endsWith("\"src\":\"cell\",\"located\":\"2026-11-21T09:30:00.500Z\"}}]}" + LINE_END);
  }

  @Test
  void theTableMarksAPositionFarFromItsCell() throws IOException {
    assertThat(print(form().open(printer, false), about(), row(OWN), row(BOTH)).lines().skip(1))
        .containsExactly(
            "350000000007919  2026-11-20T12:00:03Z  51.510000  -0.130000  network  -             -",
            "350000000007919  2026-11-20T12:00:04Z  52.000000  1.500000   gnss     6.5          "
                + " 234-10-4021-20911362 (far)");
  }

  @Test
  void aLineLeavesOutWhatHasNoPosition() throws IOException {
    assertThat(
            print(
                form("--geojson").openLine(printer),
                about(),
                row(LOCATED),
                row(UNLOCATED),
                row(BOTH)))
        .isEqualTo(
            "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\","
                + "\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[-0.1276,51.5072],[1.5,52.0]]},"
                + "\"properties\":{\"user\":\"350000000007919\","
                + "\"times\":[\"2026-11-20T12:00:01.001Z\",\"2026-11-20T12:00:04Z\"],"
                + "\"sources\":[\"cell\",\"gnss\"],\"accuracies\":[null,6.5]}}]}"
                + LINE_END);
  }

  @Test
  void aLineOfOnePositionIsAPoint() throws IOException {
    assertThat(print(form("--geojson").openLine(printer), about(), row(LOCATED)))
        .contains("\"geometry\":{\"type\":\"Point\",\"coordinates\":[-0.1276,51.5072]}");
  }

  @Test
  void aLineOfNoPositionHasNoGeometry() throws IOException {
    assertThat(print(form("--geojson").openLine(printer), about(), row(UNLOCATED)))
        .contains("\"geometry\":null", "\"times\":[]");
  }

  @Test
  void withoutAnOptionATableIsPrintedAndNothingWhereThereAreNoRows() throws IOException {
    assertThat(print(form().open(printer, false), about())).isEmpty();
    assertThat(
            print(form().open(printer, true), about(), row(new Neighbour(LOCATED, 12.25))).lines())
        .containsExactly(
            "USER             TIME (UTC)                LATITUDE   LONGITUDE  DISTANCE (M)  SOURCE"
                + "  ACCURACY (M)  CELL",
            "350000000007919  2026-11-20T12:00:01.001Z  51.507200  -0.127600  12.3          cell  "
                + "  -             234-10-4021-20911362");
  }

  @Test
  void aLongTableIsPrintedBlockByBlockUnderOneHeading() throws IOException {
    RowWriter rows = form().open(printer, false);
    for (int i = 0; i < 1_500; i++) {
      rows.write(row(LOCATED));
    }
    printer.flush();
    assertThat(out.toString().lines().count()).as("before the end").isGreaterThan(900);

    rows.finish(about());
    printer.flush();

    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(1_501);
    assertThat(lines.stream().filter(line -> line.startsWith("USER"))).hasSize(1);
  }
}
