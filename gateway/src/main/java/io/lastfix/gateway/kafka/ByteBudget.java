package io.lastfix.gateway.kafka;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that all requests together may hold: bodies that are being read, and bodies that wait
 * for Kafka's acknowledgement. Thread-safe.
 */
public final class ByteBudget {
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  /** A budget of that many bytes. */
  public ByteBudget(long limit) {
    this.limit = limit;
  }

  /** The size of the budget. */
  public long limit() {
    return limit;
  }

  /** The bytes that are held now; never more than the limit, never below 0. */
  public long used() {
    return used.get();
  }

  /** Returns whether that many bytes could be held now; holds none. */
  public boolean hasRoomFor(long bytes) {
    return used.get() + bytes <= limit;
  }

  /** A share for one request, which holds nothing yet. */
  public Share share() {
    return new Share();
  }

  private boolean take(long bytes) {
    long before = used.getAndUpdate(now -> now + bytes > limit ? now : now + bytes);
    return before + bytes <= limit;
  }

  /** One request's share. Grows while its body is read; given back as a whole, once. */
  public final class Share {
    private final AtomicLong held = new AtomicLong();
    private volatile boolean closed;

    private Share() {}

    /**
     * Makes the share at least that large.
     *
     * @return false if the budget is used up; the share then stays as it was
     */
    public synchronized boolean growTo(long bytes) {
      if (closed) {
        return false;
      }
      long more = bytes - held.get();
      if (more <= 0) {
        return true;
      }
      if (!take(more)) {
        return false;
      }
      held.set(bytes);
      return true;
    }

    /** Gives everything back; further calls do nothing. */
    public synchronized void release() {
      if (!closed) {
        closed = true;
        used.addAndGet(-held.get());
      }
    }
  }
}
