package io.lastfix.audit.signature;

import io.lastfix.model.UserPatterns;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Proves who sent a message, from its bytes and its headers. */
@FunctionalInterface
public interface MessageProof {
  /** What is proved. */
  enum Kind {
    /** The sender. */
    PROVED,
    /** Nothing: the message says that a gateway has compared its sender's password. */
    UNPROVED,
    /** Nothing: the message has no signature, and names no proved sender. */
    UNSIGNED,
    /** That the message was changed, or that its sender is another one. */
    FORGED,
    /** Nothing: the key that signed it is not here. */
    UNKNOWN_KEY
  }

  /**
   * The proof of a message.
   *
   * @param reason a stable word, why it is forged or unknown; empty otherwise
   * @param sender the device; empty unless it is proved
   * @param speaksFor the users that the device may send records of besides itself
   */
  record Proof(Kind kind, String reason, String sender, UserPatterns speaksFor) {}

  /**
   * Judges a message.
   *
   * @param profile the profile of its topic
   */
  Proof judge(String profile, ConsumerRecord<byte @Nullable [], byte @Nullable []> message);
}
