package io.lastfix.store.connect;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads certificates and keys from PEM text (RFC 7468). It ignores text around the blocks.
 *
 * <p>No message of this class repeats the text, since it may be a key.
 */
public final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String PRIVATE_KEY = "PRIVATE KEY";

  private Pem() {}

  /**
   * Returns all certificates of a text, in its order.
   *
   * @throws IllegalArgumentException if there is none, or one cannot be read
   */
  public static List<X509Certificate> certificates(String pem) {
    List<X509Certificate> certificates =
        BLOCK
            .matcher(pem)
            .results()
            .filter(block -> block.group(1).equals(CERTIFICATE))
            .map(block -> certificate(block.group(2)))
            .toList();
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException(
          "expected PEM text with at least one block -----BEGIN CERTIFICATE-----, found none");
    }
    return certificates;
  }

  private static X509Certificate certificate(String base64) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(decoded(base64)));
    } catch (CertificateException e) {
      throw new IllegalArgumentException(
          "expected X.509 certificates, found a block that is not one");
    }
  }

  /**
   * Returns the one private key of a text, which must be an unencrypted PKCS #8 key.
   *
   * @param algorithm algorithm of the matching public key, such as RSA or EC
   * @throws IllegalArgumentException if there is none or several, or it cannot be read
   */
  public static PrivateKey privateKey(String pem, String algorithm) {
    List<String> keys = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(pem);
    while (blocks.find()) {
      String label = blocks.group(1);
      if (label.equals(PRIVATE_KEY)) {
        keys.add(blocks.group(2));
      } else if (label.endsWith(PRIVATE_KEY)) {
        throw new IllegalArgumentException(
            "expected an unencrypted PKCS #8 key (-----BEGIN PRIVATE KEY-----), found -----BEGIN "
                + label
                + "-----: convert it with openssl pkcs8 -topk8 -nocrypt");
      }
    }
    if (keys.size() != 1) {
      throw new IllegalArgumentException(
          "expected one block -----BEGIN PRIVATE KEY-----, found " + keys.size());
    }
    try {
      return KeyFactory.getInstance(algorithm)
          .generatePrivate(new PKCS8EncodedKeySpec(decoded(keys.get(0))));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "expected a PKCS #8 key of the certificate's algorithm, "
              + algorithm
              + ", found another");
    }
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("expected base64 in each block, found something else");
    }
  }
}
