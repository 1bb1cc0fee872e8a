package io.lastfix.operate.rules;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which alerts a command prints.
 *
 * @param user only those of this user, as stored; null: all
 * @param from the begin of their time; null: not given
 * @param to its end; null: not given
 * @param last without a begin: the length of the time; null: not given
 * @param limit how many at most, from 1 to {@link AlertRows#MAX}
 * @param isNested as for {@link AlertRows#row}
 */
public record AlertRequest(
    @Nullable String user,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable Duration last,
    int limit,
    boolean isNested) {}
