package io.lastfix.model.alert;

import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rule has become true for a user. Two alerts with the same user, instant, rule, version and kind
 * are the same alert. If a record caused it, a repeat is equal. If a changed fence or a silence
 * caused it, a repeat may have another record of the user.
 *
 * @param user as records name it
 * @param atMillis the timestamp of the record that began it, or when the fence was put or deleted,
 *     or the last sign before a silence, in epoch milliseconds
 * @param rule the rule's id
 * @param version the rule's version, 1 or more
 * @param confirmedMillis when it counted: {@code atMillis}, or later if the rule has {@code for};
 *     in epoch milliseconds
 * @param fence the id of the fence, of a sequence that of its last step; null if there is none
 * @param position of the record that began it; of a changed fence or silence, the user's last one;
 *     null if the user has had no record
 * @param cell of that record; null if it named none
 * @param source where the position comes from; null if there is none
 * @param accuracyMeters the radius around the position that contains the device with 95 %, more
 *     than 0; null if unknown
 * @param certainty the share of the position's circle on the side that the rule is about, 0 to 1; 1
 *     if there is no fence
 * @param counted how often the rule was true since the user's last alert and was only counted,
 *     because of {@code quiet}
 * @param then what happens with it
 */
public record Alert(
    String user,
    long atMillis,
    String rule,
    long version,
    Kind kind,
    long confirmedMillis,
    @Nullable String fence,
    Cause cause,
    @Nullable Position position,
    @Nullable CellId cell,
    @Nullable PositionSource source,
    @Nullable Double accuracyMeters,
    double certainty,
    long counted,
    List<Action> then)
    implements Serializable {
  /** Copies the list. */
  public Alert {
    then = List.copyOf(then);
  }

  /** What has become true. The {@link #text()} is part of documents and messages. */
  public enum Kind {
    /** The user came into the fence. */
    ENTERED,
    /** The user left the fence. */
    LEFT,
    /** The user is in the fence. */
    INSIDE,
    /** The user is outside of the fence. */
    OUTSIDE,
    /** An expression is true. */
    EXPR,
    /** The last step of a sequence has come. */
    SEQUENCE,
    /** The user has given no sign for too long. */
    SILENT;

    /** Returns whether it is about a fence. */
    public boolean isOfFence() {
      return this == ENTERED || this == LEFT || this == INSIDE || this == OUTSIDE;
    }

    /** Returns the name in rules, documents and messages. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the kind of that name. */
    public static Optional<Kind> find(String text) {
      return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }
  }

  /** Why it has become true. The {@link #text()} is part of documents and messages. */
  public enum Cause {
    /** A record of the user. */
    RECORD,
    /** The fence was moved or deleted. */
    FENCE_CHANGED,
    /** No record, or no sign of life, has come. */
    SILENCE;

    /** Returns the name in documents and messages. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the cause of that name. */
    public static Optional<Cause> find(String text) {
      return Arrays.stream(values()).filter(cause -> cause.text().equals(text)).findFirst();
    }
  }
}
