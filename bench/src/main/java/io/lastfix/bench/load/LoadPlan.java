package io.lastfix.bench.load;

import java.net.URI;
import java.nio.file.Path;

/**
 * What a load generator does.
 *
 * @param kind of the load
 * @param host the gateway's or the broker's address
 * @param port of it
 * @param gateway where devices register: {@code http://host:port}
 * @param token the group's enrolment token
 * @param devices the number of devices that send
 * @param connections opened at once
 * @param perSecond requests that are due in a second; 0: a connection's next request is due at its
 *     last answer, which is the highest rate
 * @param warmUpSeconds at the same rate before the measurement
 * @param seconds of the measurement
 * @param bytes of a body
 * @param isFresh whether each request opens a connection
 * @param isSigned whether messages are signed; requests always are
 * @param intervalSeconds between two heartbeats of a device
 * @param stopAfterSeconds after which every third device, chosen at random, is silent
 * @param silent receives the names of those devices, one a line
 * @param count of messages
 */
public record LoadPlan(
    Kind kind,
    String host,
    int port,
    String gateway,
    String token,
    int devices,
    int connections,
    double perSecond,
    double warmUpSeconds,
    double seconds,
    int bytes,
    boolean isFresh,
    boolean isSigned,
    int intervalSeconds,
    double stopAfterSeconds,
    Path silent,
    long count) {
  private static final Path NONE = Path.of("");

  /** The kinds of load. */
  public enum Kind {
    /** {@code POST /v1/records/json}, signed. */
    RECORDS,
    /** {@code POST /v1/devices} of all devices, each with the same manifest; measured whole. */
    REGISTRATIONS,
    /** {@code POST /v1/heartbeat}, signed, of all devices in turn. */
    HEARTBEATS,
    /** {@code count} records published to a broker with QoS 1. */
    MESSAGES
  }

  /** Signed requests with records of that size. */
  public static LoadPlan records(URI gateway, String token, int bytes, boolean isFresh) {
    return new LoadPlan(
        Kind.RECORDS,
        gateway.getHost(),
        gateway.getPort(),
        gateway.toString(),
        token,
        1_000,
        64,
        0,
        0,
        0,
        bytes,
        isFresh,
        true,
        0,
        0,
        NONE,
        0);
  }

  /** The registration of N devices over N connections. */
  public static LoadPlan registrations(URI gateway, String token, int devices, int connections) {
    LoadPlan records = records(gateway, token, 0, false);
    return new LoadPlan(
        Kind.REGISTRATIONS,
        records.host,
        records.port,
        records.gateway,
        token,
        devices,
        connections,
        0,
        0,
        0,
        0,
        false,
        true,
        0,
        0,
        NONE,
        0);
  }

  /**
   * Heartbeats of N devices.
   *
   * @param seconds in all
   * @param stopAfterSeconds when a third stops
   */
  public static LoadPlan heartbeats(
      URI gateway,
      String token,
      int devices,
      int intervalSeconds,
      double seconds,
      double stopAfterSeconds,
      Path silent) {
    LoadPlan records = records(gateway, token, 0, false);
    return new LoadPlan(
        Kind.HEARTBEATS,
        records.host,
        records.port,
        records.gateway,
        token,
        devices,
        records.connections,
        0,
        0,
        seconds,
        0,
        false,
        true,
        intervalSeconds,
        stopAfterSeconds,
        silent,
        0);
  }

  /**
   * Messages over four connections, as fast as the broker takes them.
   *
   * @param gateway at which the devices register if they sign
   */
  public static LoadPlan messages(
      URI broker, URI gateway, String token, boolean isSigned, int bytes, long count) {
    return new LoadPlan(
        Kind.MESSAGES,
        broker.getHost(),
        broker.getPort(),
        gateway.toString(),
        token,
        1_000,
        4,
        0,
        0,
        0,
        bytes,
        false,
        isSigned,
        0,
        0,
        NONE,
        count);
  }

  /**
   * Returns this load at another rate.
   *
   * @param rate due in a second; 0: as fast as the answers come
   */
  public LoadPlan at(double rate, double warmUp, double measured) {
    return new LoadPlan(
        kind,
        host,
        port,
        gateway,
        token,
        devices,
        connections,
        rate,
        warmUp,
        measured,
        bytes,
        isFresh,
        isSigned,
        intervalSeconds,
        stopAfterSeconds,
        silent,
        count);
  }
}
