package io.lastfix.workload;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ImeiTest {

  @Test
  void aDeviceIsATypeCodeASerialNumberAndACheckDigit() {
    assertThat(Imei.ofDevice(791)).isEqualTo("350000000007910");
  }

  @Test
  void pastAMillionDevicesTheTypeCodeCountsUp() {
    assertThat(Imei.ofDevice(1_000_000)).startsWith("35000001000000");
  }

  @Property
  void allHaveFifteenDigitsWithAValidLuhnSum(
      @ForAll @IntRange(min = 0, max = Integer.MAX_VALUE) int number) {
    String imei = Imei.ofDevice(number);

    assertThat(imei).matches("[0-9]{15}");
    assertThat(luhnSum(imei) % 10).isZero();
  }

  /** The textbook's algorithm: from the right, double every second digit and add the digits up. */
  private static int luhnSum(String digits) {
    int sum = 0;
    for (int fromRight = 0; fromRight < digits.length(); fromRight++) {
      int value = digits.charAt(digits.length() - 1 - fromRight) - '0';
      int product = fromRight % 2 == 1 ? 2 * value : value;
      sum += product / 10 + product % 10;
    }
    return sum;
  }
}
