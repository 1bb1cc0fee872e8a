package io.lastfix.deploy;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of MongoDB's community operator that the chart uses. Nobody publishes its classes for
 * Java: these fields are written down from its documentation.
 */
@Group("mongodbcommunity.mongodb.com")
@Version("v1")
@Kind("MongoDBCommunity")
@Plural("mongodbcommunity")
final class MongoDbCommunity extends CustomResource<MongoDbCommunity.Spec, Void>
    implements io.fabric8.kubernetes.api.model.Namespaced {
  private static final long serialVersionUID = 1;

  record Spec(
      @JsonProperty("type") String type,
      @JsonProperty("members") int members,
      @JsonProperty("version") String version,
      @JsonProperty("security") Security security,
      @JsonProperty("users") List<User> users,
      @JsonProperty("statefulSet") StatefulSet statefulSet,
      @JsonProperty("additionalMongodConfig") Map<String, String> additionalMongodConfig) {}

  record Security(
      @JsonProperty("authentication") Authentication authentication,
      @JsonProperty("tls") Tls tls,
      @JsonProperty("roles") List<CustomRole> roles) {}

  record Authentication(@JsonProperty("modes") List<String> modes) {}

  record Tls(
      @JsonProperty("enabled") boolean enabled,
      @JsonProperty("certificateKeySecretRef") LocalObjectReference certificateKeySecretRef,
      @JsonProperty("caConfigMapRef") LocalObjectReference caConfigMapRef) {}

  record CustomRole(
      @JsonProperty("role") String role,
      @JsonProperty("db") String db,
      @JsonProperty("privileges") List<Privilege> privileges,
      @JsonProperty("roles") List<RoleReference> roles) {}

  record Privilege(
      @JsonProperty("resource") Resource resource, @JsonProperty("actions") List<String> actions) {}

  record Resource(@JsonProperty("db") String db, @JsonProperty("collection") String collection) {}

  record User(
      @JsonProperty("name") String name,
      @JsonProperty("db") String db,
      @JsonProperty("passwordSecretRef") SecretKeySelector passwordSecretRef,
      @JsonProperty("scramCredentialsSecretName") String scramCredentialsSecretName,
      @JsonProperty("connectionStringSecretName") @Nullable String connectionStringSecretName,
      @JsonProperty("roles") List<RoleReference> roles) {}

  record RoleReference(@JsonProperty("name") String name, @JsonProperty("db") String db) {}

  record StatefulSet(@JsonProperty("spec") StatefulSetSpec spec) {}

  record StatefulSetSpec(
      @JsonProperty("volumeClaimTemplates") List<PersistentVolumeClaim> volumeClaimTemplates) {}
}
