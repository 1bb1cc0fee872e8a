package io.lastfix.operate.devices;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.lastfix.model.device.Presence;
import java.time.Instant;
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
