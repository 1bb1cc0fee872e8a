package io.lastfix.kit.kafka;

import io.lastfix.kit.failure.TlsFailure;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownMemberIdException;

/** What a failed request to Kafka means for a user. */
public final class KafkaFailure {
  private KafkaFailure() {}

  /** Explains why Kafka's client has failed and, if it is known, the remedy. */
  public static String explain(Throwable failure) {
    if (failure instanceof SaslAuthenticationException) {
      return failure.getMessage()
          + ": check user, password and sasl.mechanism in kafka.properties (sasl.jaas.config)";
    }
    if (failure instanceof AuthorizationException) {
      return failure.getMessage() + ": grant it to the user of kafka.properties.sasl.jaas.config";
    }
    return TlsFailure.in(failure)
        .map(KafkaFailure::explain)
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

  /**
   * Explains a failed {@link KafkaAnswer#await}.
   *
   * @param request what Kafka was asked to do, such as "list topics"
   * @param bootstrapServers the addresses that were asked
   */
  static IllegalStateException of(String request, String bootstrapServers, IOException failure) {
    if (failure instanceof InterruptedIOException) {
      return new IllegalStateException(
          "Interrupted while waiting for Kafka to " + request, failure);
    }
    Throwable cause = failure.getCause();
    if (!(failure instanceof KafkaRequestException) || cause instanceof TimeoutException) {
      return new UnansweredException(request, bootstrapServers);
    }
    String message = "Kafka could not " + request + ": " + explain(cause);
    // No cause for a wrong password or certificate: the message is complete, and callers report
    // the deepest cause.
    return cause instanceof AuthenticationException
        ? new IllegalStateException(message)
        : new IllegalStateException(message, cause);
  }

  /**
   * Names the addresses in the failure of a request that Kafka did not answer. Any other failure is
   * returned as it is.
   *
   * @param bootstrapServers the addresses that were asked
   */
  public static IOException withAddresses(String bootstrapServers, IOException failure) {
    return isUnanswered(failure)
        ? new IOException(
            "Kafka at %s does not answer: check kafka.bootstrap-servers and that its brokers run"
                .formatted(bootstrapServers),
            failure)
        : failure;
  }

  private static boolean isUnanswered(IOException failure) {
    Throwable cause = failure.getCause();
    return cause instanceof TimeoutException
        || cause instanceof java.util.concurrent.TimeoutException;
  }

  /**
   * Explains why the start offsets of a group could not be committed. It has no cause: the message
   * is complete, and callers report the deepest cause.
   *
   * @param bootstrapServers the addresses that were asked
   */
  public static IllegalStateException ofCommit(
      String group, String bootstrapServers, IOException failure) {
    Throwable cause = failure instanceof KafkaRequestException ? failure.getCause() : failure;
    // Kafka accepts such a commit only for a group without members.
    boolean hasMembers = cause instanceof UnknownMemberIdException;
    String reason =
        isUnanswered(failure)
            ? "no answer: check kafka.bootstrap-servers and that its brokers run"
            : hasMembers
                ? "another program is a member of that group: stop it, or configure another kafka.group-id"
                : explain(cause);
    return new IllegalStateException(
        "The start offsets of group %s cannot be committed to Kafka at %s: %s"
            .formatted(group, bootstrapServers, reason));
  }

  /**
   * Explains a failed query for what jobs have read.
   *
   * @param wanted what was asked for, such as "the unread offsets of group a"
   * @param bootstrapServers the addresses that were asked
   */
  public static IllegalStateException ofQuery(
      String wanted, String bootstrapServers, IOException failure) {
    if (failure instanceof InterruptedIOException) {
      return new IllegalStateException(
          "Interrupted while waiting for Kafka to return " + wanted, failure);
    }
    return failure instanceof KafkaRequestException refused
        ? new IllegalStateException(
            "Kafka could not return %s: %s".formatted(wanted, explain(refused.getCause())),
            refused.getCause())
        : new IllegalStateException(
            "Kafka at %s did not return within %d s %s: check that its brokers run"
                .formatted(bootstrapServers, KafkaAnswer.LIMIT.toSeconds(), wanted),
            failure);
  }
}
