package io.lastfix.server.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebHostsTest {
  /** As the operator and the native mode configure a JobManager with high availability. */
  private final WebHosts inKubernetes =
      WebHosts.of(
          Configuration.fromMap(
              Map.of(
                  "rest.address", "10.0.0.7",
                  "jobmanager.rpc.address", "10.0.0.7",
                  "kubernetes.cluster-id", "lastfix-location",
                  "kubernetes.namespace", "fleet")));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lastfix-location-rest:8081",
        "lastfix-location-rest.fleet:8081",
        "lastfix-location-rest.fleet.svc",
        "lastfix-location-rest.fleet.svc.cluster.local.:8081",
        "localhost:8081",
        "10.0.0.7:8081"
      })
  void theServiceOfAJobIsKnownInKubernetes(String host) {
    assertThat(inKubernetes.contains(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lastfix-location-rest.fleet.example.org:8081",
        "lastfix-location-rest.other",
        "lastfix-location",
        "fleet"
      })
  void noOtherNameIs(String host) {
    assertThat(inKubernetes.contains(host)).isFalse();
  }

  /** As a file of Flink's, the operator and an image's FLINK_PROPERTIES have a list. */
  @Test
  void moreNamesAreConfigured() {
    for (String list : new String[] {"flink.example.org;Other", "[flink.example.org, Other]"}) {
      WebHosts hosts = WebHosts.of(Configuration.fromMap(Map.of("lastfix.rest.hosts", list)));

      assertThat(hosts.contains("flink.example.org:443")).as(list).isTrue();
      assertThat(hosts.contains("other")).as(list).isTrue();
      assertThat(hosts.contains("third")).as(list).isFalse();
    }
  }

  @Test
  void anEmptyNameIsNone() {
    assertThat(WebHosts.of(new Configuration()).contains("")).isFalse();
    assertThat(WebHosts.of(new Configuration()).contains(":8081")).isFalse();
  }
}
