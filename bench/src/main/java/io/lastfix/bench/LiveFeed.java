package io.lastfix.bench;

import io.lastfix.bench.servers.BenchTopics;
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
 * Sends records to Kafka at a steady rate, from its creation until it is closed or all are sent.
 * Its thread is a part of the load on this machine.
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
   * @param pacer limits the rate
   * @param sentByAll counts the records of all feeds; this one adds its own
   * @param newest receives at the end the time of the newest record that was sent, if any
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

  /** Waits until Kafka holds all records. */
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

  /** Stops sending, and waits until Kafka holds all records that were sent. */
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
