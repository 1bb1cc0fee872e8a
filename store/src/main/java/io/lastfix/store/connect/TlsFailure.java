package io.lastfix.store.connect;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Why a TLS connection did not come about, from our side of it.
 *
 * @param kind which remedy helps
 * @param words for a person; holds host names at most
 */
public record TlsFailure(Kind kind, String words) {
  /** The failures that have a remedy of their own. */
  public enum Kind {
    /** The certificate's authority is not among those that are trusted here. */
    UNKNOWN_AUTHORITY,
    /** The certificate was made for other host names. */
    WRONG_HOST,
    /** Anything else. */
    OTHER
  }

  /** The TLS failure that an exception was caused by, if it was. */
  public static Optional<TlsFailure> in(@Nullable Throwable failure) {
    TlsFailure found = null;
    // The deepest cause that says something: Java wraps what is wrong with a certificate.
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertPathBuilderException) {
        found =
            new TlsFailure(
                Kind.UNKNOWN_AUTHORITY,
                "its certificate is signed by no authority that is trusted here");
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

  /** By the words of Java's own check, which has no exception for it. */
  private static boolean isAboutTheHost(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return message.startsWith("No subject alternative") || message.startsWith("No name matching");
  }
}
