package io.lastfix.it.harness;

import io.lastfix.cluster.flink.FlinkRest;

/** Where the servers are that a test runs on, whoever started them. */
public interface TestServers {
  /** MongoDB's connection string. */
  public String mongoUri();

  /** Kafka's bootstrap server. */
  public String kafka();

  /** The address of Flink's REST interface. */
  public String flinkUrl();

  /** Flink's REST interface. */
  default FlinkRest flink() {
    return new FlinkRest(flinkUrl());
  }
}
