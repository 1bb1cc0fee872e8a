package io.lastfix.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * A namespace of its own in the cluster that {@code LASTFIX_KUBECONFIG} names, with the restricted
 * Pod Security Standard. It is deleted in the end; that of a run that was killed, at a later run's
 * start.
 */
final class Cluster implements AutoCloseable {
  private static final String VARIABLE = "LASTFIX_KUBECONFIG";

  /** Of the namespaces of all runs. */
  private static final String LABEL = "lastfix.io/made-by";

  private static final String LABEL_VALUE = "cluster-test";

  /** Longer than any run takes. */
  private static final Duration LONGEST_RUN = Duration.ofHours(2);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String namespace = "lastfix-test-" + UUID.randomUUID().toString().substring(0, 8);

  private Cluster() {}

  static boolean isGiven() {
    return System.getenv(VARIABLE) != null && Helm.isInstalled() && Helm.isKubectlInstalled();
  }

  static Cluster open() {
    Cluster cluster = new Cluster();
    sweep(Instant.now().minus(LONGEST_RUN));
    ObjectNode namespace = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Namespace");
    ObjectNode metadata = namespace.putObject("metadata").put("name", cluster.namespace);
    // Only warnings tell of a Deployment whose pods would be refused.
    metadata
        .putObject("labels")
        .put(LABEL, LABEL_VALUE)
        .put("pod-security.kubernetes.io/enforce", "restricted")
        .put("pod-security.kubernetes.io/warn", "restricted");
    succeed(cluster.apply(List.of(namespace)));
    return cluster;
  }

  /** Deletes the namespaces that runs which were killed before that time have left. */
  static void sweep(Instant before) {
    Helm.Result result =
        kubectl("get", "namespaces", "--selector=" + LABEL + "=" + LABEL_VALUE, "--output=json");
    succeed(result);
    for (String left : createdBefore(result.text(), before)) {
      succeed(kubectl("delete", "namespace", left, "--wait=false", "--ignore-not-found"));
    }
  }

  /** The names of the listed objects that are older. */
  static List<String> createdBefore(String list, Instant time) {
    List<String> names = new ArrayList<>();
    for (JsonNode object : items(list)) {
      JsonNode metadata = object.path("metadata");
      if (Instant.parse(metadata.path("creationTimestamp").asText()).isBefore(time)) {
        names.add(metadata.path("name").asText());
      }
    }
    return names;
  }

  private static List<JsonNode> items(String list) {
    try {
      List<JsonNode> items = new ArrayList<>();
      JSON.readTree(list).path("items").forEach(items::add);
      return items;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server checks, defaults and admits the manifests, but keeps nothing. */
  Helm.Result tryApply(List<ObjectNode> manifests) {
    return apply(manifests, "--dry-run=server");
  }

  /** Installs or changes the release {@code lastfix}. */
  void helm(String... arguments) {
    List<String> command = new ArrayList<>(List.of("helm"));
    command.addAll(Arrays.asList(arguments));
    command.addAll(List.of("--namespace", namespace, "--kubeconfig", System.getenv(VARIABLE)));
    succeed(Helm.run(command));
  }

  /** The objects of the chart's kinds in this namespace. */
  List<JsonNode> objects() {
    Helm.Result result =
        kubectlHere(
            "get",
            "flinkdeployments,kafkatopics,kafkausers,deployments,services,configmaps,hpa,pdb,"
                + "networkpolicies,pvc,serviceaccounts,roles,rolebindings",
            "--selector=app.kubernetes.io/instance=lastfix",
            "--output=json");
    succeed(result);
    return items(result.text());
  }

  @Override
  public void close() {
    succeed(kubectl("delete", "namespace", namespace, "--wait=false"));
  }

  private Helm.Result apply(List<ObjectNode> manifests, String... arguments) {
    List<ObjectNode> here = new ArrayList<>();
    for (ObjectNode manifest : manifests) {
      ObjectNode copy = manifest.deepCopy();
      if (!copy.path("kind").asText().equals("Namespace")) {
        copy.withObject("/metadata").put("namespace", namespace);
      }
      here.add(copy);
    }
    try {
      Path file = Files.createTempFile("lastfix", ".yaml");
      try {
        Files.writeString(file, Manifests.write(here));
        List<String> command =
            new ArrayList<>(
                List.of("apply", "--server-side", "--validate=strict", "--filename=" + file));
        command.addAll(Arrays.asList(arguments));
        return kubectlHere(command.toArray(String[]::new));
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Helm.Result kubectlHere(String... arguments) {
    List<String> here = new ArrayList<>(Arrays.asList(arguments));
    here.addAll(List.of("--namespace", namespace));
    return kubectl(here.toArray(String[]::new));
  }

  private static Helm.Result kubectl(String... arguments) {
    List<String> command =
        new ArrayList<>(List.of("kubectl", "--kubeconfig", System.getenv(VARIABLE)));
    command.addAll(Arrays.asList(arguments));
    return Helm.run(command);
  }

  private static void succeed(Helm.Result result) {
    if (result.code() != 0) {
      throw new AssertionError(result.text());
    }
  }
}
