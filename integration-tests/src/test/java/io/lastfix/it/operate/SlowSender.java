package io.lastfix.it.operate;

import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Scenario.Message;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Sends a few messages at a time, as they would come in. */
final class SlowSender implements AutoCloseable {
  private static final int AT_ONCE = 3;
  private static final long EVERY_MILLIS = 50;

  private final LocationRun run;
  private final Iterator<Message> messages;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> sending;

  SlowSender(LocationRun run, List<Message> messages) {
    this.run = run;
    this.messages = messages.iterator();
    this.sending =
        timer.scheduleWithFixedDelay(() -> send(AT_ONCE), 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void send(int count) {
    List<Message> some = new ArrayList<>();
    while (some.size() < count && messages.hasNext()) {
      some.add(messages.next());
    }
    run.send(some);
  }

  void sendTheRest() throws Exception {
    sending.cancel(false);
    timer
        .submit(() -> send(Integer.MAX_VALUE))
        .get(LocationRun.LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
