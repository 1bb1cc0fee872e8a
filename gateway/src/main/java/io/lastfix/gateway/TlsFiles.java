package io.lastfix.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.linecorp.armeria.common.TlsKeyPair;
import io.lastfix.gateway.config.HttpOptions;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** Reads the certificate and its key. */
final class TlsFiles {
  private TlsFiles() {}

  /**
   * Reads both.
   *
   * @throws IllegalStateException if they cannot be used; names the keys, the files and the remedy
   */
  static TlsKeyPair read(HttpOptions.Tls tls) {
    TlsKeyPair pair;
    try {
      pair = TlsKeyPair.of(tls.key().toFile(), tls.certificate().toFile());
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "http.tls.certificate %s and http.tls.key %s cannot be used: expected a certificate chain and a PKCS 8 key without a password, both PEM"
              .formatted(tls.certificate(), tls.key()),
          e);
    }
    // The TLS library would say no more than that there is a problem.
    if (!isPair(pair.privateKey(), pair.certificateChain().get(0).getPublicKey())) {
      throw new IllegalStateException(
          "http.tls.key %s is not the key of the first certificate in http.tls.certificate %s: name the key with which that certificate was requested, and put the server's own certificate first"
              .formatted(tls.key(), tls.certificate()));
    }
    return pair;
  }

  private static boolean isPair(PrivateKey key, PublicKey certified) {
    String algorithm =
        switch (certified.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> certified.getAlgorithm();
        };
    try {
      Signature signature = Signature.getInstance(algorithm);
      byte[] text = "lastfix".getBytes(US_ASCII);
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(text);
      return signature.verify(signed);
    } catch (NoSuchAlgorithmException e) {
      // The TLS library decides about it.
      return true;
    } catch (GeneralSecurityException e) {
      // A key of another kind.
      return false;
    }
  }
}
