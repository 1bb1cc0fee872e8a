package io.lastfix.jobs.config;

import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.TimestampLimits;
import io.lastfix.parse.UserRule;
import java.util.List;

/**
 * How the job reads messages.
 *
 * @param decoderLimits limits of a message
 * @param timestampLimits limits of a record's timestamp
 * @param userRule whose records a message may have
 * @param checkedProfiles the profiles to which {@code userRule} applies; empty: all
 */
public record ParseOptions(
    DecoderLimits decoderLimits,
    TimestampLimits timestampLimits,
    UserRule userRule,
    List<String> checkedProfiles) {
  public ParseOptions {
    checkedProfiles = List.copyOf(checkedProfiles);
  }

  /** Returns whose records a message of that profile may have. */
  public UserRule userRule(String profile) {
    return checkedProfiles.isEmpty() || checkedProfiles.contains(profile) ? userRule : UserRule.OFF;
  }
}
