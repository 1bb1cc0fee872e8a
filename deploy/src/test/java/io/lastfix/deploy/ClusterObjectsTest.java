package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What {@link ClusterTest} makes of a cluster's answers, without a cluster. */
class ClusterObjectsTest {
  @Test
  void theRightsOfARoleAndItsBindingAreCompared() throws Exception {
    JsonNode role = json("{'kind':'Role','metadata':{'uid':'1'},'rules':[{'verbs':['get']}]}");
    JsonNode binding =
        json("{'kind':'RoleBinding','roleRef':{'name':'a'},'subjects':[{'name':'b'}],'x':1}");

    assertThat(ClusterTest.decided(role)).isEqualTo(json("{'rules':[{'verbs':['get']}]}"));
    assertThat(ClusterTest.decided(binding))
        .isEqualTo(json("{'roleRef':{'name':'a'},'subjects':[{'name':'b'}]}"));
  }

  @Test
  void onlyNamespacesOfRunsThatAreOverAreSwept() {
    String list =
        "{'items':[{'metadata':{'name':'old','creationTimestamp':'2026-11-27T09:00:00Z'}},"
            + "{'metadata':{'name':'new','creationTimestamp':'2026-11-27T11:00:00Z'}}]}";

    assertThat(
            Cluster.createdBefore(list.replace('\'', '"'), Instant.parse("2026-11-27T10:00:00Z")))
        .containsExactly("old");
  }

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }
}
