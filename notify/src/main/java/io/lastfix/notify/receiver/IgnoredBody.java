package io.lastfix.notify.receiver;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads a body up to a limit, and keeps nothing of it. A longer one ends the connection. */
final class IgnoredBody implements HttpResponse.BodySubscriber<Void> {
  private final long most;
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;
  private long bytes;

  IgnoredBody(long most) {
    this.most = most;
  }

  @Override
  public CompletionStage<Void> getBody() {
    return end;
  }

  @Override
  public void onSubscribe(Flow.Subscription made) {
    subscription = made;
    made.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    buffers.forEach(buffer -> bytes += buffer.remaining());
    if (bytes > most && subscription != null) {
      subscription.cancel();
      end.complete(null);
    }
  }

  @Override
  public void onError(Throwable failure) {
    end.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    end.complete(null);
  }
}
