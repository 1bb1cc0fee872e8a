package io.lastfix.bench.servers;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.bench.load.Latencies;
import io.lastfix.bench.measure.TimedQueryResult;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.kit.failure.RootCause;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.SightingCursor;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** N clients that send queries. */
public final class QueryLoad implements AutoCloseable {
  /** One page of {@code lastfix history}. */
  private static final int PAGE = 100;

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final long SEED = 1;
  private static final double NANOS_PER_SECOND = 1e9;

  /** The kind of query. */
  public enum Query {
    WHERE,
    HISTORY
  }

  private final LastKnownLocationQueries lastKnownLocation;
  private final HistoryQueries history;
  private final MongoClient client;
  private final List<String> users;

  /**
   * @param users that the database holds
   * @param maxClients the maximum number of concurrent clients
   */
  public QueryLoad(LocationJobConfig config, Collection<String> users, int maxClients)
      throws MongoAccessException {
    this.users = List.copyOf(users);
    client =
        MongoClientFactory.connect(
            config.historyMongo().withApplicationName("lastfix-bench-queries"), maxClients);
    MongoDatabase database = client.getDatabase(BenchDatabase.DATABASE);
    QueryOptions options = QueryOptions.within(LIMIT);
    lastKnownLocation =
        new LastKnownLocationQueries(database, config.lastKnownLocation().collection(), options);
    history = new HistoryQueries(database, config.history().collectionPrefix(), options);
  }

  /**
   * The result.
   *
   * @param perSecond answers a second
   * @param latencies of the answers, and of queries that were not answered in time
   */
  public record Answers(double perSecond, Latencies latencies) {}

  /** Runs N clients for a duration. Each sends its next query when the last one is answered. */
  public Answers run(Query query, int clients, Duration duration) throws InterruptedException {
    return run(
        clients,
        (client, began, random, latencies) -> {
          long answered = 0;
          while (System.nanoTime() < began + duration.toNanos()) {
            long sentNanos = System.nanoTime();
            sendOne(query, random);
            latencies.add(System.nanoTime() - sentNanos);
            answered++;
          }
          return answered;
        });
  }

  /**
   * Runs N clients for a duration, with queries at instants that do not depend on the answers.
   *
   * @param perSecond queries a second of all clients together
   */
  public Answers run(Query query, int clients, int perSecond, Duration duration)
      throws InterruptedException {
    double interval = NANOS_PER_SECOND / perSecond;
    return run(
        clients,
        (client, began, random, latencies) ->
            new TimedQueryResult(System::nanoTime, LockSupport::parkNanos)
                .run(
                    began + (long) (client * interval),
                    clients * interval,
                    began + duration.toNanos(),
                    () -> sendOne(query, random),
                    latencies));
  }

  /** One client's load; returns its number of answers. */
  private interface ClientLoad {
    long run(int client, long began, SplittableRandom random, Latencies latencies);
  }

  private static Answers run(int clients, ClientLoad load) throws InterruptedException {
    Latencies latencies = new Latencies();
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try {
      SplittableRandom seeds = new SplittableRandom(SEED);
      long began = System.nanoTime();
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        int client = i;
        SplittableRandom random = seeds.split();
        all.add(threads.submit(() -> load.run(client, began, random, latencies)));
      }
      long answered = 0;
      for (Future<Long> client : all) {
        answered += client.get();
      }
      return new Answers(answered / ((System.nanoTime() - began) / NANOS_PER_SECOND), latencies);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a query failed: " + RootCause.message(e), e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private void sendOne(Query query, SplittableRandom random) {
    String user = users.get(random.nextInt(users.size()));
    switch (query) {
      case WHERE -> requireFound(user, lastKnownLocation.where(user).isPresent());
      case HISTORY -> requireFound(user, readPage(user) > 0);
    }
  }

  /** An empty answer would be a fast one. */
  private static void requireFound(String user, boolean found) {
    if (!found) {
      throw new IllegalStateException("user " + user + " of the workload is not in the store");
    }
  }

  private int readPage(String user) {
    int read = 0;
    try (SightingCursor cursor = history.history(user, TimeRange.ALL, TimeOrder.NEWEST_FIRST)) {
      while (read < PAGE && cursor.hasNext()) {
        var unused = cursor.next();
        read++;
      }
    }
    return read;
  }

  @Override
  public void close() {
    client.close();
  }
}
