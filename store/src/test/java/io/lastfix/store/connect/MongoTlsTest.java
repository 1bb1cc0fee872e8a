package io.lastfix.store.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.store.connect.TestAuthority.Identity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MongoTlsTest {
  private static final String TLS_URI = "mongodb://db.example/?tls=true";

  @TempDir private static Path directory;

  private static String authority;
  private static Identity rsa;
  private static Identity elliptic;

  @BeforeAll
  static void makeCertificates() throws Exception {
    TestAuthority made = new TestAuthority(Files.createDirectory(directory.resolve("authority")));
    authority = made.certificate();
    rsa = made.issue("client", "RSA", "dns:client.example");
    elliptic = made.issue("elliptic", "EC", "dns:client.example");
  }

  @Test
  void certificatesAndKeysOfBothKindsMakeAContext() {
    for (Identity identity : List.of(rsa, elliptic)) {
      assertThat(new MongoTls(authority, identity.pem()).context()).isNotNull();
    }
    assertThat(new MongoTls(null, rsa.pem()).context()).isNotNull();
    assertThat(new MongoTls("A bundle:\n" + authority + rsa.certificate(), null).context())
        .isNotNull();
  }

  @Test
  void withoutCertificatesTheDriverDoesWhatItAlwaysDoes() {
    assertThat(MongoTls.JAVA_DEFAULT.isSet()).isFalse();
    assertThat(
            MongoClientFactory.settings(MongoOptions.defaults(TLS_URI, "lastfix"), 1)
                .getSslSettings()
                .getContext())
        .isNull();
  }

  @Test
  void theCertificatesReachTheDriverAndHostNamesAreChecked() {
    var ssl =
        MongoClientFactory.settings(
                MongoOptions.defaults(TLS_URI, "lastfix").withTls(new MongoTls(authority, null)), 1)
            .getSslSettings();

    assertThat(ssl.isEnabled()).isTrue();
    assertThat(ssl.getContext()).isNotNull();
    assertThat(ssl.isInvalidHostNameAllowed()).isFalse();
  }

  @Test
  void theyTravelToTheClusterAndAreInNoText() throws Exception {
    MongoTls tls = new MongoTls(authority, rsa.pem());

    assertThat(JavaCopy.of(tls)).isEqualTo(tls);
    assertThat(tls).hasToString("MongoTls[caCertificates=given, certificateAndKey=given]");
    assertThat(MongoOptions.defaults(TLS_URI, "lastfix").withTls(tls).toString())
        .doesNotContain("BEGIN");
  }

  @Test
  void whatIsNoCertificateOrNoKeyIsRefusedWithoutRepeatingIt() {
    String base64 = "bm8gY2VydGlmaWNhdGU=";
    String noCertificate =
        "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n";
    String oldKey = rsa.key().replace("PRIVATE KEY", "RSA PRIVATE KEY");

    assertRefused(
        "", null, "expected PEM text with at least one block -----BEGIN CERTIFICATE-----");
    assertRefused(
        noCertificate, null, "expected X.509 certificates, found a block that is not one");
    assertRefused(null, rsa.key(), "expected PEM text with at least one block");
    assertRefused(
        null, rsa.certificate(), "expected one block -----BEGIN PRIVATE KEY-----, found 0");
    assertRefused(null, rsa.pem() + rsa.key(), "PRIVATE KEY-----, found 2");
    assertRefused(null, rsa.certificate() + oldKey, "openssl pkcs8 -topk8 -nocrypt");
    assertRefused(
        null,
        elliptic.certificate() + rsa.key(),
        "a PKCS #8 key of the certificate's algorithm, EC");
  }

  private static void assertRefused(
      @Nullable String ca, @Nullable String certificateAndKey, String message) {
    assertThatThrownBy(() -> new MongoTls(ca, certificateAndKey))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageContaining(message)
        .hasMessageNotContaining(rsa.key().lines().toList().get(1))
        .hasMessageNotContaining("bm8gY2");
  }

  @ParameterizedTest
  @CsvSource({
    "mongodb://h/?tls=true, true",
    "mongodb://h/?w=1&SSL=TRUE, true",
    "mongodb://h/?tls=1, true",
    "mongodb://h/?tls=%74rue, true",
    "mongodb+srv://h.example/, true",
    "mongodb+srv://h.example/?tls=false, false",
    "mongodb+srv://h.example/?tls=no, false",
    "mongodb+srv://h.example/?srvMaxHosts=2&SrvServiceName=other&w=1, true",
    "mongodb://h/?tls=false, false",
    "mongodb://h, false"
  })
  void certificatesAreRefusedWhereTheConnectionWouldNotUseThem(String uri, boolean usesTls) {
    MongoOptions plain = MongoOptions.defaults(uri, "lastfix");
    MongoTls tls = new MongoTls(authority, null);

    assertThat(plain.usesTls()).isEqualTo(usesTls);
    if (usesTls) {
      assertThat(plain.withTls(tls).tls()).isEqualTo(tls);
    } else {
      assertThatThrownBy(() -> plain.withTls(tls))
          .hasMessage(
              "uri: certificates for TLS are given, but the connection would not use TLS: add"
                  + " tls=true to the URI's options");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mongodb://h/?tls=true&tlsInsecure=true",
        "mongodb://h/?tls=true&tlsAllowInvalidHostnames=true",
        "mongodb://h/?ssl=true;sslInvalidHostNameAllowed=TRUE",
        "mongodb+srv://h.example/?tlsinsecure=true",
        "mongodb+srv://h.example/?srvMaxHosts=2&tlsAllowInvalidHostnames=yes",
        "mongodb://h/?tls=true&tlsInsecure=1",
        "mongodb://h/?tls=true&TLSALLOWINVALIDHOSTNAMES=Yes",
        "mongodb://h/?tls=true&tlsAllowInvalidHostnames=%74rue",
        "mongodb://h/?tls=true&tlsInsecure=%20true"
      })
  void checksOfTheServerCannotBeSwitchedOff(String uri) {
    assertThatThrownBy(() -> MongoOptions.defaults(uri, "lastfix"))
        .hasMessageStartingWith(
            "uri: tlsInsecure and tlsAllowInvalidHostnames are not allowed, because another"
                + " server could then impersonate MongoDB");
  }

  @Test
  void aServerThatIsNotThereIsUnreachableAndNotRefused() {
    MongoOptions nobody =
        MongoOptions.defaults("mongodb://u:hunter2@127.0.0.1:1/", "lastfix")
            .withTimeouts(Duration.ofMillis(200), Duration.ofMillis(200), Duration.ofMillis(200));

    assertThatThrownBy(() -> MongoClientFactory.connect(nobody, 1))
        .isInstanceOfSatisfying(
            MongoAccessException.class, e -> assertThat(e.isRefused()).isFalse())
        .hasMessageStartingWith(
            "MongoDB at 127.0.0.1:1 does not answer: check mongo.uri, and check that the server runs (")
        .hasMessageNotContaining("hunter2");
  }
}
