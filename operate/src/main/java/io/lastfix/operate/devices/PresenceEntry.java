package io.lastfix.operate.devices;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.lastfix.model.device.Presence;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.access.Servers;
import io.lastfix.store.query.QueryOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A device's presence as it is printed. */
public record PresenceEntry(
    String device,
    String state,
    Instant since,
    Instant seen,
    @JsonProperty("class") @Nullable String deviceClass,
    @Nullable String sdk,
    @Nullable String manifest) {
  private static final Duration QUERY_LIMIT = Duration.ofSeconds(30);

  /**
   * Returns the presence of a device; empty if it never gave a sign of life, or if no MongoDB is
   * known.
   */
  public static Optional<PresenceEntry> find(JobSettings settings, Servers servers, String device)
      throws IOException {
    if (settings.access(servers).mongo().isEmpty()) {
      return Optional.empty();
    }
    try (QuerySession mongo =
        new QuerySession(settings.load(servers), QueryOptions.within(QUERY_LIMIT))) {
      return mongo.presence().of(device).map(PresenceEntry::of);
    }
  }

  /** Returns the entry of a stored presence. */
  public static PresenceEntry of(Presence presence) {
    return new PresenceEntry(
        presence.device(),
        presence.state().text(),
        Instant.ofEpochMilli(presence.sinceMillis()),
        Instant.ofEpochMilli(presence.seenMillis()),
        presence.description().deviceClass(),
        presence.description().sdk(),
        presence.description().manifest());
  }
}
