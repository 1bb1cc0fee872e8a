package io.lastfix.testcontainers;

import static io.lastfix.testcontainers.LastfixAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.exception.NotFoundException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;
import org.testcontainers.DockerClientFactory;

/** Real containers: the lines of the README, and what users see if an assertion fails. */
class LastfixContainersIT {
  /** Skipped if no Docker engine answers, or if it lacks an image: none is pulled. */
  @BeforeAll
  static void needImages() {
    needDocker();
    for (ServerImage image : ServerImage.values()) {
      assumeTrue(
          isThere(image),
          () -> "needs the image %s (%s)".formatted(image.reference(), image.variable()));
    }
  }

  private static void needDocker() {
    boolean isThere;
    try {
      isThere = DockerClientFactory.instance().isDockerAvailable();
    } catch (RuntimeException e) {
      // Of many kinds, as when the engine is too old.
      throw new TestAbortedException("needs a Docker engine that Testcontainers can use", e);
    }
    assumeTrue(isThere, "needs a Docker engine");
  }

  private static boolean isThere(ServerImage image) {
    try {
      DockerClientFactory.instance()
          .client()
          .inspectImageCmd(image.reference().asCanonicalNameString())
          .exec();
      return true;
    } catch (NotFoundException e) {
      return false;
    }
  }

  @Test
  void theLinesOfTheReadme() {
    try (LastfixContainers lastfix = new LastfixContainers()) {
      lastfix.start();
      lastfix.publishCell("310-1-7-101", -122.4, 37.8);
      lastfix.send(
          "json",
          """
          {"user": "alice", "ts": 1781956801001,
           "cell": {"mcc": 310, "mnc": 1, "area": 7, "cid": 101}}
          """);
      assertThat(lastfix).lastKnownLocation("alice").isAt(-122.4, 37.8).isInCell("310-1-7-101");
      assertThat(lastfix).history("alice", 1);

      assertThat(lastfix).lastKnownLocation("alice").isOf(Instant.ofEpochMilli(1781956801001L));
      lastfix.withAssertionLimit(Duration.ofMillis(100));
      assertThatThrownBy(() -> assertThat(lastfix).lastKnownLocation("alice").isAt(0, 0))
          .isInstanceOf(AssertionError.class)
          .hasMessageContainingAll("last known location of alice", "lon 0.0", "310-1-7-101");
      assertThatThrownBy(() -> assertThat(lastfix).lastKnownLocation("bob").isAt(0, 0))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("found: none");
      assertThatThrownBy(() -> assertThat(lastfix).history("alice", 2))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("2 documents of alice");
    }
  }
}
