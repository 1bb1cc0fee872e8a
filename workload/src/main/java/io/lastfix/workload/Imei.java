package io.lastfix.workload;

import java.nio.charset.StandardCharsets;

/**
 * Device identities of 3GPP TS 23.003: a type allocation code of 8 digits, a serial number of 6,
 * and a check digit by Luhn.
 */
final class Imei {
  private static final long FIRST = 35_000_000_000_000L; // TAC 35000000, serial 000000
  private static final int BODY_DIGITS = 14;

  private Imei() {}

  /**
   * The device with that number, from 0 on; every million devices have the next type allocation
   * code.
   */
  static String ofDevice(int number) {
    byte[] digits = new byte[BODY_DIGITS + 1];
    long rest = FIRST + number;
    int sum = 0;
    for (int i = BODY_DIGITS - 1; i >= 0; i--) {
      int digit = (int) (rest % 10);
      rest /= 10;
      digits[i] = (byte) ('0' + digit);
      boolean doubled = i % 2 == 1; // every second digit, from the one beside the check digit
      sum += !doubled ? digit : digit < 5 ? 2 * digit : 2 * digit - 9;
    }
    digits[BODY_DIGITS] = (byte) ('0' + (10 - sum % 10) % 10);
    return new String(digits, StandardCharsets.US_ASCII);
  }
}
