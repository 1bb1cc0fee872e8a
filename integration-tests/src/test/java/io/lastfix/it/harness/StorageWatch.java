package io.lastfix.it.harness;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at History while a test does harm, and measures the longest time in which nothing was added
 * to it: the outage that a user sees. A database that does not answer adds nothing.
 */
public final class StorageWatch implements AutoCloseable {
  private static final long POLL_MILLIS = 100;
  private static final int PATIENCE_MILLIS = 1_000;

  private final MongoClient client;
  private final MongoDatabase database;
  private final String prefix;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

  private @Nullable ScheduledFuture<?> looking;

  /** Of the watcher's thread, and of {@link #longestPause} after its end. */
  private long most;

  private long grewNanos;
  private long longestNanos;

  private StorageWatch(LocationRun run) {
    client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(run.config().historyMongo().uri()))
                .applyToClusterSettings(
                    cluster ->
                        cluster.serverSelectionTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                .applyToSocketSettings(
                    socket -> socket.readTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                .build());
    database = client.getDatabase(run.config().historyMongo().database());
    prefix = run.config().history().collectionPrefix() + "_";
  }

  /** Begins to watch; counts from the first document on. */
  public static StorageWatch start(LocationRun run) {
    StorageWatch watch = new StorageWatch(run);
    watch.looking =
        watch.thread.scheduleWithFixedDelay(watch::look, 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
    return watch;
  }

  private void look() {
    long documents = documents();
    long now = System.nanoTime();
    if (documents > most) {
      if (most > 0) {
        longestNanos = Math.max(longestNanos, now - grewNanos);
      }
      most = documents;
      grewNanos = now;
    }
  }

  private long documents() {
    try {
      List<String> names = database.listCollectionNames().into(new ArrayList<>());
      return names.stream()
          .filter(name -> name.startsWith(prefix))
          .mapToLong(name -> database.getCollection(name).estimatedDocumentCount())
          .sum();
    } catch (MongoException e) {
      return 0;
    }
  }

  /**
   * Ends the watch with a last look, so that a pause that has only just ended counts. To be asked
   * when all is stored: after that, nothing being added is no outage.
   *
   * @throws ExecutionException if the watch broke off
   */
  public Duration longestPause() throws InterruptedException, ExecutionException {
    ScheduledFuture<?> looks = Objects.requireNonNull(looking);
    if (looks.isDone()) {
      looks.get();
    }
    stopLooking();
    look();
    return Duration.ofNanos(longestNanos);
  }

  private void stopLooking() {
    thread.shutdownNow();
    try {
      thread.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    stopLooking();
    client.close();
  }
}
