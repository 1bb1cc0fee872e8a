package io.lastfix.cli.common;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.query.LateQueries;
import io.lastfix.store.query.LateRecords;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.QueryTimeLimitException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the numbers of all times lack, because records came too late. {@code lastfix supervise} adds
 * them by itself: they are worth a word to the user if they have waited for that for too long.
 *
 * @param kinds each kind of numbers that lacks some
 * @param problem why that is not known; empty if it is
 */
public record LateNumbers(List<Kind> kinds, String problem) {
  /**
   * How long they may wait: for some three hours, the stream may still rewrite numbers of their
   * time; then {@code supervise} and timers look at least once an hour, or after ten times as long
   * as an analysis takes.
   */
  static final Duration PATIENCE = Duration.ofHours(12);

  /** Of a database that was not asked. */
  public static final LateNumbers UNKNOWN = new LateNumbers(List.of(), "MongoDB does not answer");

  /**
   * A kind that lacks some.
   *
   * @param numbers its name
   * @param records how many at most
   * @param from the first hour with some of them, ISO 8601
   * @param to the end of the last one
   * @param since when the first of the records was left out
   */
  public record Kind(String numbers, long records, String from, String to, String since) {}

  /** Copies the kinds. */
  public LateNumbers {
    kinds = List.copyOf(kinds);
  }

  /**
   * Queries a database, each time for as long as the limit at most. A user who may not read has a
   * problem, not a failure: a command shows other things, too.
   */
  static LateNumbers read(MongoOptions mongo, Duration limit) {
    try (MongoClient client =
        MongoClientFactory.connect(
            mongo.withApplicationName("lastfix-cli").withTimeouts(limit, limit, limit), 1)) {
      return new LateNumbers(
          new LateQueries(client.getDatabase(mongo.database()), QueryOptions.within(limit))
              .readAll().entrySet().stream()
                  .map(
                      late ->
                          new Kind(
                              late.getKey().text(),
                              late.getValue().records(),
                              late.getValue().from().toString(),
                              late.getValue().to().toString(),
                              late.getValue().since().toString()))
                  .toList(),
          "");
    } catch (MongoAccessException | MongoException | QueryTimeLimitException e) {
      return new LateNumbers(List.of(), String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns a line that says what is missing, and what to do; empty if nothing is, or has not
   * waited for long.
   */
  public Optional<String> text(Instant now) {
    if (equals(UNKNOWN)) {
      // Whoever reads this has been told that the server does not answer.
      return Optional.empty();
    }
    if (!problem.isEmpty()) {
      return Optional.of("It is not known whether records came too late: " + problem);
    }
    String all = kinds.stream().map(Kind::numbers).collect(Collectors.joining(", "));
    return kinds.stream()
        .map(
            it ->
                new LateRecords(
                    it.records(),
                    Instant.parse(it.from()),
                    Instant.parse(it.to()),
                    Instant.parse(it.since())))
        .reduce(LateRecords::widest)
        .filter(late -> late.since().plus(PATIENCE).isBefore(now))
        .flatMap(
            late ->
                late.text(all)
                    .map(
                        text ->
                            "%s. They have waited since %s: lastfix analyze late says why"
                                .formatted(text, late.since())));
  }
}
