package io.lastfix.testcontainers;

import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.testcontainers.utility.DockerImageName;

/** The servers' images: pinned, and overridable by a system property or an environment variable. */
public enum ServerImage {
  /** Has mongod, 6.0 or later, on its PATH. */
  MONGO("mongo:7.0.24"),

  /** Has bash and java on its PATH, and Kafka 3.9 in {@code /opt/kafka/libs}. */
  KAFKA("apache/kafka:3.9.1"),

  /** Has bash and java 17 on its PATH, and Flink 1.20 in {@code /opt/flink/lib}. */
  FLINK("flink:1.20.5-scala_2.12-java17");

  private final String pinned;

  ServerImage(String pinned) {
    this.pinned = pinned;
  }

  /** The system property, such as {@code lastfix.image.mongo}. */
  public String property() {
    return "lastfix.image." + name().toLowerCase(Locale.ROOT);
  }

  /** The environment variable, such as {@code LASTFIX_MONGO_IMAGE}. */
  public String variable() {
    return "LASTFIX_" + name() + "_IMAGE";
  }

  /** The image: the property's, else the variable's, else the pinned one. */
  public DockerImageName reference() {
    return DockerImageName.parse(name(System::getProperty, System::getenv));
  }

  String name(
      UnaryOperator<@Nullable String> properties, UnaryOperator<@Nullable String> variables) {
    String property = properties.apply(property());
    String name = property == null || property.isBlank() ? variables.apply(variable()) : property;
    return name == null || name.isBlank() ? pinned : name;
  }
}
