package io.lastfix.gateway.mqtt;

import com.hivemq.client.mqtt.MqttClientSslConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.TrustManagerFactory;
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
        : MqttClientSslConfig.builder().trustManagerFactory(trustManagers(ca)).build();
  }

  private static TrustManagerFactory trustManagers(Path ca) {
    try (InputStream in = Files.newInputStream(ca)) {
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (certificates.isEmpty()) {
        throw new IOException("it has no certificate");
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int count = 0;
      for (Certificate certificate : certificates) {
        store.setCertificateEntry("ca-" + count++, certificate);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(
          "mqtt.tls.ca %s cannot be used: expected certificates as PEM (%s)"
              .formatted(ca, e.getMessage()),
          e);
    }
  }
}
