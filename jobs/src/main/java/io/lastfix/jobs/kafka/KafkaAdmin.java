package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.store.connect.TlsFailure;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;

/** Kafka's admin client for the job and the commands, and the meaning of its failures. */
public final class KafkaAdmin {
  private static final Pattern QUOTED = Pattern.compile("'[^']*'");

  private KafkaAdmin() {}

  /**
   * Creates a client of those brokers. It connects in the background.
   *
   * @throws IllegalArgumentException if the properties are invalid. Kafka quotes a wrong {@code
   *     sasl.jaas.config}, so the message omits the quote and the exception has no cause.
   */
  public static Admin connect(KafkaOptions kafka) {
    return connect(kafka.clientProperties());
  }

  /**
   * Creates a client with these properties.
   *
   * @throws IllegalArgumentException as for {@link #connect(KafkaOptions)}
   */
  public static Admin connect(Properties properties) {
    try {
      return Admin.create(properties);
    } catch (KafkaException e) {
      Throwable deepest = e;
      while (deepest.getCause() != null) {
        deepest = deepest.getCause();
      }
      throw new IllegalArgumentException(
          "A Kafka client cannot be created with these kafka.properties: "
              + QUOTED.matcher(String.valueOf(deepest.getMessage())).replaceAll("'…'"));
    }
  }

  /** Explains a failed request and, if it is known, the remedy. */
  public static String explain(Throwable failure) {
    if (failure instanceof SaslAuthenticationException) {
      return failure.getMessage()
          + ": check user, password and sasl.mechanism in kafka.properties (sasl.jaas.config)";
    }
    if (failure instanceof AuthorizationException) {
      return failure.getMessage() + ": grant it to the user of kafka.properties.sasl.jaas.config";
    }
    return TlsFailure.in(failure)
        .map(KafkaAdmin::explain)
        .orElseGet(() -> String.valueOf(failure.getMessage()));
  }

  private static String explain(TlsFailure tls) {
    return "a broker cannot be connected to: "
        + tls.reason()
        + switch (tls.kind()) {
          case UNKNOWN_AUTHORITY ->
              ": name the authority's certificate in kafka.properties"
                  + " (ssl.truststore.type: PEM, ssl.truststore.certificates: ${file:/path/ca.pem})";
          case WRONG_HOST ->
              ": use the certificate's host names in kafka.bootstrap-servers and in the"
                  + " brokers' advertised.listeners";
          case OTHER -> ": check that this port of the broker uses TLS";
        };
  }
}
