package io.lastfix.expressions.generate;

/** A condition has a node that no code is generated for: CEL's runtime evaluates it. */
final class UnsupportedNodeException extends RuntimeException {
  UnsupportedNodeException() {
    super("no code is generated for this node");
  }
}
