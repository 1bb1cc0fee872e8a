package io.lastfix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A web page has no way into a gateway. */
class NoPagesTest {
  private static final String QUERY = "/osmand?id=page&lat=1&lon=2&timestamp=1795176001";

  private final RecordingSender sender = new RecordingSender();

  private static String get(TestGateway gateway, String host, String headers) throws IOException {
    return RawClient.exchange(
        gateway.port(),
        "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n"
            .formatted(QUERY, host, headers));
  }

  @Test
  void anImageOfAPageWritesNoRecord() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(
              get(
                  gateway,
                  "127.0.0.1",
                  "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n"))
          .startsWith("HTTP/1.1 403 ")
          .contains("cross-site");
      assertThat(
              RawClient.exchange(
                  gateway.port(),
                  "POST /v1/records/json HTTP/1.1\r\nHost: localhost\r\nOrigin: https://page.example\r\n"
                      + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}"))
          .as("a browser that has no Sec-Fetch-Site, with fetch(…, {mode: 'no-cors'})")
          .startsWith("HTTP/1.1 403 ");
      assertThat(get(gateway, "localhost", "Origin: null\r\n")).startsWith("HTTP/1.1 403 ");
    }
    assertThat(sender.records()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "page.example",
        "page.example:8480",
        "localhost.page.example",
        "\"",
        "",
        "0.0.0.0:8480",
        "[::]:8480",
        "[::ffff:7f00:1]:8480"
      })
  void aNameThatStandsForLoopbackIsRefused(String host) throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(get(gateway, host, "Sec-Fetch-Site: same-origin\r\n"))
          .startsWith("HTTP/1.1 421 ")
          .contains("http.plain-behind-proxy");
    }
    assertThat(sender.records()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:8480,",
    "127.0.0.1,",
    "[::1]:8480,",
    // Android's emulator.
    "10.0.2.2:8480,",
    "localhost:8480, Sec-Fetch-Site: none",
    "localhost:8480, Sec-Fetch-Site: same-origin",
    "localhost:8480, Origin: http://localhost:8480"
  })
  void devicesAndUsersOfThisMachineAreServed(String host, String header) throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(get(gateway, host, header == null ? "" : header + "\r\n"))
          .startsWith("HTTP/1.1 200 ");
    }
    assertThat(sender.records()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http.address=0.0.0.0", "http.plain-behind-proxy=true"})
  void aGatewayForOtherMachinesServesAnyName(String setting) throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, setting)) {
      assertThat(get(gateway, "gateway.example", "")).startsWith("HTTP/1.1 200 ");
      assertThat(get(gateway, "gateway.example", "Origin: https://gateway.example\r\n"))
          .startsWith("HTTP/1.1 200 ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http.address=0.0.0.0", "http.plain-behind-proxy=true"})
  void noPageWritesThroughAGatewayForOtherMachines(String setting) throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, setting)) {
      for (String header :
          new String[] {"Sec-Fetch-Site: cross-site", "Origin: https://page.example"}) {
        assertThat(get(gateway, "127.0.0.1:8480", header + "\r\n")).startsWith("HTTP/1.1 403 ");
      }
    }
    assertThat(sender.records()).isEmpty();
  }
}
