package io.lastfix.model;

import java.util.Locale;
import java.util.Optional;

/**
 * The radio access technology of a cell. The constants have the names that OpenCellID and the
 * Mozilla Location Service use in the {@code radio} column.
 *
 * <p>The {@link #code()} is part of checkpoints and of network formats. A constant's code never
 * changes, and no other constant reuses the code of a removed one.
 */
public enum Radio {
  GSM(1),
  CDMA(2),
  UMTS(3),
  LTE(4),
  NR(5);

  private static final Radio[] BY_CODE = {null, GSM, CDMA, UMTS, LTE, NR};

  private final int code;

  Radio(int code) {
    this.code = code;
  }

  /** Returns a stable number, 1 or more; 0 is free for "not given". */
  public int code() {
    return code;
  }

  /**
   * Returns the constant with that code.
   *
   * @throws IllegalArgumentException if no constant has it
   */
  public static Radio ofCode(int code) {
    if (code < 1 || code >= BY_CODE.length) {
      throw new IllegalArgumentException("Unknown radio code " + code);
    }
    return BY_CODE[code];
  }

  /**
   * Parses the name of a radio, ignoring case. It accepts the names of OpenCellID, 3GPP's names of
   * the access networks (GERAN, UTRAN, E-UTRAN) and everyday names (WCDMA, 4G, 5G).
   *
   * @return empty if the name is unknown
   */
  public static Optional<Radio> parse(String text) {
    return switch (text.trim().toUpperCase(Locale.ROOT)) {
      case "GSM", "GERAN", "2G" -> Optional.of(GSM);
      case "CDMA" -> Optional.of(CDMA);
      case "UMTS", "UTRAN", "WCDMA", "3G" -> Optional.of(UMTS);
      case "LTE", "EUTRAN", "E-UTRAN", "4G" -> Optional.of(LTE);
      case "NR", "5G", "NGRAN", "NG-RAN" -> Optional.of(NR);
      default -> Optional.empty();
    };
  }
}
