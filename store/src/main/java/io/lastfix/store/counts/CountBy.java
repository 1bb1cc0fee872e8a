package io.lastfix.store.counts;

import java.util.Locale;

/**
 * By what records are counted. Each record is in exactly one group of each of these, so the groups
 * of a window add up to all its records. None is a person: a count of one would be personal data
 * that an erasure has to find.
 */
public enum CountBy {
  /** All records; the group is {@code all}. */
  TOTAL,
  /** The cell as the record named it, {@code mcc-mnc-area-cid}. */
  CELL,
  /** The S2 cell of the record's position, as its token, at the configured level. */
  AREA,
  /** The network of the record's cell, {@code mcc-mnc}. */
  NETWORK,
  /** Where the position comes from: {@code cell}, {@code gnss}, {@code network}, {@code mlp}. */
  SOURCE;

  /** The group of records that do not have what they are counted by. */
  public static final String NONE = "none";

  /** The only group of {@link #TOTAL}. */
  public static final String ALL = "all";

  private final String text = name().toLowerCase(Locale.ROOT);

  /** Returns the name in documents, messages and the configuration. */
  public String text() {
    return text;
  }

  /**
   * Returns the constant with that name.
   *
   * @throws IllegalArgumentException if there is none; names those that there are
   */
  public static CountBy ofText(String text) {
    return ConstantTexts.find(values(), CountBy::text, text);
  }
}
