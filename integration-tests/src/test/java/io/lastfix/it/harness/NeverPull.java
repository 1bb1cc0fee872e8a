package io.lastfix.it.harness;

import org.testcontainers.images.ImagePullPolicy;
import org.testcontainers.utility.DockerImageName;

/** Has Testcontainers use the images that are there, its own helpers' too. */
public final class NeverPull implements ImagePullPolicy {
  @Override
  public boolean shouldPull(DockerImageName image) {
    return false;
  }
}
