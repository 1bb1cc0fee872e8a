package io.lastfix.model.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalRequestsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LocalHost:8480",
        "127.0.0.1",
        "127.0.0.1:8480",
        "127.8.9.10:1",
        "[::1]",
        "[::1]:8480",
        // How Android's emulator addresses its host's loopback.
        "10.0.2.2:8480"
      })
  void noPageElsewhereHasSuchAnAuthority(String authority) {
    assertThat(LocalRequests.isLocal(authority)).isTrue();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "evil.example",
        "evil.example:8480",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1.nip.io:8480",
        "1.2.3.4a",
        "[::1].evil.example",
        "localhost:8480@evil.example",
        "localhost:x",
        "user@localhost",
        "7f000001.example",
        // Browsers reach loopback by these, and send neither Sec-Fetch-Site nor Origin.
        "0.0.0.0",
        "0.0.0.0:8480",
        "[::]:8480",
        "[0:0:0:0:0:0:0:0]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]:8480",
        "[0:0:0:0:0:ffff:7f00:1]"
      })
  void aNameMayStandForAnyMachine(@Nullable String authority) {
    assertThat(LocalRequests.isLocal(authority)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "cross-site, , true",
    "same-site, , true",
    "something-new, , true",
    "same-origin, , false",
    "none, , false",
    "same-origin, http://localhost:8480, false",
    "cross-site, http://localhost:8480, true",
    ", http://localhost:8480, false",
    ", http://LOCALHOST:8480, false",
    ", http://localhost, true",
    ", http://localhost:3000, true",
    ", https://evil.example, true",
    ", null, true",
    ", '', true",
    ", ht tp:, true"
  })
  void aBrowserSaysWhichPageMadeIt(
      @Nullable String site, @Nullable String origin, boolean isForeign) {
    assertThat(LocalRequests.isForeign(site, origin, "localhost:8480")).isEqualTo(isForeign);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, navigate, document, true",
    "POST, navigate, document, false",
    "GET, navigate, iframe, false",
    "GET, no-cors, image, false",
    "GET, , document, false",
    "GET, navigate, , false"
  })
  void aUserWhoFollowsALinkVisits(
      String method, @Nullable String mode, @Nullable String destination, boolean isVisit) {
    assertThat(LocalRequests.isVisit(method, mode, destination)).isEqualTo(isVisit);
  }

  @Test
  void whatIsNoBrowserSaysNothing() {
    assertThat(LocalRequests.isForeign(null, null, "localhost:8480")).isFalse();
  }
}
