package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesServer;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every manifest is read by the class of its kind, and accepted by a server. */
class ManifestsTest {
  static Stream<Manifests> all() {
    return Stream.concat(Manifests.committed().stream(), Stream.of(Manifests.withoutOperator()));
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyManifest_hasOnlyKnownFields(Manifests manifests) {
    assertThat(manifests.all()).isNotEmpty().allSatisfy(StrictReader::read);
  }

  @Test
  void anUnknownField_isRefusedAtAnyDepth() {
    ObjectNode job =
        Manifests.base().all().stream()
            .filter(it -> it.path("kind").asText().equals("FlinkDeployment"))
            .findFirst()
            .orElseThrow();
    for (String path :
        List.of("/spec", "/spec/job", "/spec/jobManager/podTemplate/spec", "/metadata")) {
      ObjectNode changed = job.deepCopy();
      ((ObjectNode) changed.at(path)).put("mistyped", "x");
      assertThatThrownBy(() -> StrictReader.read(changed)).hasMessageContaining("mistyped");
    }
    for (String kind : List.of("KafkaTopic", "KafkaUser", "Deployment", "MongoDBCommunity")) {
      ObjectNode changed =
          Manifests.allOn().all().stream()
              .filter(it -> it.path("kind").asText().equals(kind))
              .findFirst()
              .orElseThrow()
              .deepCopy();
      ((ObjectNode) changed.path("spec")).put("mistyped", "x");
      assertThatThrownBy(() -> StrictReader.read(changed)).hasMessageContaining("mistyped");
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void aServer_keepsEveryManifestAsItIs(Manifests manifests) {
    KubernetesServer server = new KubernetesServer(false, true);
    server.before();
    try (KubernetesClient client = server.getClient()) {
      for (ObjectNode manifest : manifests.all()) {
        HasMetadata resource = StrictReader.read(manifest);
        HasMetadata applied = client.resource(resource).inNamespace("lastfix").create();
        HasMetadata found = client.resource(applied).get();
        assertThat(found.getMetadata().getName()).isEqualTo(resource.getMetadata().getName());
        if (resource instanceof FlinkDeployment job) {
          assertThat(((FlinkDeployment) found).getSpec()).isEqualTo(job.getSpec());
        }
      }
    } finally {
      server.after();
    }
  }
}
