package io.lastfix.it;

import com.github.dockerjava.api.exception.NotFoundException;
import java.util.Map;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;

/**
 * The image that the tests in a container run: what {@code LASTFIX_MONGO_IMAGE} says, or else
 * {@code mongo:6.0}. Any image will do that has mongod, mongos, mongosh and bash.
 */
final class MongoImage {
  static final String VARIABLE = "LASTFIX_MONGO_IMAGE";

  private static final String USUAL = "mongo:6.0";

  private final String name;

  MongoImage(Map<String, String> environment) {
    name = environment.getOrDefault(VARIABLE, USUAL);
  }

  /** Under whatever name, it is to do what MongoDB's own image does. */
  DockerImageName name() {
    return DockerImageName.parse(name).asCompatibleSubstituteFor("mongo");
  }

  /** Whether a Docker daemon that answers has it already. */
  boolean isHere() {
    try {
      DockerClientFactory.instance().client().inspectImageCmd(name).exec();
      return true;
    } catch (NotFoundException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
