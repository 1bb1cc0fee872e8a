package io.lastfix.kit.failure;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Why a TLS connection failed, as seen by the client.
 *
 * @param kind the kind of failure, which decides the remedy
 * @param reason the reason, for the user; contains at most host names
 */
public record TlsFailure(Kind kind, String reason) {
  /** The failures that have a remedy of their own. */
  public enum Kind {
    /** The certificate's authority is not trusted here. */
    UNKNOWN_AUTHORITY,
    /** The certificate is for other host names. */
    WRONG_HOST,
    /** Any other failure. */
    OTHER
  }

  /** Returns the TLS failure among the causes of an exception, if there is one. */
  public static Optional<TlsFailure> in(@Nullable Throwable failure) {
    TlsFailure found = null;
    // Java wraps the reason why a certificate is invalid, so the deepest message counts.
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertPathBuilderException) {
        found =
            new TlsFailure(
                Kind.UNKNOWN_AUTHORITY,
                "its certificate is signed by an authority that is not trusted here");
      } else if (cause instanceof CertificateExpiredException) {
        found = new TlsFailure(Kind.OTHER, "its certificate has expired");
      } else if (cause instanceof CertificateException && isAboutTheHost(cause)) {
        found =
            new TlsFailure(
                Kind.WRONG_HOST, "its certificate is for other hosts (" + cause.getMessage() + ")");
      } else if (cause instanceof CertificateException || cause instanceof SSLException) {
        found = new TlsFailure(Kind.OTHER, "TLS failed: " + cause.getMessage());
      }
    }
    return Optional.ofNullable(found);
  }

  /** Matches the text of Java's own check, which has no exception class. */
  private static boolean isAboutTheHost(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return message.startsWith("No subject alternative") || message.startsWith("No name matching");
  }
}
