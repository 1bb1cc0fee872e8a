package io.lastfix.jobs;

import io.lastfix.rules.follow.RuleFollower;
import io.lastfix.store.erasure.PseudonymKey;
import io.lastfix.store.erasure.UserNames;
import org.jspecify.annotations.Nullable;

/**
 * Names devices as the location job stores the users of their records.
 *
 * @param pseudonymKey null: under their own ids
 */
record StoredDeviceNames(@Nullable PseudonymKey pseudonymKey) implements RuleFollower.DeviceNames {
  @Override
  public String storedAs(String device) {
    return UserNames.of(pseudonymKey).storedAs(device);
  }
}
