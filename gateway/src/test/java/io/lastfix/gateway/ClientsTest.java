package io.lastfix.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.kafka.OutgoingRecord;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The requests of clients that exist, and the answers that they expect. */
@Execution(ExecutionMode.CONCURRENT)
class ClientsTest {
  private static final String QUERY =
      "id=48241179&timestamp=1795176001&lat=37.775&lon=-122.418&speed=0.0&bearing=90.0"
          + "&altitude=35.0&accuracy=6.5&batt=83.0";

  private static final String JSON =
      "{\"location\":{\"timestamp\":\"2026-11-20T12:00:01.000Z\",\"coords\":{\"latitude\":37.775,"
          + "\"longitude\":-122.418,\"accuracy\":6.5,\"speed\":0,\"heading\":90,\"altitude\":35},"
          + "\"is_moving\":false,\"odometer\":0,\"event\":\"motionchange\",\"battery\":"
          + "{\"level\":0.83,\"is_charging\":false},\"activity\":{\"type\":\"still\"},"
          + "\"extras\":{}},\"device_id\":\"48241179\"}";

  private static final String OWNTRACKS =
      "{\"_type\":\"location\",\"BSSID\":\"\",\"acc\":11,\"alt\":35,\"batt\":83,\"bs\":1,"
          + "\"conn\":\"m\",\"created_at\":1795176002,\"lat\":37.775,\"lon\":-122.418,\"m\":1,"
          + "\"tid\":\"ph\",\"topic\":\"owntracks/jane/phone\",\"tst\":1795176001,\"vac\":2,"
          + "\"vel\":0}";

  private final RecordingSender sender = new RecordingSender();

  private OutgoingRecord only() {
    assertThat(sender.records()).hasSize(1);
    return sender.records().get(0);
  }

  @Test
  void osmAndGetsItsQueryStringStored() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      HttpResponse<String> response = gateway.get("/osmand?" + QUERY);

      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEmpty();
    }
    assertThat(only().topic()).isEqualTo("lastfix.location.osmand");
    assertThat(only().value()).asString(UTF_8).isEqualTo(QUERY);
    assertThat(only().key()).isEqualTo("48241179");
    assertThat(only().headers()).containsEntry("via", "osmand").doesNotContainKey("sdk");
  }

  @Test
  void aQueryStringIsStoredAsItWasOnTheWire() throws Exception {
    String query =
        "id=van%2012+b&timestamp=2026-11-20%2012:00:01&lat=37.775&lon=-122.418&driver=J%C3%B6rg%7e";
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(gateway.get("/osmand?" + query).statusCode()).isEqualTo(200);
    }
    assertThat(only().value()).asString(UTF_8).isEqualTo(query);
    assertThat(only().key()).isEqualTo("van 12 b");
  }

  @Test
  void aRecordSaysHowItsSenderWasKnown() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(gateway.get("/osmand?" + QUERY).statusCode()).isEqualTo(200);
    }
    assertThat(only().headers())
        .as("anybody can name the id of a device that signs elsewhere")
        .containsEntry("auth", "unsigned");
  }

  @Test
  void traccarClient8PostsAQueryStringWithoutABody() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(gateway.post("/osmand?" + QUERY, "").statusCode()).isEqualTo(200);
      assertThat(gateway.post("/osmand/?" + QUERY, "").statusCode())
          .as("with the slash that a user may have typed")
          .isEqualTo(200);
    }
    assertThat(sender.records())
        .hasSize(2)
        .allSatisfy(it -> assertThat(it.value()).asString(UTF_8).isEqualTo(QUERY));
  }

  @Test
  void aFormIsStoredAsItCame() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      HttpResponse<String> response =
          gateway.post(
              "/osmand",
              "deviceid=48241179&lat=37.775&lon=-122.418&timestamp=1795176001",
              "Content-Type",
              "application/x-www-form-urlencoded");
      assertThat(response.statusCode()).isEqualTo(200);
    }
    assertThat(only().value()).asString(UTF_8).startsWith("deviceid=48241179&lat");
    assertThat(only().key()).isEqualTo("48241179");
  }

  @Test
  void traccarClient9GetsItsJsonStored() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      HttpResponse<String> response =
          gateway.post("/osmand", JSON, "Content-Type", "application/json; charset=utf-8");
      assertThat(response.statusCode()).isEqualTo(200);
    }
    assertThat(only().value()).asString(UTF_8).isEqualTo(JSON);
    assertThat(only().key()).isEqualTo("48241179");
  }

  @Test
  void whatNamesNoDeviceIsStoredWithoutAKey() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(gateway.get("/osmand?lat=1&lon=2").statusCode()).isEqualTo(200);
      assertThat(gateway.post("/osmand", "{\"device_id\":{}}").statusCode()).isEqualTo(200);
      assertThat(gateway.post("/osmand", "{broken").statusCode()).isEqualTo(200);
      assertThat(gateway.get("/osmand?id=" + "x".repeat(257)).statusCode()).isEqualTo(200);
      assertThat(gateway.get("/osmand").statusCode()).isEqualTo(400);
    }
    assertThat(sender.records()).hasSize(4).allSatisfy(it -> assertThat(it.key()).isNull());
  }

  @Test
  void ownTracksGetsAnArrayAndItsUserIsTheDevice(@TempDir Path directory) throws Exception {
    Path users =
        Files.writeString(directory.resolve("users"), "jane:" + RawClient.sha256("secret-of-jane"));
    String basic =
        "Basic " + Base64.getEncoder().encodeToString("jane:secret-of-jane".getBytes(UTF_8));
    try (TestGateway gateway =
        TestGateway.start(sender, "access.owntracks=basic", "access.basic-users=" + users)) {
      HttpResponse<String> response =
          gateway.post(
              "/pub",
              OWNTRACKS,
              "Content-Type",
              "application/json",
              "Authorization",
              basic,
              "X-Limit-U",
              "somebody-else",
              "X-Limit-D",
              "phone");

      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("[]");
      assertThat(response.headers().firstValue("content-type"))
          .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
      assertThat(gateway.post("/pub", OWNTRACKS).statusCode()).isEqualTo(401);
    }
    assertThat(only().topic()).isEqualTo("lastfix.location.owntracks");
    assertThat(only().value()).asString(UTF_8).isEqualTo(OWNTRACKS);
    assertThat(only().key()).isEqualTo("jane");
    assertThat(only().headers()).containsEntry("speaks-for", "owntracks/jane/*");
  }

  @Test
  void ownTracksWithoutAuthenticationNamesItsUserInAHeaderOrInTheQuery() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      gateway.post("/pub", OWNTRACKS, "X-Limit-U", "jane");
      gateway.post("/pub?u=john&d=phone", OWNTRACKS);
    }
    assertThat(sender.records()).extracting(OutgoingRecord::key).containsExactly("jane", "john");
    assertThat(sender.records())
        .allSatisfy(stored -> assertThat(stored.headers()).doesNotContainKey("speaks-for"));
  }

  @Test
  void ownTracksMessagesWithoutContentAreNoError() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      HttpResponse<String> response = gateway.post("/pub", "");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("[]");
    }
    assertThat(sender.records()).isEmpty();
  }
}
