package io.lastfix.bench;

import io.lastfix.workload.OutgoingMessage;
import io.lastfix.workload.Pacer;
import java.io.IOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Sends records to Kafka at a steady rate, from the moment it is made until it is closed or has
 * sent all. Its thread is a part of the load on this machine.
 */
final class LiveFeed implements AutoCloseable {
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final AtomicLong sent = new AtomicLong();
  private final Future<?> sending;
  private final AtomicLong sentByAll;
  private final Consumer<Instant> newest;
  private volatile boolean stopped;
  private volatile long newestMillis;

  /**
   * @param pacer holds it to its rate
   * @param sentByAll counts on with this one
   * @param newest told at the end the time of the newest record that was sent, if any was
   */
  LiveFeed(
      BenchTopics topics,
      String topic,
      Iterator<OutgoingMessage> messages,
      Pacer pacer,
      AtomicLong sentByAll,
      Consumer<Instant> newest) {
    this.newest = newest;
    this.sentByAll = sentByAll;
    sending =
        thread.submit(
            () -> {
              var unused = topics.push(topic, untilStopped(messages), pacer);
              return null;
            });
  }

  private Iterator<OutgoingMessage> untilStopped(Iterator<OutgoingMessage> messages) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !stopped && messages.hasNext();
      }

      @Override
      public OutgoingMessage next() {
        OutgoingMessage message = messages.next();
        message.records().forEach(record -> newestMillis = record.timestampMillis());
        sent.addAndGet(message.recordCount());
        sentByAll.addAndGet(message.recordCount());
        return message;
      }
    };
  }

  /** Records handed to Kafka's client so far. */
  long sent() {
    return sent.get();
  }

  /** Returns when Kafka has all there is to send. */
  void awaitAllSent() throws IOException {
    try {
      var unused = sending.get();
    } catch (ExecutionException e) {
      throw new IOException("sending failed: " + e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while records were sent", e);
    }
  }

  /** Stops, and returns when Kafka has all that was sent. */
  @Override
  public void close() throws IOException {
    stopped = true;
    thread.shutdown();
    awaitAllSent();
    if (newestMillis > 0) {
      newest.accept(Instant.ofEpochMilli(newestMillis));
    }
  }
}
