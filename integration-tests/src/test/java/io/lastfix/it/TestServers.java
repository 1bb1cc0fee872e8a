package io.lastfix.it;

import io.lastfix.cluster.flink.FlinkRest;

/** Where the servers are that a test runs on, whoever started them. */
interface TestServers {
  /** MongoDB's connection string. */
  String mongoUri();

  /** Kafka's bootstrap server. */
  String kafka();

  /** The address of Flink's REST interface. */
  String flinkUrl();

  /** Flink's REST interface. */
  default FlinkRest flink() {
    return new FlinkRest(flinkUrl());
  }
}
