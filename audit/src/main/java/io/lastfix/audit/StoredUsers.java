package io.lastfix.audit;

import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.UserHasher;
import io.lastfix.store.erasure.UserNames;

/** What users are called in both collections, and which of their records must not be there. */
final class StoredUsers {
  private final UserNames names;
  private final ErasedUsers forgotten;
  private final UserHasher hasher = new UserHasher();

  /**
   * @param forgotten the list as it was when the audit began
   */
  StoredUsers(UserNames names, ErasedUsers forgotten) {
    this.names = names;
    this.forgotten = forgotten;
  }

  /** The record under the name its user has in both collections. */
  FoundRecord asStored(FoundRecord record) {
    String name = names.storedAs(record.user());
    return name.equals(record.user()) ? record : record.withUser(name);
  }

  /**
   * Whether its user was forgotten at its moment or later.
   *
   * @param stored as {@link #asStored} gives it
   */
  boolean isForgotten(FoundRecord stored) {
    return !forgotten.isEmpty()
        && forgotten.covers(hasher.hash(stored.user()), stored.timestampMillis());
  }
}
