package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  private static final String KEYID = "k1.fleet-a.00112233445566778899aabbccddeeff.1";

  @Test
  void aKeyidNamesGroupKeyGroupDeviceAndGeneration() {
    assertThat(KeyId.parse(KEYID))
        .isEqualTo(
            new KeyId("k1", "fleet-a", new DeviceId(0x0011223344556677L, 0x8899aabbccddeeffL), 1))
        .hasToString(KEYID);
  }

  @Property
  void aKeyidIsReadBack(
      @ForAll long high,
      @ForAll long low,
      @ForAll @IntRange(min = 1, max = 99_999_999) int generation) {
    KeyId keyid = new KeyId("k12", "g", new DeviceId(high, low), generation);

    assertThat(KeyId.parse(keyid.toString())).isEqualTo(keyid);
  }

  /** No two texts are one keyid, so that a device has one. */
  @Property
  void aTextThatIsReadIsTheOnlyOneOfItsKeyid(@ForAll("almostKeyids") String text) {
    KeyId keyid;
    try {
      keyid = KeyId.parse(text);
    } catch (IllegalArgumentException e) {
      return;
    }
    assertThat(keyid.toString()).isEqualTo(text);
  }

  @Provide
  Arbitrary<String> almostKeyids() {
    return Arbitraries.integers()
        .between(0, KEYID.length() - 1)
        .flatMap(
            at ->
                Arbitraries.chars()
                    .with("kK01aAfFgG.-_+ \u0661")
                    .map(c -> KEYID.substring(0, at) + c + KEYID.substring(at + 1)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "k1.fleet-a.00112233445566778899aabbccddeeff",
        "k1.fleet-a.00112233445566778899aabbccddeeff.0",
        "k1.fleet-a.00112233445566778899aabbccddeeff.01",
        "k1.fleet-a.00112233445566778899aabbccddeeff.100000000",
        "k1.fleet-a.00112233445566778899AABBCCDDEEFF.1",
        "k0.fleet-a.00112233445566778899aabbccddeeff.1",
        "k1.-a.00112233445566778899aabbccddeeff.1",
        "k1.fleet_a.00112233445566778899aabbccddeeff.1",
      })
  void aWrongKeyidIsRefused(String text) {
    assertThatThrownBy(() -> KeyId.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theSameUuidIsAnotherDeviceInAnotherGroup() {
    assertThat(DeviceId.derive("fleet-a", Fleet.UUID_1))
        .isEqualTo(DeviceId.derive("fleet-a", Fleet.UUID_1))
        .isNotEqualTo(DeviceId.derive("fleet-b", Fleet.UUID_1));
  }

  @Test
  void aTokenHas256RandomBitsAndIsStoredAsItsHash() {
    String token = EnrolmentToken.generate(new SecureRandom());

    assertThat(token).matches("lfe1\\.[A-Za-z0-9_-]{43}");
    assertThat(EnrolmentToken.hash(token)).matches("[0-9a-f]{64}");
    assertThat(EnrolmentToken.generate(new SecureRandom())).isNotEqualTo(token);
  }
}
