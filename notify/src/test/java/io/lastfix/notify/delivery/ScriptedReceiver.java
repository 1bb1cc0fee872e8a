package io.lastfix.notify.delivery;

import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.notify.TestAlert;
import io.lastfix.notify.receiver.Outcome;
import io.lastfix.notify.receiver.Receiver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** The webhook "dispatch", whose answers a test gives, by user. */
final class ScriptedReceiver implements Receiver {
  private final List<String> attempts = new CopyOnWriteArrayList<>();
  private volatile boolean takesUnreadable;
  private volatile Function<String, CompletableFuture<Outcome>> script =
      user -> CompletableFuture.completedFuture(new Outcome.Delivered());

  /** From now on answers like this. */
  void answer(Function<String, CompletableFuture<Outcome>> answers) {
    script = answers;
  }

  /** From now on refuses the alerts of that user for now, and takes others. */
  void failFor(String failing) {
    answer(
        user ->
            CompletableFuture.completedFuture(
                user.equals(failing)
                    ? new Outcome.Failed("the answer was 500")
                    : new Outcome.Delivered()));
  }

  /** From now on what cannot be read is given up in its name. */
  void takeUnreadable() {
    takesUnreadable = true;
  }

  /** The users of all attempts. */
  List<String> attempts() {
    return attempts;
  }

  @Override
  public String name() {
    return "webhook-dispatch";
  }

  @Override
  public boolean takes(Action action) {
    return action.equals(TestAlert.DISPATCH);
  }

  @Override
  public boolean takesUnreadable() {
    return takesUnreadable;
  }

  @Override
  public CompletableFuture<Outcome> deliver(Alert alert, Action action) {
    attempts.add(alert.user());
    return script.apply(alert.user());
  }
}
