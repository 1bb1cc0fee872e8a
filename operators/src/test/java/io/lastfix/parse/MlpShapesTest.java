package io.lastfix.parse;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.ProfileLoader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shapes in messages of MLP. The table of the shapes is in docs/reference/profiles.md. */
class MlpShapesTest {
  private static final String COORD = "<coord><X>51.5</X><Y>-0.12</Y></coord>";
  private static final String CIRCLE =
      "<CircularArea>" + COORD + "<radius>25</radius></CircularArea>";
  private static final String TRIANGLE =
      "<outerBoundaryIs><LinearRing><coord><X>0.5</X><Y>179.9</Y></coord><coord><X>0.5</X><Y>-179.9</Y>"
          + "</coord><coord><X>0.6</X><Y>180</Y></coord></LinearRing></outerBoundaryIs>";

  private static final String ZERO = "<coord><X>0</X><Y>0</Y></coord>";
  private static final String BOX_OF_ZEROS = "<Box>" + ZERO + ZERO + "</Box>";
  private static final String RING_OF_ZEROS =
      "<outerBoundaryIs><LinearRing>" + ZERO + ZERO + ZERO + "</LinearRing></outerBoundaryIs>";

  private static Decoded decode(String shape) {
    return Decoded.of(Decoded.decoder("mlp"), Messages.mlp(Messages.mlpShape(shape)));
  }

  private static Fix fix(Decoded decoded) {
    assertThat(decoded.rejections).isEmpty();
    return decoded.records.get(0).fix();
  }

  private static String detail(Decoded decoded) {
    assertThat(decoded.rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.INVALID_POSITION);
    return decoded.rejections.get(0).detail();
  }

  /** Answers of servers in the field; in some the attributes have no quotes. */
  static Stream<Arguments> answers() throws IOException {
    Stream<Arguments> ours =
        answersIn(
            Path.of("src", "test", "resources", "mlp"),
            """
            slia-circle-cgi.xml: -0.1275 51.507222 7.3 and 234-15-311-40021
            slia-circle-lte.xml: 139.745433 35.658581 87.6 and 440-10--30463924
            slia-circle-lte-imsi.xml: 151.215297 -33.856784 21.4 and 505-2--20911362
            slia-method-failure.xml: no-position
            slia-unknown-subscriber.xml: no-position
            slrep-arc-without-outer-radius-unquoted.xml: 242-2--50463924 position ignored
            slrep-inner-boundary-unquoted.xml: 12.4940001 41.8920001 545.253 and 222-1-4022-9118
            slrep-point-unquoted.xml: 2.2945 48.858222 null and 208-1-4021-9117
            tlra-empty-msid-lte.xml: 234-30--107631107
            tlrep-ellipse-unquoted.xml: -21.942635 64.146582 12.7 and 274-1--1234567
            """);
    Path samples = Path.of("..", "..", "shared", "data", "mlp_samples");
    if (!Files.exists(samples)) {
      return ours;
    }
    return Stream.concat(
        ours,
        answersIn(
            samples,
            """
            01_slia.xml: 110.100067 -45.002102 4.6 and 748-21-32005-38221
            02_slia.xml: no-position
            03_slia.xml: 109.977801 -23.291026 18.5 and 732-103--23187296
            04_slia.xml: 110.009859 -24.010009 98.3 and 502-19--38791702
            07_slrep_not_wellformed.xml: -124.902027 34.789124 null and 404-51-5000-21831
            08_slrep_not_wellformed.xml: 83.240218 25.6590627 521.423 and 404-51-5000-21831
            10_tlrep_not_wellformed.xml: -75.558107 6.195592 3.9 and 732-123--2829314
            11_slrep_not_wellformed.xml: 733-23--40463924 position ignored
            13_slia.xml: no-position
            14_tlra.xml: 748-1--207631107
            """));
  }

