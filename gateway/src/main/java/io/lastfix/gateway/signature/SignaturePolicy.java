package io.lastfix.gateway.signature;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a signature has to cover, and how old it may be.
 *
 * @param required always covered
 * @param ifPresent covered exactly if the request has this header
 * @param maxAge how long ago {@code created} may be
 * @param maxAhead how far ahead of now {@code created} may be
 */
public record SignaturePolicy(
    List<String> required, List<String> ifPresent, Duration maxAge, Duration maxAhead) {
  /**
   * That of the gateway. All that changes the meaning of a request is covered, and nothing that a
   * proxy may change: the authority is not.
   */
  public static final SignaturePolicy OF_DEVICES =
      new SignaturePolicy(
          List.of(Component.METHOD, Component.PATH, Component.QUERY, Component.CONTENT_DIGEST),
          List.of(Component.CONTENT_TYPE, Component.CONTENT_ENCODING),
          Duration.ofMinutes(5),
          Duration.ofMinutes(5));

  /** Returns a policy with another tolerance, to both sides. */
  public SignaturePolicy withTolerance(Duration tolerance) {
    return new SignaturePolicy(required, ifPresent, tolerance, tolerance);
  }

  /** Returns a policy that accepts signatures up to that age. */
  public SignaturePolicy withMaxAge(Duration age) {
    return new SignaturePolicy(required, ifPresent, age, maxAhead);
  }

  /** The components that a signer of this request covers. */
  List<String> components(RequestHead head) {
    return Stream.concat(
            required.stream(), ifPresent.stream().filter(name -> !head.values(name).isEmpty()))
        .toList();
  }

  void require(List<String> covered, RequestHead head) throws SignatureRefusedException {
    List<String> expected = components(head);
    for (String name : expected) {
      if (!covered.contains(name)) {
        throw new SignatureRefusedException(
            RefusalReason.MISSING_COMPONENT,
            "The signature does not cover %s: cover %s".formatted(name, words(expected)));
      }
    }
    for (String name : covered) {
      if (ifPresent.contains(name) && !expected.contains(name)) {
        throw new SignatureRefusedException(
            RefusalReason.MISSING_COMPONENT,
            "The signature covers %s, but the request has no such header: send it, or do not cover it"
                .formatted(name));
      }
      if (!expected.contains(name)) {
        // Its name may be anything, so the message does not repeat it.
        throw new SignatureRefusedException(
            RefusalReason.UNSUPPORTED_COMPONENT,
            "The signature covers more than this gateway accepts: cover exactly "
                + words(expected));
      }
    }
  }

  private static String words(List<String> names) {
    return String.join(", ", names);
  }
}
