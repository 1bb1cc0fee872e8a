package io.lastfix.sink;

import io.lastfix.model.device.Presence;
import io.lastfix.store.presence.PresenceCollection;

/** Each device has at most one waiting write: its newest presence. */
final class PresenceBatching implements RecordBatching<Presence> {
  /**
   * Operators, field names, lengths and dates, and three texts of the longest length: a write's
   * size must not depend on what a device says, because it may join another.
   */
  private static final int MAX_BYTES_WITHOUT_DEVICE = 2_560;

  /** The device's id is there twice, each char with up to three bytes in UTF-8. */
  private static final int BYTES_PER_CHAR = 6;

  private final String collection;

  PresenceBatching(PresenceCollection collection) {
    this.collection = collection.name();
  }

  @Override
  public String collection(Presence presence) {
    return collection;
  }

  @Override
  public int maxEncodedBytes(Presence presence) {
    return MAX_BYTES_WITHOUT_DEVICE + BYTES_PER_CHAR * presence.device().length();
  }

  @Override
  public Object coalescingKey(Presence presence) {
    return presence.device();
  }

  @Override
  public boolean supersedes(Presence presence, Presence other) {
    return presence.isNewerThan(other);
  }

  /** An upsert that is sent again after the delete of its device would bring the document back. */
  @Override
  public boolean needsOrder() {
    return true;
  }
}
