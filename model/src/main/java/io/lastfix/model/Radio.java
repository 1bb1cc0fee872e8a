package io.lastfix.model;

import java.util.Locale;
import java.util.Optional;

/**
 * The radio access technology of a cell, spelled as OpenCellID and the Mozilla Location Service
 * spell it in the {@code radio} column.
 *
 * <p>The {@link #code()} goes into checkpoints and over the network: it never changes for a
 * constant and is never used again after a constant is removed.
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

  /** A stable number of 1 or more; 0 is free to mean "not given". */
  public int code() {
    return code;
  }

  /**
   * The constant with that code.
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
   * Reads the name of a radio, in any case. Beside the names of OpenCellID it knows the names 3GPP
   * gives the access networks (GERAN, UTRAN, E-UTRAN) and the everyday ones (WCDMA, 4G, 5G).
   *
   * @return empty for a text that names no radio we know
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
