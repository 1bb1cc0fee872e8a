package io.lastfix.store.connect;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A private certificate authority for tests, created with the JDK's keytool: no key is in the
 * repository.
 */
public final class TestAuthority {
  private static final String PASSWORD = "changeit";
  private static final String AUTHORITY = "authority";

  private final Path store;

  /**
   * Creates its key.
   *
   * @param directory directory of the key store; a different one for each authority
   */
  public TestAuthority(Path directory) throws IOException, InterruptedException {
    store = directory.resolve("authority.p12");
    keytool(
        "-alias", AUTHORITY, "-dname", "CN=Lastfix test authority", "-ext", "bc:critical=ca:true");
  }

  /**
   * A certificate with its key.
   *
   * @param certificate certificate as PEM
   * @param key key as PEM, PKCS #8
   */
  public record Identity(String certificate, String key) {
    /** Returns both in one text. */
    public String pem() {
      return certificate + key;
    }
  }

  /** Returns the authority's own certificate as PEM. */
  public String certificate() throws IOException, GeneralSecurityException {
    return certificate(load(), AUTHORITY);
  }

  /**
   * Issues a certificate signed by this authority.
   *
   * @param algorithm algorithm of its key, RSA or EC
   * @param subjectAlternativeName in keytool's format, such as {@code ip:127.0.0.1}
   */
  public Identity issue(String name, String algorithm, String subjectAlternativeName)
      throws IOException, InterruptedException, GeneralSecurityException {
    keytool(
        "-alias",
        name,
        "-signer",
        AUTHORITY,
        "-dname",
        "CN=" + name,
        "-keyalg",
        algorithm,
        "-ext",
        "san=" + subjectAlternativeName);
    KeyStore keys = load();
    return new Identity(
        certificate(keys, name),
        pem("PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded()));
  }

  private KeyStore load() throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private static String certificate(KeyStore keys, String alias) throws GeneralSecurityException {
    return pem("CERTIFICATE", keys.getCertificate(alias).getEncoded());
  }

  private static String pem(String label, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, base64, label);
  }

  private void keytool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-keystore", store.toString(), "-storepass", PASSWORD));
    command.addAll(List.of("-validity", "30"));
    command.addAll(Arrays.asList(arguments));
    if (!command.contains("-keyalg")) {
      command.addAll(List.of("-keyalg", "RSA"));
    }
    Path output = store.resolveSibling("keytool.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("keytool failed: " + Files.readString(output, UTF_8));
    }
  }
}
