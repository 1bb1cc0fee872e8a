package io.lastfix.operate.bench;

/** What the gateway's part measures, in the order of the measurement. */
public enum GatewayLoad {
  /** All agents register at once, with one new manifest: so before any other load. */
  registrations,
  /** Signed requests with records. */
  requests,
  /** Messages with records over MQTT, by one gateway and by two. */
  mqtt,
  /** Heartbeats beside records, and the presence that the devices job stores. */
  heartbeats
}
