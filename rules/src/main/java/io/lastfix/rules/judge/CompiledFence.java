package io.lastfix.rules.judge;

import io.lastfix.rules.fence.FenceShape;
import io.lastfix.rules.topic.RuleMessage;

/** A fence of a book, with its geometry. */
record CompiledFence(RuleMessage.OfFence message, FenceShape shape) {
  long version() {
    return message.version();
  }
}
