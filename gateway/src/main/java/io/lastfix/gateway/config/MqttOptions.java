package io.lastfix.gateway.config;

import io.lastfix.kit.net.MqttAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The broker of MQTT, and what is accepted from it.
 *
 * @param broker its address
 * @param login null: none
 * @param ca the authorities that may certify the broker, PEM; null: those that Java trusts
 * @param records access to {@code lastfix/v1/DEVICE/records/PROFILE}
 * @param owntracks access to {@code owntracks/USER/DEVICE}
 * @param budgetBytes of all messages that wait for Kafka
 * @param signatureAge how old a signature may be
 * @param keyWait how long the broker is kept waiting for a group's key that this gateway lacks
 * @param session at the broker
 */
public record MqttOptions(
    MqttAddress broker,
    @Nullable Login login,
    @Nullable Path ca,
    AccessMode records,
    AccessMode owntracks,
    int budgetBytes,
    Duration signatureAge,
    Duration keyWait,
    Session session) {
  /**
   * User and password.
   *
   * @param user the name
   * @param password in clear; never shown
   */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  /**
   * The session that the broker keeps.
   *
   * @param clientIdFile of its name, which is a secret; need not exist yet
   * @param receiveMaximum messages without an acknowledgement
   * @param expiry how long it is kept while the gateway is away
   * @param longestPause before the next connection
   * @param probeInterval of silence, before the gateway finds out whether the broker delivers
   */
  public record Session(
      Path clientIdFile,
      int receiveMaximum,
      Duration expiry,
      Duration longestPause,
      Duration probeInterval) {}
}
