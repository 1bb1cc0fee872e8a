package io.lastfix.model;

import java.io.Serializable;

/**
 * The id of a cell of a mobile network: mobile country code, mobile network code, area (LAC, TAC
 * or, for CDMA, NID) and cell id. The written form is {@code mcc-mnc-area-cid}, or {@code
 * mcc-mnc--cid} if the area is unknown, as in MLP's {@code lte_ci}.
 *
 * <p>Codes are numbers: the mncs "01" and "001" are the same, because the catalogues (OpenCellID,
 * MLS) write them without leading zeros.
 *
 * @param mcc mobile country code, 0 to 999 (ITU-T E.212)
 * @param mnc mobile network code, 0 to 999 (ITU-T E.212); for CDMA the system id, to 32,767
 * @param area LAC or TAC, 0 to 16,777,215 (24 bits in 5G, 3GPP TS 23.003), or {@link #NO_AREA}
 * @param cid cell id, 0 to 68,719,476,735 (36 bits, the NR cell identity of 3GPP TS 23.003)
 */
public record CellId(int mcc, int mnc, int area, long cid)
    implements Serializable, Comparable<CellId> {
  /** The {@link #area()} of a cell whose area is unknown. */
  public static final int NO_AREA = -1;

  public static final int MAX_MCC = 999;
  public static final int MAX_MNC = 32_767;
  public static final int MAX_AREA = (1 << 24) - 1;
  public static final long MAX_CID = (1L << 36) - 1;

  private static final int MNC_BITS = 15;
  private static final int CID_BITS = 36;

  /**
   * Checks the range of every part.
   *
   * @throws IllegalArgumentException if a part is out of range; names the first such part
   */
  public CellId {
    requireInRange("mcc", mcc, 0, MAX_MCC);
    requireInRange("mnc", mnc, 0, MAX_MNC);
    requireInRange("area", area, NO_AREA, MAX_AREA);
    requireInRange("cid", cid, 0, MAX_CID);
  }

  private static void requireInRange(String part, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s: expected %d to %d, found %d".formatted(part, Math.max(min, 0), max, value));
    }
  }

  /** Returns true if the area is known. */
  public boolean hasArea() {
    return area != NO_AREA;
  }

  /**
   * Returns true if the cell id is a number that phones send if they do not have the cell's: 65534,
   * Android's {@code Integer.MAX_VALUE}, or all ones in 16 (GSM), 28 (LTE), 32 or 36 bits (NR).
   * Real cells may have such a number too, so it identifies a cell only together with its area. 0
   * is like any other number: some networks use it.
   */
  public boolean cidMarksUnknown() {
    return cid == 65_534
        || cid == 65_535
        || cid == (1L << 28) - 1
        || cid == Integer.MAX_VALUE
        || cid == (1L << 32) - 1
        || cid == MAX_CID;
  }

  /**
   * Returns the key of the join: mcc, mnc and cid in one number of 61 bits. The key leaves the area
   * out, since a record may not name it.
   */
  public long lookupKey() {
    return ((long) mcc << (MNC_BITS + CID_BITS)) | ((long) mnc << CID_BITS) | cid;
  }

  /**
   * Parses {@code mcc-mnc-area-cid} or {@code mcc-mnc--cid}: decimal digits only, no signs, no
   * blanks.
   *
   * @throws IllegalArgumentException if the text is invalid; the message does not repeat the text
   */
  public static CellId parse(String text) {
    int first = text.indexOf('-');
    int second = first < 0 ? -1 : text.indexOf('-', first + 1);
    int third = second < 0 ? -1 : text.indexOf('-', second + 1);
    if (third < 0) {
      throw new IllegalArgumentException("expected mcc-mnc-area-cid or mcc-mnc--cid");
    }
    int area =
        third == second + 1 ? NO_AREA : (int) digits("area", text, second + 1, third, MAX_AREA);
    return new CellId(
        (int) digits("mcc", text, 0, first, MAX_MCC),
        (int) digits("mnc", text, first + 1, second, MAX_MNC),
        area,
        digits("cid", text, third + 1, text.length(), MAX_CID));
  }

  private static long digits(String part, String text, int from, int to, long max) {
    if (from == to) {
      throw new IllegalArgumentException(part + ": expected digits, found nothing");
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw new IllegalArgumentException(part + ": expected digits");
      }
      value = value * 10 + digit;
      if (value > max) {
        throw new IllegalArgumentException("%s: expected 0 to %d".formatted(part, max));
      }
    }
    return value;
  }

  /**
   * Compares mcc, mnc, area and cid as numbers. MongoDB compares the written form in another order.
   */
  @Override
  public int compareTo(CellId other) {
    int byNetwork = Integer.compare(mcc, other.mcc);
    if (byNetwork == 0) {
      byNetwork = Integer.compare(mnc, other.mnc);
    }
    if (byNetwork == 0) {
      byNetwork = Integer.compare(area, other.area);
    }
    return byNetwork == 0 ? Long.compare(cid, other.cid) : byNetwork;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(32).append(mcc).append('-').append(mnc).append('-');
    if (hasArea()) {
      text.append(area);
    }
    return text.append('-').append(cid).toString();
  }
}
