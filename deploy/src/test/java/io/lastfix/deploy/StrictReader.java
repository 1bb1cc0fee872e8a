package io.lastfix.deploy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.util.Map;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;

/**
 * Reads a manifest with the class of its kind, and refuses what that class does not have. The
 * classes themselves keep or skip unknown fields, as the servers do: a mistyped field would have no
 * effect, and nobody would say so.
 */
final class StrictReader {
  private static final Map<String, Class<? extends HasMetadata>> TYPES =
      Map.ofEntries(
          Map.entry("v1/ConfigMap", ConfigMap.class),
          Map.entry("v1/Namespace", Namespace.class),
          Map.entry("v1/PersistentVolumeClaim", PersistentVolumeClaim.class),
          Map.entry("v1/Secret", Secret.class),
          Map.entry("v1/Service", Service.class),
          Map.entry("v1/ServiceAccount", ServiceAccount.class),
          Map.entry("apps/v1/Deployment", Deployment.class),
          Map.entry("batch/v1/CronJob", CronJob.class),
          Map.entry("autoscaling/v2/HorizontalPodAutoscaler", HorizontalPodAutoscaler.class),
          Map.entry("networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class),
          Map.entry("policy/v1/PodDisruptionBudget", PodDisruptionBudget.class),
          Map.entry("rbac.authorization.k8s.io/v1/Role", Role.class),
          Map.entry("rbac.authorization.k8s.io/v1/RoleBinding", RoleBinding.class),
          Map.entry("flink.apache.org/v1beta1/FlinkDeployment", FlinkDeployment.class),
          Map.entry("monitoring.coreos.com/v1/PodMonitor", PodMonitor.class),
          Map.entry("monitoring.coreos.com/v1/PrometheusRule", PrometheusRule.class),
          Map.entry("kafka.strimzi.io/v1beta2/KafkaTopic", KafkaTopic.class),
          Map.entry("kafka.strimzi.io/v1beta2/KafkaUser", KafkaUser.class),
          Map.entry("mongodbcommunity.mongodb.com/v1/MongoDBCommunity", MongoDbCommunity.class));

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .annotationIntrospector(new NothingUnknown())
          .build();

  /** Takes away what makes a class accept unknown fields. */
  private static final class NothingUnknown extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasAnySetter(Annotated annotated) {
      return false;
    }

    @Override
    public JsonIgnoreProperties.Value findPropertyIgnoralByName(
        MapperConfig<?> config, Annotated annotated) {
      return super.findPropertyIgnoralByName(config, annotated).withoutIgnoreUnknown();
    }
  }

  private StrictReader() {}

  /**
   * Reads a manifest.
   *
   * @throws IllegalArgumentException naming the kind or field that is unknown, or the value that
   *     was lost because its class does not know it
   */
  static HasMetadata read(ObjectNode manifest) {
    String kind = manifest.path("apiVersion").asText() + "/" + manifest.path("kind").asText();
    Class<? extends HasMetadata> type = TYPES.get(kind);
    if (type == null) {
      throw new IllegalArgumentException("unknown kind: " + kind);
    }
    HasMetadata resource = JSON.convertValue(manifest, type);
    // An enum may turn an unknown name to null.
    requireIn(JSON.valueToTree(resource), manifest, kind);
    return resource;
  }

  private static void requireIn(JsonNode actual, JsonNode expected, String path) {
    if (expected.isObject()) {
      expected
          .properties()
          .forEach(
              it -> requireIn(actual.path(it.getKey()), it.getValue(), path + "." + it.getKey()));
    } else if (expected.isArray()) {
      for (int i = 0; i < expected.size(); i++) {
        requireIn(actual.path(i), expected.get(i), path + "[" + i + "]");
      }
    } else if (actual.isNumber() && expected.isNumber()) {
      if (actual.decimalValue().compareTo(expected.decimalValue()) != 0) {
        throw new IllegalArgumentException("%s: %s became %s".formatted(path, expected, actual));
      }
    } else if (!actual.isValueNode() || !actual.asText().equals(expected.asText())) {
      throw new IllegalArgumentException("%s: %s became %s".formatted(path, expected, actual));
    }
  }
}
