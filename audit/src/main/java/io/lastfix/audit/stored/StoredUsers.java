package io.lastfix.audit.stored;

import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.UserHash;
import io.lastfix.store.erasure.UserNames;

/**
 * The users' names in both collections, and the records of erased users.
 *
 * @param names under which users are stored
 * @param erased the erasure list when the audit began
 */
public record StoredUsers(UserNames names, ErasedUsers erased) {
  /** The record under its user's stored name. */
  public FoundRecord asStored(FoundRecord record) {
    String name = names.storedAs(record.user());
    return name.equals(record.user()) ? record : record.withUser(name);
  }

  /**
   * Returns whether its user was erased at or after the record's time.
   *
   * @param stored as {@link #asStored} returns it
   */
  public boolean isErased(FoundRecord stored) {
    return !erased.isEmpty() && erased.covers(UserHash.of(stored.user()), stored.timestampMillis());
  }
}
