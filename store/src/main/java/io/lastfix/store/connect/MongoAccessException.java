package io.lastfix.store.connect;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import io.lastfix.kit.failure.RootCause;
import io.lastfix.kit.failure.TlsFailure;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * MongoDB rejects the connection or is unreachable. The message tells the user what to do; it
 * contains host names, but neither user nor password. A rejection has no cause, since the message
 * is complete.
 */
public final class MongoAccessException extends IOException {
  // From https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
  private static final int UNAUTHORIZED = 13;
  private static final int AUTHENTICATION_FAILED = 18;

  private enum Kind {
    REFUSED,
    UNANSWERED,
    OTHER
  }

  private final Kind kind;

  /** Returns whether the server let its user not do what was asked of it. */
  public static boolean isUnauthorized(MongoException failure) {
    return failure.getCode() == UNAUTHORIZED;
  }

  /**
   * Runs a query whose answer is not null.
   *
   * @return the answer; empty if the server does not let its user ask
   * @throws MongoException for any other failure
   */
  public static <T> Optional<T> ifAllowed(Supplier<T> query) {
    try {
      return Optional.of(query.get());
    } catch (MongoException e) {
      if (isUnauthorized(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Returns whether the server ended or became unreachable, so that any statement would have
   * failed.
   */
  public static boolean isLost(MongoException failure) {
    return failure instanceof MongoSocketException
        || failure instanceof MongoTimeoutException
        || failure instanceof MongoServerUnavailableException
        || failure instanceof MongoConnectionPoolClearedException
        || failure instanceof MongoNotPrimaryException
        || failure instanceof MongoNodeIsRecoveringException;
  }

  /**
   * Returns the exception for a server that was connected and then {@linkplain #isLost lost}.
   *
   * @param consequence what is incomplete now, such as {@code "the output is incomplete"}
   */
  public static MongoAccessException lost(
      MongoOptions options, String consequence, MongoException failure) {
    return new MongoAccessException(
        options,
        Kind.UNANSWERED,
        "no longer answers: %s; check that the server runs, and run the command again (%s)"
            .formatted(consequence, RootCause.of(failure)),
        failure);
  }

  private MongoAccessException(
      MongoOptions options, Kind kind, String message, @Nullable Throwable cause) {
    super("MongoDB at %s %s".formatted(options.hosts(), message), cause);
    this.kind = kind;
  }

  /**
   * Returns true if neither a retry nor another machine can help: a wrong password, a missing
   * right, or a certificate that is untrusted or for another host. Other failures may be temporary,
   * such as a server that is shutting down.
   */
  public boolean isRefused() {
    return kind == Kind.REFUSED;
  }

  /** Returns true if no server answered, or it broke off its answer. */
  public boolean isUnanswered() {
    return kind == Kind.UNANSWERED;
  }

  /**
   * Derives the message from the driver's exception.
   *
   * @param reasons for each server that the client found, the exception that ruled it out
   */
  static MongoAccessException of(
      MongoOptions options, MongoException failure, List<Throwable> reasons) {
    if (failure instanceof MongoSecurityException
        && failure.getCause() instanceof MongoCommandException refusal
        && refusal.getCode() == AUTHENTICATION_FAILED) {
      return new MongoAccessException(
          options,
          Kind.REFUSED,
          "refuses the user or the password of mongo.uri: check that both are right and"
              + " percent-encoded, and that authSource names the database in which the user was"
              + " created",
          null);
    }
    if (isUnauthorized(failure)) {
      return new MongoAccessException(
          options,
          Kind.REFUSED,
          "gives no access to database %s: name a user in mongo.uri, and grant it a role of config/mongodb"
              .formatted(options.database()),
          null);
    }
    return reasons.stream()
        .map(TlsFailure::in)
        .flatMap(Optional::stream)
        .findFirst()
        .map(tls -> of(options, tls, failure))
        .orElseGet(
            () ->
                closesConnections(reasons)
                    ? new MongoAccessException(
                        options, Kind.OTHER, closedConnections(options), failure)
                    : unreachable(options, firstReason(reasons, failure), failure));
  }

  /**
   * Returns the exception for servers that do not answer, or a connection string that the driver
   * could not resolve to one.
   */
  static MongoAccessException unreachable(
      MongoOptions options, String words, MongoException failure) {
    return new MongoAccessException(
        options,
        Kind.UNANSWERED,
        "does not answer: check mongo.uri, and check that the server runs (%s)".formatted(words),
        failure);
  }

  /** Returns the deepest cause only: the driver's own message describes every server at length. */
  private static String firstReason(List<Throwable> reasons, MongoException failure) {
    return RootCause.of(reasons.isEmpty() ? failure : reasons.get(0)).toString();
  }

  private static MongoAccessException of(
      MongoOptions options, TlsFailure tls, MongoException failure) {
    String remedy =
        switch (tls.kind()) {
          case UNKNOWN_AUTHORITY -> ": name the authority's certificate in mongo.tls.ca-file";
          case WRONG_HOST ->
              ": use the certificate's host names in mongo.uri and in the replica set's"
                  + " configuration";
          case OTHER ->
              ": check that the server uses TLS; if it requires a client certificate, check"
                  + " mongo.tls.certificate-key-file";
        };
    boolean isRefused = tls.kind() != TlsFailure.Kind.OTHER;
    return new MongoAccessException(
        options,
        isRefused ? Kind.REFUSED : Kind.OTHER,
        "cannot be connected to: " + tls.reason() + remedy,
        isRefused ? null : failure);
  }

  /** Returns true if a server accepts the connection and closes it at once. */
  private static boolean closesConnections(List<Throwable> reasons) {
    return reasons.stream()
        .anyMatch(
            reason ->
                reason instanceof MongoSocketException
                    && String.valueOf(reason.getMessage()).startsWith("Prematurely reached end"));
  }

  private static String closedConnections(MongoOptions options) {
    return options.usesTls()
        ? "closes each connection: if it requires a client certificate, set"
            + " mongo.tls.certificate-key-file"
        : "closes each connection: if it requires TLS, add tls=true to mongo.uri";
  }
}
