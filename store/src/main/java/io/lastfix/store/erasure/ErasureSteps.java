package io.lastfix.store.erasure;

import io.lastfix.store.erasure.ErasureListCollection.Added;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The steps of an erasure in MongoDB, so that a test can run {@link Erasure} without a server. */
interface ErasureSteps {
  List<UserHash> hashes();

  Instant until(Instant latestAccepted);

  Added addToList(Instant until);

  ErasureAudit audit();

  long count(Instant until);

  Map<String, Long> delete(Instant until) throws IOException;

  Orphans.Result awaitShards(Instant until, Duration shardLimit, Consumer<String> progress)
      throws IOException, InterruptedException;

  Optional<Instant> newest();
}
