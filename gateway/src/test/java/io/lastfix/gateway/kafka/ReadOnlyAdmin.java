package io.lastfix.gateway.kafka;

import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.ListTopicsResult;
import org.apache.kafka.clients.admin.TopicListing;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;

/** Kafka with topics, for a user who may list and describe them, and nothing else. */
public final class ReadOnlyAdmin {
  private final Map<String, Map<String, String>> topics;
  private final List<String> calls = new ArrayList<>();

  /** Has these topics with their settings. */
  public ReadOnlyAdmin(Map<String, Map<String, String>> topics) {
    this.topics = topics;
  }

  /** The methods that were called. */
  public List<String> calls() {
    return calls;
  }

  /** The client. */
  public Admin admin() {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              return switch (method.getName()) {
                case "listTopics" -> listed();
                case "describeConfigs" -> new Configured(topics);
                default -> throw new AssertionError("not allowed: " + method.getName());
              };
            });
  }

  private ListTopicsResult listed() throws ReflectiveOperationException {
    Constructor<ListTopicsResult> constructor =
        ListTopicsResult.class.getDeclaredConstructor(KafkaFuture.class);
    constructor.setAccessible(true);
    return constructor.newInstance(
        KafkaFuture.completedFuture(
            topics.keySet().stream()
                .collect(
                    Collectors.toMap(
                        name -> name, name -> new TopicListing(name, Uuid.ZERO_UUID, false)))));
  }

  private static final class Configured extends DescribeConfigsResult {
    private Configured(Map<String, Map<String, String>> topics) {
      super(configs(topics));
    }

    private static Map<ConfigResource, KafkaFuture<Config>> configs(
        Map<String, Map<String, String>> topics) {
      Map<ConfigResource, KafkaFuture<Config>> configs = new HashMap<>();
      topics.forEach(
          (name, settings) ->
              configs.put(
                  new ConfigResource(ConfigResource.Type.TOPIC, name),
                  KafkaFuture.completedFuture(
                      new Config(
                          settings.entrySet().stream()
                              .map(it -> new ConfigEntry(it.getKey(), it.getValue()))
                              .toList()))));
      return configs;
    }
  }
}
