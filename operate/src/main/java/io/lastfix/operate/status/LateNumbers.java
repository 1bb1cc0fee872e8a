package io.lastfix.operate.status;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.QueryTimeLimitException;
import io.lastfix.store.query.numbers.LateQueries;
import io.lastfix.store.query.numbers.LateRecords;
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
 * @param unknown why that is not known; empty: it is
 */
public record LateNumbers(List<Kind> kinds, @JsonIgnore Optional<Unknown> unknown) {
  /**
   * Why it is not known what is missing.
   *
   * @param isReported whether the user reads elsewhere that MongoDB does not answer
   */
  record Unknown(String problem, boolean isReported) {}

  /**
   * How long they may wait: for some three hours, the stream may still rewrite numbers of their
   * time; then {@code supervise} and timers look at least once an hour, or after ten times as long
   * as an analysis takes.
   */
  static final Duration PATIENCE = Duration.ofHours(12);

  /** Of a database that does not answer, and was not queried. */
  public static final LateNumbers UNKNOWN =
      new LateNumbers(List.of(), Optional.of(new Unknown("MongoDB does not answer", true)));

  /**
   * A kind that lacks some.
   *
   * @param numbers its name
   */
  public record Kind(String numbers, @JsonUnwrapped LateRecords late) {}

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
                  .map(late -> new Kind(late.getKey().text(), late.getValue()))
                  .toList(),
          Optional.empty());
    } catch (MongoAccessException | MongoException | QueryTimeLimitException e) {
      return new LateNumbers(
          List.of(), Optional.of(new Unknown(String.valueOf(e.getMessage()), false)));
    }
  }

  /** Returns why it is not known what is missing, as JSON has it; no text if it is known. */
  @JsonProperty
  public String problem() {
    return unknown.map(Unknown::problem).orElse("");
  }

  /**
   * Returns a line with what is missing and what to do; empty if nothing is, or has not waited for
   * long.
   */
  public Optional<String> text(Instant now) {
    if (unknown.isPresent()) {
      return unknown
          .filter(it -> !it.isReported())
          .map(it -> "It is not known whether records came too late: " + it.problem());
    }
    String all = kinds.stream().map(Kind::numbers).collect(Collectors.joining(", "));
    return kinds.stream()
        .map(Kind::late)
        .reduce(LateRecords::widest)
        .filter(late -> late.since().plus(PATIENCE).isBefore(now))
        .flatMap(
            late ->
                late.text(all)
                    .map(
                        text ->
                            "%s. They have waited since %s: lastfix analyze late prints why"
                                .formatted(text, late.since())));
  }
}
