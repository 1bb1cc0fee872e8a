package io.lastfix.model;

import java.util.Arrays;

/**
 * Where a position comes from.
 *
 * <p>The {@link #text()} is what documents and profiles contain; the {@link #code()} is part of
 * checkpoints. Neither ever changes.
 */
public enum PositionSource {
  /** The position of the record's cell, from the catalogue. */
  CELL(0, "cell"),
  /** A satellite receiver of the device. */
  GNSS(1, "gnss"),
  /** The device's own estimate from cells and wireless networks nearby. */
  NETWORK(2, "network"),
  /** A location server's answer in OMA MLP. */
  MLP(3, "mlp");

  private static final PositionSource[] BY_CODE = values();

  private final int code;
  private final String text;

  PositionSource(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /** Returns a stable number, 0 or more. */
  public int code() {
    return code;
  }

  /** Returns a stable name in lower case. */
  public String text() {
    return text;
  }

  /**
   * Returns the constant with that code.
   *
   * @throws IllegalArgumentException if no constant has it
   */
  public static PositionSource ofCode(int code) {
    if (code < 0 || code >= BY_CODE.length) {
      throw new IllegalArgumentException("Unknown position source " + code);
    }
    return BY_CODE[code];
  }

  /**
   * Returns the constant with that name.
   *
   * @throws IllegalArgumentException if no constant has it; the message names those that exist
   */
  public static PositionSource ofText(String text) {
    return Arrays.stream(BY_CODE)
        .filter(source -> source.text.equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "source: expected cell, gnss, network or mlp, found " + text));
  }
}
