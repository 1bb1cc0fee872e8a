package io.lastfix.gateway.mqtt;

import com.hivemq.client.mqtt.MqttClientSslConfig;
import io.lastfix.kit.net.TrustedAuthorities;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The authorities that the gateway trusts to certify the broker. */
final class BrokerCertificates {
  private BrokerCertificates() {}

  /**
   * The settings of TLS; the broker's name is checked.
   *
   * @param ca certificates, PEM; null: those that Java trusts
   * @throws IllegalStateException for the user: the file holds none
   */
  static MqttClientSslConfig sslConfig(@Nullable Path ca) {
    return ca == null
        ? MqttClientSslConfig.builder().build()
        : MqttClientSslConfig.builder()
            .trustManagerFactory(TrustedAuthorities.of(ca, "mqtt.tls.ca"))
            .build();
  }
}
