package io.lastfix.alert;

/** All that devices have sent has come, or only what a test says. */
public final class TestUpstream implements UpstreamProgress.Opener, UpstreamProgress {
  private static final long serialVersionUID = 1;

  private volatile long untilMillis = Long.MAX_VALUE;

  /** All has come up to that instant. */
  void until(long millis) {
    untilMillis = millis;
  }

  @Override
  public UpstreamProgress open() {
    return this;
  }

  @Override
  public long untilMillis() {
    return untilMillis;
  }

  @Override
  public void close() {
    // It holds nothing open.
  }
}
