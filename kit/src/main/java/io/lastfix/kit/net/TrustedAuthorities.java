package io.lastfix.kit.net;

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

/** The authorities that a program trusts to certify a server. */
public final class TrustedAuthorities {
  private TrustedAuthorities() {}

  /**
   * Trusts the certificates of a file.
   *
   * @param ca certificates, PEM
   * @param key of the configuration, for the message
   * @throws IllegalStateException for the user: the file holds none
   */
  public static TrustManagerFactory of(Path ca, String key) {
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
          "%s %s cannot be used: expected certificates as PEM (%s)"
              .formatted(key, ca, e.getMessage()),
          e);
    }
  }
}
