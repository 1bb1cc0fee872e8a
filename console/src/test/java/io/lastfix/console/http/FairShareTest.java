package io.lastfix.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ProxiedAddresses;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FairShareTest {
  /** The first letter is the client. */
  @ParameterizedTest(name = "of {0} for a newcomer of {1}: {2}")
  @CsvSource({
    "a1 a2 a3 a4, b, a4",
    "a1 a2 a3 b1, b, a3",
    "a1 a2 b1 b2, b, ",
    "a1 a2 a3 a4, a, ",
    "a1 b1 c1 d1, e, ",
    "a1 b1 b2 a2, c, a2",
    "b1 b2 b3 a1, a, b3",
    "b1 b2 a1 a1, a, "
  })
  void theNewestOfTheClientWithTheMostLeavesForOneThatStaysBelowIt(
      String held, String newcomer, String leaving) {
    assertThat(FairShare.leaving(List.of(held.split(" ", -1)), it -> it.substring(0, 1), newcomer))
        .isEqualTo(Optional.ofNullable(leaving));
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 192.0.2.7",
    "2001:db8:1:2:3:4:5:6, 20010db800010002",
    "2001:db8:1:2:ffff::1, 20010db800010002"
  })
  void aClientIsAnAddressOrANetworkOfIpv6(String address, String client)
      throws UnknownHostException {
    ServiceRequestContext context =
        ServiceRequestContext.builder(HttpRequest.of(HttpMethod.GET, "/"))
            .remoteAddress(new InetSocketAddress(InetAddress.getByName(address), 1))
            .build();

    assertThat(FairShare.client(context)).isEqualTo(client);
  }

  /** A client writes what it likes into the header; its proxy adds its address at the end. */
  @Test
  void ofAProxysAddressesTheLastCounts() {
    InetSocketAddress forged = new InetSocketAddress("192.0.2.1", 0);
    InetSocketAddress seen = new InetSocketAddress("192.0.2.2", 0);

    assertThat(FairShare.nearest(ProxiedAddresses.of(forged, seen))).isEqualTo(seen);
    assertThat(FairShare.nearest(ProxiedAddresses.of(seen))).isEqualTo(seen);
  }
}
