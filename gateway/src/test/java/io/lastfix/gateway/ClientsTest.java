package io.lastfix.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.http.JsonText;
import io.lastfix.gateway.kafka.OutgoingRecord;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
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

  /** RFC 3986 wants a query in ASCII. curl sends what it is given, and Armeria reads Latin-1. */
  @Test
  void rawUtf8InAQueryArrivesAsItWasSent() throws Exception {
    String query = "id=bø-ж&lat=1.5&lon=2.5&timestamp=1795176001&desc=a|\"b\"";
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(
              RawClient.exchange(
                  gateway.port(),
                  "GET /osmand?"
                      + query
                      + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 200");
    }
    assertThat(only().value()).isEqualTo(query.getBytes(UTF_8));
    assertThat(only().key()).isEqualTo("bø-ж");
  }

  @Test
  void theDeviceIsTheOneThatTheProfileTakesForTheUser() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      gateway.get("/osmand?device_id=c&deviceid=b&id=a");
      gateway.get("/osmand?device_id=c&deviceid=b&id=");
      gateway.get("/osmand?id=&device_id=c");
      gateway.post("/osmand", "{\"device_id\":\"c\",\"id\":\"a\"}");
      gateway.post("/osmand", "{\"device_id\":\"c\",\"deviceid\":7}");
      gateway.post("/osmand", " [{\"x\":[{\"id\":\"b\"}],\"device_id\":\"c\",\"id\":\"\"}]");
      gateway.post("/osmand", "[1,{\"id\":\"b\"}]");
      gateway.post("/osmand", "http://h/?&&x=?&id=q&id=r");
      gateway.post("/osmand", "a=b?id=q&deviceid=r");
    }
    assertThat(sender.records())
        .extracting(OutgoingRecord::key)
        .containsExactly("a", "b", "c", "a", "7", "c", null, "q", "r");
  }

  @Test
  void twoIdsThatAreNoUtf8AreNotOneDevice() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      for (String id : List.of("%E8", "%E9", "")) {
        RawClient.exchange(
            gateway.port(),
            "GET /osmand?id="
                + id
                + "&lat=1&lon=2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      }
      gateway.post("/osmand", "id=%&lat=1&lon=2");
      gateway.post("/osmand", "id=%zz&lat=1&lon=2");
      for (String half : List.of("\\ud800", "\\ud801")) {
        gateway.post(
            "/osmand", "{\"device_id\":\"" + half + "\"}", "Content-Type", "application/json");
      }
    }
    assertThat(sender.records()).hasSize(7).allSatisfy(it -> assertThat(it.key()).isNull());
  }

  @Test
  void aCompressedBodyHasTheDeviceThatItNames() throws Exception {
    String metric = "{\"metricName\":\"x\",\"identifier\":{\"uuid\":\"u-1\"}}";
    try (TestGateway gateway = TestGateway.start(sender, "access.openschema=unsigned")) {
      for (String[] request :
          List.of(
              new String[] {"/osmand", "application/json", JSON},
              new String[] {"/osmand", "application/json", " \n" + JSON},
              new String[] {"/osmand", "application/x-www-form-urlencoded", QUERY},
              new String[] {
                "/osmand", "text/plain", "x=" + "y".repeat(60_000) + "&deviceid=48241179\r\n"
              },
              new String[] {"/osmand", "text/plain", "http://localhost/?" + QUERY})) {
        assertThat(
                gateway
                    .post(
                        request[0],
                        TestGateway.gzip(request[2].getBytes(UTF_8)),
                        "Content-Encoding",
                        "gzip",
                        "Content-Type",
                        request[1])
                    .statusCode())
            .isEqualTo(200);
      }
      gateway.post(
          "/metrics/push", TestGateway.gzip(metric.getBytes(UTF_8)), "Content-Encoding", "gzip");
      assertThat(
              gateway
                  .post("/osmand", TestGateway.bomb(100_000), "Content-Encoding", "gzip")
                  .statusCode())
          .isEqualTo(413);
      byte[] cut = TestGateway.gzip(JSON.getBytes(UTF_8));
      gateway.post("/osmand", Arrays.copyOf(cut, cut.length / 2), "Content-Encoding", "gzip");
    }
    assertThat(sender.records())
        .extracting(OutgoingRecord::key)
        .containsExactly("48241179", "48241179", "48241179", "48241179", "48241179", "u-1", null);
    assertThat(sender.signs()).as("signs of life").hasSize(6);
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
  void ownTracksNamesItsUserAndDeviceInHeadersOrInTheQuery() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      for (String[] headers :
          List.of(
              new String[] {"X-Limit-U", "jane", "X-Limit-D", "phone"},
              new String[] {"X-Limit-U", "jane"},
              new String[] {"X-Limit-D", "phone"},
              new String[0])) {
        assertThat(gateway.post("/pub", OWNTRACKS, headers).statusCode()).isEqualTo(200);
      }
      assertThat(gateway.post("/pub?u=jane&d=phone", OWNTRACKS).statusCode()).isEqualTo(200);
    }
    assertThat(sender.records())
        .hasSize(5)
        .allSatisfy(
            stored -> {
              assertThat(stored.key()).as("as over MQTT").isEqualTo("owntracks/jane/phone");
              assertThat(stored.value()).asString(UTF_8).isEqualTo(OWNTRACKS);
              assertThat(stored.headers()).doesNotContainKey("speaks-for");
            });
  }

  @Test
  void ownTracksWithoutATopicGetsThatOfItsUserAndDevice() throws Exception {
    String body = "{\"_type\":\"location\",\"tid\":\"xy\",\"lat\":1,\"lon\":2,\"tst\":1795176001}";
    try (TestGateway gateway = TestGateway.start(sender)) {
      gateway.post("/pub", body, "X-Limit-U", "maya", "X-Limit-D", "a");
      gateway.post("/pub", body, "X-Limit-U", "noah", "X-Limit-D", "a");
      gateway.post("/pub?u=noah&d=b%20c", body);
      gateway.post("/pub/?d=d&u=no%C3%AB", body);
      gateway.post("/pub?u=ignored&d=e", body, "X-Limit-U", "maya");
      RawClient.exchange(
          gateway.port(),
          "POST /pub?u=zoë&d=g HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
    }
    List<String> topics =
        List.of(
            "owntracks/maya/a",
            "owntracks/noah/a",
            "owntracks/noah/b c",
            "owntracks/noë/d",
            "owntracks/maya/e",
            "owntracks/zoë/g");
    assertThat(sender.records()).extracting(OutgoingRecord::key).containsExactlyElementsOf(topics);
    assertThat(sender.records().stream().map(it -> JsonText.find(it.value(), "/topic")))
        .containsExactlyElementsOf(topics);
  }

  @Test
  void ownTracksThatDoesNotSayWhoItIsIsRefused() throws Exception {
    String body = "{\"_type\":\"location\",\"tid\":\"xy\",\"lat\":1,\"lon\":2,\"tst\":1795176001}";
    try (TestGateway gateway = TestGateway.start(sender)) {
      for (String query : List.of("", "?u=maya", "?d=a", "?u=&d=", "?u=%E9&d=a")) {
        HttpResponse<String> response = gateway.post("/pub" + query, body);
        assertThat(response.statusCode()).as(query).isEqualTo(400);
        assertThat(response.body()).contains("X-Limit-U", "X-Limit-D", "/pub?u=USER&d=DEVICE");
      }
      for (String query : List.of("?u=a%2Fb&d=c", "?u=a&d=b/c", "?u=a&d=b%0A")) {
        assertThat(gateway.post("/pub" + query, body).body())
            .as("a/b and c would be a and b/c")
            .contains("levels of a topic");
      }
      assertThat(gateway.post("/pub", OWNTRACKS, "X-Limit-U", "john", "X-Limit-D", "phone").body())
          .contains("The topic in the body is not that of user and device");
      for (String query : List.of("?u=jan", "?u=jane&d=phon", "?u=john", "?u=jane&d=tablet")) {
        assertThat(gateway.post("/pub" + query, OWNTRACKS).statusCode()).as(query).isEqualTo(400);
      }
    }
    assertThat(sender.records()).isEmpty();
  }

  @Test
  void otherMessagesOfOwnTracksAreOfTheSameDevice() throws Exception {
    String event = "{\"_type\":\"transition\",\"topic\":\"owntracks/jane/phone/event\"}";
    try (TestGateway gateway = TestGateway.start(sender)) {
      gateway.post("/pub", event);
      gateway.post("/pub?u=jane&d=phone", event);
      gateway.post("/pub", "{\"topic\":\"elsewhere/x\"}");
      gateway.post("/pub", TestGateway.gzip(event.getBytes(UTF_8)));
    }
    assertThat(sender.records())
        .extracting(OutgoingRecord::key)
        .containsExactly(
            "owntracks/jane/phone", "owntracks/jane/phone", "elsewhere/x", "owntracks/jane/phone");
  }

  @Test
  void ownTracksIsOneObjectThatNamesNoOtherTopic() throws Exception {
    String own = "{\"topic\":\"owntracks/jane/phone\",\"tid\":\"xy\"}";
    String other = "{\"topic\":\"owntracks/john/phone\",\"tid\":\"xy\"}";
    try (TestGateway gateway = TestGateway.start(sender)) {
      for (String body :
          List.of(
              own + other,
              own + "\n" + other,
              "[" + other + "]",
              own.replace("\"tid\":\"xy\"", "\"topic\":\"owntracks/john/phone\""),
              "{\"topic\":[\"owntracks/john/phone\"]}",
              "{\"topic\":null}",
              "{cut short")) {
        for (byte[] sent : List.of(body.getBytes(UTF_8), TestGateway.gzip(body.getBytes(UTF_8)))) {
          for (String query : List.of("", "?u=jane&d=phone")) {
            HttpResponse<String> response = gateway.post("/pub" + query, sent);
            assertThat(response.statusCode()).as(body).isEqualTo(400);
            assertThat(response.body()).contains("not one JSON object");
          }
        }
      }
    }
    assertThat(sender.records()).isEmpty();
  }

  /** The topic would be written into what it opens to, which is up to 200 times as large. */
  @Test
  void ownTracksWithGzipAndWithoutATopicIsRefused() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      HttpResponse<String> response =
          gateway.post("/pub?u=jane&d=phone", TestGateway.gzip("{\"tid\":\"xy\"}".getBytes(UTF_8)));

      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(response.body()).contains("send it without gzip");
    }
    assertThat(sender.records()).isEmpty();
  }

  @Test
  void aUserWithAPasswordHasTheTopicsOfItsNameOnly(@TempDir Path directory) throws Exception {
    Path users =
        Files.writeString(directory.resolve("users"), "jane:" + RawClient.sha256("secret-of-jane"));
    String basic =
        "Basic " + Base64.getEncoder().encodeToString("jane:secret-of-jane".getBytes(UTF_8));
    try (TestGateway gateway =
        TestGateway.start(sender, "access.owntracks=basic", "access.basic-users=" + users)) {
      assertThat(
              gateway
                  .post("/pub?u=john&d=tablet", "{\"tid\":\"xy\"}", "Authorization", basic)
                  .statusCode())
          .isEqualTo(200);
      assertThat(
              gateway
                  .post("/pub", OWNTRACKS.replace("jane", "john"), "Authorization", basic)
                  .statusCode())
          .isEqualTo(400);
      assertThat(gateway.post("/pub", "{\"tid\":\"xy\"}", "Authorization", basic).statusCode())
          .isEqualTo(400);
    }
    assertThat(JsonText.find(only().value(), "/topic")).isEqualTo("owntracks/jane/tablet");
    assertThat(only().key()).isEqualTo("jane");
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
