package io.lastfix.gateway.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.kafka.ByteBudget;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Reads a body, up to the limit of bytes, and holds no more of the budget than it has memory for: a
 * client that announces a megabyte and sends a byte costs a few kilobytes.
 */
final class BodyReader implements Subscriber<HttpObject> {
  private static final int FIRST_BYTES = 4 * 1024;

  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final BodyLimit limit;
  private final long announced;
  private final ByteBudget.Share share;
  private final long head;
  private final ServiceRequestContext context;
  private final Problems problems;
  private byte[] bytes = {};
  private int length;
  private UnreadBody.@Nullable Rest rest;

  /**
   * A reader for one request.
   *
   * @param announced the content length; negative if it is not known
   * @param share of the request; holds what the head costs already
   * @param head what the head costs
   * @param context of the request
   */
  BodyReader(
      BodyLimit limit,
      long announced,
      ByteBudget.Share share,
      long head,
      ServiceRequestContext context,
      Problems problems) {
    this.limit = limit;
    this.announced = announced;
    this.share = share;
    this.head = head;
    this.context = context;
    this.problems = problems;
  }

  /** The whole body; fails with {@link RefusedException}, or as the stream does. */
  CompletableFuture<byte[]> body() {
    return body;
  }

  @Override
  public void onSubscribe(Subscription to) {
    rest = new UnreadBody.Rest(context, to);
    to.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(HttpObject part) {
    if (!(part instanceof HttpData data)) {
      return;
    }
    if (body.isDone()) {
      drop(data.length());
      return;
    }
    int needed = length + data.length();
    if (needed > limit.bytes()) {
      refuse(limit.refusal().apply(Math.max(announced, needed)));
      return;
    }
    if (needed > bytes.length && !grow(needed)) {
      refuse(problems.overloaded());
      return;
    }
    System.arraycopy(data.array(), 0, bytes, length, data.length());
    length = needed;
  }

  private boolean grow(int needed) {
    long most = announced >= needed ? announced : limit.bytes();
    int size = (int) Math.min(most, Math.max(needed, Math.max(FIRST_BYTES, 2L * bytes.length)));
    if (!share.growTo(head + size)) {
      return false;
    }
    bytes = Arrays.copyOf(bytes, size);
    return true;
  }

  private void drop(int count) {
    if (rest != null) {
      rest.drop(count);
    }
  }

  private void refuse(Problem problem) {
    drop(0);
    bytes = new byte[0];
    body.completeExceptionally(new RefusedException(problem));
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
  }
}
