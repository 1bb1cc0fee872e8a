package io.lastfix.workload;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Returns all messages except the last N, which are available after all others. */
public final class HeldBack implements Iterator<OutgoingMessage> {
  private final Iterator<OutgoingMessage> all;
  private final int count;
  private final Deque<OutgoingMessage> held = new ArrayDeque<>();

  /**
   * Wraps those messages.
   *
   * @param count how many to hold back, 0 or more
   */
  public HeldBack(Iterator<OutgoingMessage> all, int count) {
    this.all = all;
    this.count = count;
  }

  @Override
  public boolean hasNext() {
    while (held.size() <= count && all.hasNext()) {
      held.add(all.next());
    }
    return held.size() > count;
  }

  @Override
  public OutgoingMessage next() {
    if (!hasNext()) {
      throw new NoSuchElementException("Only the held-back messages are left");
    }
    return held.remove();
  }

  /** The last messages, in order; complete once {@link #hasNext} has returned false. */
  public Iterator<OutgoingMessage> heldBack() {
    return held.iterator();
  }
}
