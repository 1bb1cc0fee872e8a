package io.lastfix.cli.analytics;

import static io.lastfix.cli.analytics.NumbersForm.column;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.analytics.NumbersForm.Column;
import io.lastfix.cli.analytics.NumbersForm.Rows;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class NumbersFormTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Two areas, one of them withheld, and a cell. */
  private static final Rows DENSITY =
      new Rows(
          List.of(new Column("k", "PLACE"), column("n"), new Column("withheld", "")),
          List.of("k"),
          List.of(
              NODES.objectNode().put("k", "8085804").put("n", 20),
              NODES.objectNode().put("k", "80858").put("withheld", true),
              NODES.objectNode().put("k", "310-260-7-1").put("n", 30)),
          "density");

  private static String print(Rows rows, String... options) throws IOException {
    StringWriter text = new StringWriter();
    ObjectNode about = NODES.objectNode().put("by", "area");
    PrintWriter out = new PrintWriter(text);
    CommandLine.populateCommand(new NumbersForm(), options).print(out, rows, about);
    out.flush();
    return text.toString();
  }

  @Test
  void whatIsAbsentIsADashInATableAndEmptyInCsv() throws IOException {
    assertThat(print(DENSITY).lines().toList())
        .containsExactly("PLACE        N", "8085804      20", "80858        -", "310-260-7-1  30");
    assertThat(print(DENSITY, "--csv").lines().toList())
        .containsExactly("k,n,withheld", "8085804,20,", "80858,,true", "310-260-7-1,30,");
  }

  @Test
  void inASpreadsheetATextIsNoFormulaAndANumberIsANumber() throws IOException {
    Rows stays =
        new Rows(
            List.of(column("user"), column("lon")),
            List.of(),
            List.of(NODES.objectNode().put("user", "=1+1").put("lon", -122.4)),
            "stays");

    assertThat(print(stays, "--spreadsheet").lines().toList())
        .containsExactly("user,lon", "'=1+1,-122.4");
    assertThat(print(stays, "--csv").lines().toList()).containsExactly("user,lon", "=1+1,-122.4");
  }

  @Test
  void jsonHasAllFieldsOfTheRows() throws IOException {
    assertThat(print(DENSITY, "--json"))
        .startsWith("{\"by\":\"area\",\"density\":[{\"k\":\"8085804\",\"n\":20},")
        .contains("{\"k\":\"80858\",\"withheld\":true}");
  }

  @Test
  void geoJsonHasTheCentresOfAreasAndNoGeometryOfCells() throws IOException {
    assertThat(print(DENSITY, "--geojson"))
        .startsWith(
            "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":"
                + "{\"type\":\"Point\",\"coordinates\":[-122.")
        .contains("{\"type\":\"Feature\",\"geometry\":null,\"properties\":{\"k\":\"310-260-7-1\"");
  }

  @Test
  void geoJsonSaysWhatAllFeaturesAreAbout() throws IOException {
    assertThat(print(DENSITY, "--geojson").strip()).endsWith("],\"by\":\"area\"}");
  }

  @Test
  void betweenTwoAreasThereIsALine() throws IOException {
    Rows flows =
        new Rows(
            List.of(column("from"), column("to")),
            List.of("from", "to"),
            List.of(
                NODES.objectNode().put("from", "8085804").put("to", "808580c"),
                NODES.objectNode().put("from", "8085804").put("to", "none")),
            "flows");

    assertThat(print(flows, "--geojson"))
        .contains("\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[-122.")
        .contains("\"geometry\":null,\"properties\":{\"from\":\"8085804\",\"to\":\"none\"}");
  }

  @Test
  void aRowsOwnPositionIsItsPoint() throws IOException {
    Rows alerts =
        new Rows(
            List.of(column("user")),
            List.of(),
            List.of(NODES.objectNode().put("user", "a").put("lon", -122.4).put("lat", 37.7)),
            "alerts");

    assertThat(print(alerts, "--geojson"))
        .contains("\"geometry\":{\"type\":\"Point\",\"coordinates\":[-122.4,37.7]}");
  }

  @Test
  void rowsWithoutPlacesHaveNoGeometry() throws IOException {
    Rows total = new Rows(DENSITY.columns(), List.of(), DENSITY.rows(), "groups");

    assertThat(print(total, "--geojson")).contains("\"geometry\":null").doesNotContain("Point");
  }
}