  private static Stream<Arguments> answersIn(Path folder, String table) throws IOException {
    List<String[]> rows = table.lines().map(line -> line.split(": ")).toList();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.endsWith(".xml"))
          .containsExactlyInAnyOrderElementsOf(rows.stream().map(row -> row[0]).toList());
    }
    return rows.stream().map(row -> Arguments.of(folder.resolve(row[0]), row[1]));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void anAnswerYieldsWhatTheTableSaysOnceItsAttributesHaveQuotes(Path file, String yields)
      throws IOException {
    String answer = Files.readString(file);
    String wellFormed = answer.replaceAll("=([^\\s?>\"]+)", "=\"$1\"");
    assertThat(yielded(wellFormed)).isEqualTo(yields);
    if (!wellFormed.equals(answer)) {
      assertThat(yielded(answer)).isEqualTo("malformed");
    }
  }

  private static String yielded(String message) {
    Decoded decoded = Decoded.of(Decoded.decoder("mlp"), message);
    if (decoded.records.isEmpty()) {
      return decoded.rejections.get(0).reason().code();
    }
    assertThat(decoded.rejections).isEmpty();
    LocationRecord record = decoded.records.get(0);
    Fix fix = record.fix();
    String cell = String.valueOf(record.cell());
    if (fix == null) {
      return cell + (decoded.positionsIgnored > 0 ? " position ignored" : "");
    }
    return "%s %s %s and %s"
        .formatted(fix.position().lon(), fix.position().lat(), fix.accuracyMeters(), cell);
  }

  @Test
  void anotherCoordinateSystemIsNamedAndTheRecordGoesOnAtItsCell() {
    String japanese =
        CIRCLE.replace("<CircularArea>", "<CircularArea srsName=\"EPSG:4301 &amp;'\">");
    assertThat(detail(decode(japanese)))
        .isEqualTo(
            "record 1: pd/shape: expected coordinates of WGS 84 (EPSG 4326), found the system"
                + " 'EPSG:4301???'");
    String position =
        Messages.MLP_CGI_POS.replace("<CircularArea>", "<CircularArea srsName=\"EPSG:14326\">");
    Decoded withCell = Decoded.of(Decoded.decoder("mlp"), Messages.mlp(position));
    assertThat(withCell.positionsIgnored).isEqualTo(1);
    assertThat(withCell.records.get(0).fix()).isNull();
    assertThat(withCell.records.get(0).cell()).hasToString("234-15-311-40021");
  }

  @ParameterizedTest
  @ValueSource(strings = {"www.epsg.org#4326", "EPSG:4326", "urn:ogc:def:crs:EPSG::4326", "4326"})
  void wgs84HasSeveralNames(String name) {
    assertThat(fix(decode(CIRCLE.replace("<coord>", "<coord srsName=\"" + name + "\">"))))
        .isEqualTo(fix(decode(CIRCLE)));
  }

  @ParameterizedTest
  @CsvSource({
    "<coord/>, 1001, '', expected at most 1000 points",
    "<Z/>, 5001, '', expected at most 5000 elements",
    "<Z>, 17, </Z>, expected elements nested at most 16 deep"
  })
  void theBrokenLimitOfAShapeIsNamed(String start, int count, String end, String expected) {
    String shape = "<Point>" + start.repeat(count) + end.repeat(count) + "</Point>";
    assertThat(detail(decode(shape))).isEqualTo("record 1: pd/shape: " + expected);
  }

  @Test
  void aRadiusOfAnotherConfidenceIsConvertedToThatOf95Percent() {
    String position =
        Messages.mlpShape(CIRCLE)
            .replace(
                "</shape>", "</shape><alt>35.5</alt><alt_unc>4</alt_unc><lev_conf>%s</lev_conf>");
    for (String[] expected :
        new String[][] {
          {"68", "40.537"},
          {"67%", "41.096"},
          {"67 %", "41.096"},
          {"0.68", "40.537"},
          {"1", "431.62"},
          {"1%", "431.62"},
          {"1.0", "25.0"},
          {"95", "25.0"},
          {"100", "25.0"},
          {"99", "20.164"},
          {"0.99", "20.164"},
          {"0.5%", "25.0"},
          {"95", "25.0"},
          {"100", "25.0"},
          {"0", "25.0"},
          {"much", "25.0"}
        }) {
      Fix fix =
          fix(Decoded.of(Decoded.decoder("mlp"), Messages.mlp(position.formatted(expected[0]))));
      assertThat(fix.accuracyMeters()).as(expected[0]).isEqualTo(Double.parseDouble(expected[1]));
      assertThat(fix.altitudeMeters()).isEqualTo(35.5);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<Unknown/>",
        "<CircularArea><radius>25</radius></CircularArea>",
        "<CircularArea>" + COORD + COORD + "<radius>25</radius></CircularArea>",
        "<CircularArea>" + COORD + "<radius>-25</radius></CircularArea>",
        "<CircularArea>" + COORD + "<radius>25</radius><radius>26</radius></CircularArea>",
        "<CircularArea>" + COORD + "<radius>2<b/>5</radius></CircularArea>",
        "<CircularArea>"
            + COORD
            + "<radius>25</radius><distanceUnit>furlong</distanceUnit></CircularArea>",
        "<CircularArea><coord><X>51.5</X></coord><radius>25</radius></CircularArea>",
        "<CircularArea><coord><X>0</X><Y>0</Y></coord><radius>25</radius></CircularArea>",
        CIRCLE + CIRCLE,
        "<Polygon>" + RING_OF_ZEROS + "</Polygon>",
        BOX_OF_ZEROS,
        "<LineString>" + ZERO + ZERO + "</LineString>",
        "<MultiPolygon/>",
        "<Polygon><outerBoundaryIs><LinearRing>"
            + COORD
            + COORD
            + COORD
            + "</LinearRing></outerBoundaryIs><outerBoundaryIs><LinearRing>"
            + COORD
            + COORD
            + COORD
            + "</LinearRing></outerBoundaryIs></Polygon>",
        "<Polygon><outerBoundaryIs><LinearRing>"
            + COORD
            + COORD
            + "</LinearRing></outerBoundaryIs></Polygon>",
      })
  void aShapeThatIsNoneIsNoPosition(String shape) {
    assertThat(detail(decode(shape))).startsWith("record 1: pd/shape: ").doesNotContain("51.5");
  }

  @Test
  void aShapeAcrossTheAntimeridianHasItsCentreThere() {
    Fix fix = fix(decode("<Polygon>" + TRIANGLE + "</Polygon>"));
    assertThat(Math.abs(fix.position().lon())).isGreaterThan(179.99);
    assertThat(fix.accuracyMeters()).isBetween(10_000.0, 13_000.0);
  }

  @Test
  void whiteSpaceAroundAValueDoesNotCount() {
    String blanks = "\n" + " ".repeat(100) + "\t";
    String spaced =
        CIRCLE.replace("51.5", blanks + "51.5" + blanks).replace("25", blanks + "25" + blanks);
    assertThat(fix(decode(spaced))).isEqualTo(fix(decode(CIRCLE)));
    assertThat(fix(decode(CIRCLE.replace("51.5", "51 " + blanks + " 30 0N"))))
        .isEqualTo(fix(decode(CIRCLE)));
    assertThat(detail(decode(CIRCLE.replace("51.5", "5".repeat(65)))))
        .contains("at most 64 characters");
    assertThat(fix(decode(CIRCLE.replace("51.5", "51.5" + "0".repeat(60)))))
        .isEqualTo(fix(decode(CIRCLE)));
  }

  @Test
  void aSecondShapeMakesBothUnusableAndKeepsTheCell() {
    String shape = "<shape>" + CIRCLE + "</shape>";
    String position = Messages.MLP_CGI_POS.replace("</shape>", "</shape>" + shape);
    Decoded decoded =
        Decoded.of(Decoded.decoder("mlp"), Messages.mlp(position, Messages.MLP_CGI_POS));
    assertThat(decoded.rejections).isEmpty();
    assertThat(decoded.positionsIgnored).isEqualTo(1);
    assertThat(decoded.records.get(0).cell()).hasToString("234-15-311-40021");
    assertThat(decoded.records.get(1)).isEqualTo(Messages.MLP_CGI_RECORD);
    assertThat(detail(decode(CIRCLE + "</shape>" + shape.replace("</shape>", ""))))
        .isEqualTo("record 1: pd/shape: expected once, found again");
  }

  @Test
  void anEllipseNeedsItsAngleOnlyIfItsShapeIsKept() throws IOException {
    String ellipse =
        "<EllipticalArea>"
            + COORD
            + "%s<semiMajor>90</semiMajor><semiMinor>20</semiMinor></EllipticalArea>";
    for (String angle :
        new String[] {"", "<angle>x</angle>", "<angle>1</angle><angularUnit>mils</angularUnit>"}) {
      assertThat(fix(decode(ellipse.formatted(angle))).accuracyMeters()).isEqualTo(90);
      assertThat(kept(ellipse.formatted(angle))).isNull();
    }
    assertThat(kept(ellipse.formatted("<angle>1</angle>"))).isNotNull();
  }

  @Test
  void ringsOfGeoJsonHaveTheRightDirectionAndACircleWithoutRadiusIsAPoint() throws IOException {
    String clockwise =
        "<Polygon><outerBoundaryIs><LinearRing><coord><X>0</X><Y>179</Y></coord>"
            + "<coord><X>3</X><Y>179</Y></coord><coord><X>0</X><Y>-178</Y></coord></LinearRing></outerBoundaryIs>"
            + "<innerBoundaryIs><LinearRing><coord><X>1</X><Y>179.5</Y></coord>"
            + "<coord><X>1</X><Y>180</Y></coord><coord><X>1.5</X><Y>179.5</Y></coord></LinearRing></innerBoundaryIs></Polygon>";
    assertThat(geoJson(clockwise))
        .hasToString(
            "{\"type\":\"Polygon\",\"coordinates\":[[[179,0],[-178,0],[179,3],[179,0]],"
                + "[[179.5,1],[179.5,1.5],[180,1],[179.5,1]]]}");
    String point = CIRCLE.replace("25", "0");
    assertThat(kept(point)).isNull();
    assertThat(geoJson("<MultiPolygon>" + point + CIRCLE + "</MultiPolygon>").at("/geometries/0"))
        .hasToString("{\"type\":\"Point\",\"coordinates\":[-0.12,51.5]}");
  }

  @Test
  void aShapeIsKeptAsGeoJsonOnlyIfTheProfileSaysSo() throws IOException {
    assertThat(fix(decode(CIRCLE)).shape()).isNull();
    assertThat(kept("<Point>" + COORD + "</Point>")).isNull();
    JsonNode circle = geoJson(CIRCLE);
    assertThat(circle.path("type").asText()).isEqualTo("Polygon");
    assertThat(circle.path("coordinates").get(0)).hasSize(49);
    assertThat(circle.at("/coordinates/0/0")).isEqualTo(circle.at("/coordinates/0/48"));
    assertThat(geoJson("<Polygon>" + TRIANGLE + "</Polygon>"))
        .hasToString(
            "{\"type\":\"Polygon\",\"coordinates\":[[[179.9,0.5],[-179.9,0.5],[180,0.6],[179.9,0.5]]]}");
    JsonNode several =
        geoJson(
            "<MultiPolygon><Polygon>"
                + TRIANGLE
                + "</Polygon><Polygon>"
                + TRIANGLE
                + "</Polygon></MultiPolygon>");
    assertThat(several.path("type").asText()).isEqualTo("MultiPolygon");
    assertThat(several.path("coordinates")).hasSize(2);
    String arc =
        "<CircularArcArea>"
            + COORD
            + "<inRadius>%s</inRadius><outRadius>9</outRadius>"
            + "<startAngle>0</startAngle><stopAngle>%s</stopAngle></CircularArcArea>";
    assertThat(geoJson(arc.formatted(5, 90)).at("/coordinates/0")).hasSize(27);
    assertThat(geoJson(arc.formatted(0, 90)).at("/coordinates/0")).hasSize(15);
    assertThat(geoJson(arc.formatted(5, 360)).path("coordinates")).hasSize(2);
    assertThat(
            geoJson("<LineString>" + COORD + "<coord><X>51.6</X><Y>-0.12</Y></coord></LineString>"))
        .hasToString("{\"type\":\"LineString\",\"coordinates\":[[-0.12,51.5],[-0.12,51.6]]}");
    assertThat(kept("<MultiPolygon>" + CIRCLE.repeat(17) + "</MultiPolygon>")).isNull();
  }

  private static JsonNode geoJson(String shape) throws IOException {
    return new ObjectMapper().readTree(kept(shape));
  }

  private static String kept(String shape) throws IOException {
    String yaml =
        Files.readString(Path.of("..", "config", "profiles", "mlp.yaml"))
            .replace("keep-shape: false", "keep-shape: true");
    Profile profile =
        ProfileLoader.read("mlp", "mlp.yaml", new ByteArrayInputStream(Messages.utf8(yaml)));
    RecordDecoder decoder = Decoded.decoder(profile);
    return fix(Decoded.of(decoder, Messages.mlp(Messages.mlpShape(shape)))).shape();
  }
}
