package io.lastfix.store.erasure;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Waits until no shard has a document of a user any more. After a chunk moves, its documents stay
 * on the donor as orphans until MongoDB deletes them there. A router neither shows nor deletes
 * orphans, so a deletion through the router does not reach them.
 *
 * @param limit time limit of the wait
 * @param progress receives, at each inspection, a line about what the command waits for
 */
record Orphans(InstantSource clock, Duration limit, Pause pause, Consumer<String> progress) {
  /** MongoDB's default of {@code orphanCleanupDelaySecs}. */
  public static final Duration USUAL_DELAY = Duration.ofMinutes(15);

  /**
   * The result of the wait.
   *
   * @param shards names of the shards without a document of the user
   * @param notSeen shards that could not be inspected, each with the reason
   * @param until instant by which MongoDB should have deleted the orphans on the shards in {@code
   *     notSeen}
   */
  public record Result(List<String> shards, List<String> notSeen, Instant until) {
    /** Returns the result for a server without shards. */
    static Result none() {
      return new Result(List.of(), List.of(), Instant.EPOCH);
    }

    /** Returns true if every shard was inspected, so that no document of the user is left. */
    public boolean isComplete() {
      return notSeen.isEmpty();
    }
  }

  /** The pause between two inspections. */
  interface Pause {
    void run() throws InterruptedException;
  }

  /**
   * Waits until every shard counts no document. If a shard rejects the user on the first query, the
   * method does not wait for that shard. Other failures may be temporary, and a shard that has
   * answered once is reachable: the method repeats these queries until the time limit.
   *
   * @param notSeen shards that could not be connected, each with the reason
   * @throws IOException if documents are left or a shard does not answer at the time limit; names
   *     the shards
   */
  Result await(List<? extends Shard> shards, List<String> notSeen)
      throws IOException, InterruptedException {
    Instant began = clock.instant();
    Instant deadline = began.plus(limit);
    List<String> silent = new ArrayList<>(notSeen);
    List<Shard> open = new ArrayList<>(shards);
    List<Shard> answered = new ArrayList<>();
    List<String> clear = new ArrayList<>();
    Duration delay = notSeen.isEmpty() ? Duration.ZERO : USUAL_DELAY;
    for (Shard shard : shards) {
      Duration ofShard = shard.orphanCleanupDelay();
      delay = ofShard.compareTo(delay) > 0 ? ofShard : delay;
    }
    // From now on no chunk can move documents of the user, since the router's deletion removed them
    // all.
    Instant until = began.plus(delay).truncatedTo(ChronoUnit.SECONDS);
    while (true) {
      List<String> left = new ArrayList<>();
      for (Shard shard : List.copyOf(open)) {
        try {
          long documents = shard.count();
          answered.add(shard);
          if (documents > 0) {
            left.add("shard %s still has %d documents".formatted(shard.name(), documents));
          } else {
            clear.add(shard.name());
            open.remove(shard);
          }
        } catch (Shard.RefusedException e) {
          if (answered.contains(shard)) {
            left.add(notCounted(shard, e));
          } else {
            silent.add("%s (%s)".formatted(shard.name(), e.getMessage()));
            open.remove(shard);
          }
        } catch (IOException e) {
          left.add(notCounted(shard, e));
        }
      }
      if (left.isEmpty()) {
        return new Result(clear.stream().sorted().toList(), List.copyOf(silent), until);
      }
      if (!clock.instant().isBefore(deadline)) {
        throw new IOException(
            ("%s. After a chunk moves, its documents stay on the former shard, where no query"
                    + " returns them. MongoDB deletes them %d s (orphanCleanupDelaySecs) after the move:"
                    + " by %s, or later if long queries delay it. Everything else is deleted")
                .formatted(
                    left.stream().sorted().collect(Collectors.joining(", ")),
                    delay.toSeconds(),
                    until));
      }
      progress.accept(
          "waiting until no shard has documents of the user: MongoDB deletes the documents of moved chunks by %s"
              .formatted(until));
      pause.run();
    }
  }

  private static String notCounted(Shard shard, IOException failure) {
    return "shard %s could not be counted (%s)".formatted(shard.name(), failure.getMessage());
  }
}
