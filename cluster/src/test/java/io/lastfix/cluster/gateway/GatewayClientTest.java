package io.lastfix.cluster.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.flink.CannedCluster;
import io.lastfix.cluster.gateway.GatewayClient.OverQuota;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatewayClientTest {
  private final CannedCluster gateway = new CannedCluster();

  @AfterEach
  void stop() {
    gateway.stop();
  }

  @Test
  void whoIsOverTheQuotaIsReadFromTheGatewaysReadiness() throws Exception {
    gateway.answers("/ready", "{\"overQuota\":{\"devices\":3,\"names\":[\"a\",\"b\"]}}");
    assertThat(GatewayClient.overQuota(gateway.url(), Duration.ofSeconds(5)))
        .isEqualTo(new OverQuota(3, List.of("a", "b")));

    gateway.answers("/ready", "{\"status\":\"ready\"}");
    assertThatThrownBy(() -> GatewayClient.overQuota(gateway.url(), Duration.ofSeconds(5)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/ready answers 200, without overQuota");
  }

  @Test
  void theLineNamesTheDevicesAndSaysIfThereAreMore() {
    assertThat(OverQuota.NONE.text()).isEmpty();
    assertThat(new OverQuota(1, List.of("a")).text())
        .hasValue(
            "1 device is over the quota of today (quota.bytes-per-day), so the gateway refuses their records until midnight UTC: a");
    assertThat(new OverQuota(3, List.of("a", "b")).text().orElseThrow())
        .startsWith("3 devices are")
        .endsWith(": a, b, ...");
    assertThat(new OverQuota(2, List.of()).text().orElseThrow()).endsWith("until midnight UTC");
  }
}
