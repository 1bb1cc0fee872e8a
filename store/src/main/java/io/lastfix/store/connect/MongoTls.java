package io.lastfix.store.connect;

import java.io.IOException;
import java.io.Serializable;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The certificates for TLS with MongoDB, as PEM text. They travel with the job, so no machine of
 * the cluster needs a file. The connection string decides whether connections use TLS.
 *
 * @param caCertificates certificate authorities that may have signed the server's certificate; they
 *     replace those that Java trusts; null: those that Java trusts
 * @param certificateAndKey our own certificate, followed by those of intermediate authorities, and
 *     its unencrypted PKCS #8 key, for a server that requires one; null: none. It contains a
 *     secret, so {@link #toString()} leaves it out
 */
public record MongoTls(@Nullable String caCertificates, @Nullable String certificateAndKey)
    implements Serializable {
  /** Java's own certificate authorities, and no certificate of our own. */
  public static final MongoTls JAVA_DEFAULT = new MongoTls(null, null);

  /** A key store in memory requires a password; this one is never stored. */
  private static final char[] NO_PASSWORD = new char[0];

  /**
   * Checks both texts without contacting the server.
   *
   * @throws IllegalArgumentException if a text is invalid
   */
  public MongoTls {
    if (caCertificates != null) {
      requireCaCertificates(caCertificates);
    }
    if (certificateAndKey != null) {
      requireCertificateAndKey(certificateAndKey);
    }
  }

  /**
   * Checks a text for {@link #caCertificates}.
   *
   * @throws IllegalArgumentException if the text is invalid
   */
  public static void requireCaCertificates(String pem) {
    Pem.certificates(pem);
  }

  /**
   * Checks a text for {@link #certificateAndKey}.
   *
   * @throws IllegalArgumentException if the text is invalid; the message contains nothing of the
   *     key
   */
  public static void requireCertificateAndKey(String pem) {
    key(pem, Pem.certificates(pem));
  }

  /** Returns true if either differs from Java's default. */
  boolean isSet() {
    return caCertificates != null || certificateAndKey != null;
  }

  /** Returns a context with these certificates. The driver checks host names. */
  public SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers(), trustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      // The constructor has parsed the texts, so this Java lacks an algorithm.
      throw new IllegalStateException("This Java cannot set up TLS for MongoDB: " + e, e);
    }
  }

  private TrustManager @Nullable [] trustManagers() throws GeneralSecurityException, IOException {
    if (caCertificates == null) {
      return null;
    }
    KeyStore store = emptyStore();
    List<X509Certificate> authorities = Pem.certificates(caCertificates);
    for (int i = 0; i < authorities.size(); i++) {
      store.setCertificateEntry("authority-" + i, authorities.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private KeyManager @Nullable [] keyManagers() throws GeneralSecurityException, IOException {
    if (certificateAndKey == null) {
      return null;
    }
    List<X509Certificate> chain = Pem.certificates(certificateAndKey);
    KeyStore store = emptyStore();
    store.setKeyEntry(
        "client", key(certificateAndKey, chain), NO_PASSWORD, chain.toArray(Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static PrivateKey key(String pem, List<X509Certificate> chain) {
    return Pem.privateKey(pem, chain.get(0).getPublicKey().getAlgorithm());
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  /** Names which of the two are set, without their contents. */
  @Override
  public String toString() {
    return "MongoTls[caCertificates=%s, certificateAndKey=%s]"
        .formatted(
            caCertificates == null ? "Java's" : "given",
            certificateAndKey == null ? "none" : "given");
  }
}
