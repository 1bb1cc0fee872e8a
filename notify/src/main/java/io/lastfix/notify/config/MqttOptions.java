package io.lastfix.notify.config;

import io.lastfix.kit.net.MqttAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The broker of MQTT.
 *
 * @param broker its address
 * @param login null: none
 * @param ca the authorities that may certify the broker, PEM; null: those that Java trusts
 * @param topicPrefix begins each topic to which it may publish; may be empty
 */
public record MqttOptions(
    MqttAddress broker, @Nullable Login login, @Nullable Path ca, String topicPrefix) {
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
}
