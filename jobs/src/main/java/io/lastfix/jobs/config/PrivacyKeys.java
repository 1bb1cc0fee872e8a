package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.erasure.ErasureListOptions;
import io.lastfix.store.erasure.PseudonymKey;
import java.time.Duration;

/** The keys {@code forgotten.} and {@code privacy.}: the erasure list and pseudonyms. */
final class PrivacyKeys {
  static final Key<String> ERASURE_LIST_COLLECTION =
      Key.nameText(
          "forgotten.collection",
          "forgotten",
          "Collection of the erasure list, in the database of Last Known Location. It names the"
              + " users that 'lastfix forget' has erased. The command records each erasure in a second"
              + " collection with this name and '_audit'.");

  static final Key<Duration> ERASURE_LIST_REFRESH_INTERVAL =
      Key.positiveDuration(
          "forgotten.refresh-interval",
          "5 s",
          "How often a running job checks the erasure list for new users. 'lastfix forget' waits for"
              + " that check.");

  static final Key<PseudonymKey> PSEUDONYM_KEY =
      Key.anyText(
              "privacy.pseudonym-key",
              null,
              "A secret of 16 bytes or more. If it is set, the job replaces each user id with a"
                  + " pseudonym (HMAC-SHA-256) as soon as it has read a message. 'lastfix pseudonym'"
                  + " computes the pseudonym of a user. Keep the key out of this file: write ${NAME} for"
                  + " an environment variable or ${file:/path} for a file's content. Changing the key"
                  + " changes every pseudonym; data stored before can be found only with the old key.")
          .as(PseudonymKey::new)
          .secret();

  private PrivacyKeys() {}

  /**
   * Reads the keys of the erasure list.
   *
   * @param mongo connection of Last Known Location
   */
  static ErasureListOptions erasureList(
      SettingsReader reader, MongoOptions mongo, Duration retryTimeout) {
    LastKnownLocationKeys.requireOther(
        reader, ERASURE_LIST_COLLECTION, LastKnownLocationKeys.COLLECTION);
    return new ErasureListOptions(
        mongo,
        reader.get(ERASURE_LIST_COLLECTION),
        reader.get(ERASURE_LIST_REFRESH_INTERVAL),
        retryTimeout);
  }
}
