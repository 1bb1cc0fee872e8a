package io.lastfix.expressions;

import java.util.Optional;

/** Refuses the fence "lax" and the user "secret". */
public record TestLiterals() implements Literals {
  /** The only one that is needed. */
  public static final Literals ANY = new TestLiterals();

  @Override
  public Optional<String> problemOfFence(String id) {
    return id.equals("lax") ? Optional.of("there is no lax") : Optional.empty();
  }

  @Override
  public Optional<String> problemOfUser(String text, boolean isWhole) {
    return text.equals("secret")
        ? Optional.of(isWhole ? "a secret" : "a part of a secret")
        : Optional.empty();
  }
}
