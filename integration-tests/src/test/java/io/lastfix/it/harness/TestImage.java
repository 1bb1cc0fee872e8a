package io.lastfix.it.harness;

import com.github.dockerjava.api.exception.NotFoundException;
import org.testcontainers.DockerClientFactory;

/**
 * The images that tests in a container start from: what a variable of the environment names, or
 * else the usual one.
 */
public enum TestImage {
  /** Any image will do that has mongod, mongos, mongosh and bash. */
  MONGO("LASTFIX_MONGO_IMAGE", "mongo:6.0"),

  /** What {@code docker/gateway.Dockerfile} starts from: has java, 17 or later, on its PATH. */
  JAVA("LASTFIX_JAVA_IMAGE", "eclipse-temurin:17-jre"),

  /** Has systemd, java, curl and mongod. No usual one has. */
  SYSTEMD("LASTFIX_SYSTEMD_IMAGE", "lastfix-ci:1");

  private final String variable;
  private final String usual;

  TestImage(String variable, String usual) {
    this.variable = variable;
    this.usual = usual;
  }

  /** The environment's variable. */
  String variable() {
    return variable;
  }

  /** Its name in Docker. */
  public String reference() {
    return System.getenv().getOrDefault(variable, usual);
  }

  /** Whether a Docker daemon that answers has it already. */
  boolean isHere() {
    try {
      DockerClientFactory.instance().client().inspectImageCmd(reference()).exec();
      return true;
    } catch (NotFoundException e) {
      return false;
    }
  }
}
