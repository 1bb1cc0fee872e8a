package io.lastfix.it.sharded;

import io.lastfix.it.harness.NeedsDockerImage;
import io.lastfix.it.harness.TestImage;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.mongodb.MongoDBContainer;
import org.testcontainers.utility.DockerImageName;

/** Provisioning on the sharded MongoDB of Testcontainers: one router and one shard. */
@NeedsDockerImage(TestImage.MONGO)
class ContainerProvisionIT extends ProvisionContract {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  private static MongoDBContainer container;

  @BeforeAll
  static void startContainer() {
    container =
        new MongoDBContainer(
                DockerImageName.parse(TestImage.MONGO.reference())
                    .asCompatibleSubstituteFor("mongo"))
            .withSharding()
            .withStartupTimeout(START_LIMIT);
    container.start();
  }

  @AfterAll
  static void removeContainer() {
    if (container != null) {
      container.stop();
    }
  }

  @Override
  String mongoUri() {
    return container.getConnectionString();
  }

  @Override
  int shards() {
    return 1;
  }
}
