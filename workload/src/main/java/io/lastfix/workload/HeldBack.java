package io.lastfix.workload;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Gives all messages but the last so many; those are there once it has given all others. */
public final class HeldBack implements Iterator<OutgoingMessage> {
  private final Iterator<OutgoingMessage> all;
  private final int count;
  private final Deque<OutgoingMessage> held = new ArrayDeque<>();

  /**
   * Over those messages.
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
      throw new NoSuchElementException("Only the messages that are held back are left");
    }
    return held.remove();
  }

  /** The last messages, in their order; complete once {@link #hasNext} has said no. */
  public Iterator<OutgoingMessage> heldBack() {
    return held.iterator();
  }
}
