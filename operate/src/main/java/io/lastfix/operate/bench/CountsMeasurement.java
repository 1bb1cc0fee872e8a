package io.lastfix.operate.bench;

/** What the part analytics measures, in the order of the measurement. */
public enum CountsMeasurement {
  /** How fast History is counted. */
  batch,
  /** What counts take from the location job's rate. */
  rate,
  /** How late counts are. */
  latency
}
