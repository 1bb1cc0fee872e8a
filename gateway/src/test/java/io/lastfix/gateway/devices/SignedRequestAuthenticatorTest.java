package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.gateway.devices.RegistrationAnswer.Registered;
import io.lastfix.gateway.signature.DigestAlgorithm;
import io.lastfix.gateway.signature.RefusalReason;
import io.lastfix.gateway.signature.RequestHead;
import io.lastfix.gateway.signature.RequestSigner;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.gateway.signature.SignatureRefusedException;
import io.lastfix.gateway.signature.SignatureVerifier;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SignedRequestAuthenticatorTest {
  private static final byte[] CONTENT = "{\"user\":\"u\"}".getBytes(StandardCharsets.UTF_8);

  private final Fleet fleet = new Fleet();
  private final SignedRequestAuthenticator authenticator =
      new SignedRequestAuthenticator(
          fleet.devices, fleet.keys, new SignatureVerifier(SignaturePolicy.OF_DEVICES));
  private final Registered device = fleet.registered(Fleet.TOKEN_A, Fleet.phone(Fleet.UUID_1));

  @Test
  void aRegisteredDeviceIsKnownByItsSignature() throws SignatureRefusedException {
    AuthenticatedDevice authenticated =
        authenticator.authenticate(signed(device), CONTENT, Fleet.NOW);

    assertThat(authenticated.device()).isEqualTo(device.device());
    assertThat(authenticated.keyid().group()).isEqualTo("fleet-a");
    assertThat(authenticated.signature().evidence().headers())
        .containsEntry("method", "POST")
        .containsEntry("path", "/v1/records/json")
        .containsKeys("signature", "signature-input", "content-digest");
  }

  @Test
  void aDeviceThatAnotherGatewayRegisteredIsKnownBeforeItsMessageArrives()
      throws SignatureRefusedException {
    Registered elsewhere = new Fleet().registered(Fleet.TOKEN_A, "{\"class\":\"x\"}");

    assertThat(authenticator.authenticate(signed(elsewhere), CONTENT, Fleet.NOW).device())
        .isEqualTo(elsewhere.device());
  }

  @Test
  void otherContentIsRefused() {
    assertRefused(
        () -> authenticator.authenticate(signed(device), new byte[1], Fleet.NOW),
        RefusalReason.WRONG_DIGEST,
        "The content does not have the sha-256 of Content-Digest");
  }

  @Test
  void aDisabledDeviceIsForbidden() {
    decide(new DeviceState(1, true));

    assertRefused(
        () -> authenticator.authenticateHead(signed(device), Fleet.NOW),
        RefusalReason.DEVICE_DISABLED,
        "The device is disabled: only an administrator can enable it");
  }

  @Test
  void whetherADeviceIsDisabledIsToldToItselfOnly() {
    decide(new DeviceState(1, true));
    byte[] otherSecret = new byte[32];

    assertRefused(
        () ->
            authenticator.authenticateHead(
                signed(device.keyid().toString(), otherSecret), Fleet.NOW),
        RefusalReason.WRONG_SIGNATURE,
        "The signature is not that of this request");
  }

  @Test
  void aReplacedSecretIsRefusedAndTheNewOneAccepted() throws SignatureRefusedException {
    RequestHead before = signed(device);
    decide(new DeviceState(2, false));

    assertRefused(
        () -> authenticator.authenticateHead(before, Fleet.NOW),
        RefusalReason.REVOKED_GENERATION,
        "The device's secret was replaced: register again with POST /v1/devices");
    Registered again = fleet.registered(Fleet.TOKEN_A, Fleet.phone(Fleet.UUID_1));
    assertThat(authenticator.authenticateHead(signed(again), Fleet.NOW).device())
        .isEqualTo(device.device());
  }

  @Test
  void twoGroupKeysAreValidAtOnceAndTheThirdEndsTheFirst() throws SignatureRefusedException {
    RequestHead before = signed(device);
    Group rotated = Fleet.A.withNextKey(Fleet.NOW);
    fleet.devices.apply(new DevicesMessage.OfGroup("fleet-a", rotated));
    Registered again = fleet.registered(Fleet.TOKEN_A, Fleet.phone(Fleet.UUID_1));

    assertThat(authenticator.authenticateHead(before, Fleet.NOW).device())
        .isEqualTo(device.device());
    assertThat(authenticator.authenticateHead(signed(again), Fleet.NOW).device())
        .isEqualTo(device.device());
    fleet.devices.apply(
        new DevicesMessage.OfGroup("fleet-a", rotated.withCurrentKeyOnly(Fleet.NOW)));
    assertRefused(
        () -> authenticator.authenticateHead(before, Fleet.NOW),
        RefusalReason.UNKNOWN_KEY,
        "Signature-Input: the keyid names no group key that is valid here");
  }

  @Test
  void aKeyidOfAnotherFormIsRefused() {
    for (String keyid : List.of("", "x", "k1.fleet-a.00.1", device.keyid() + ".1")) {
      assertRefused(
          () -> authenticator.authenticateHead(signed(keyid, new byte[32]), Fleet.NOW),
          RefusalReason.UNKNOWN_KEY,
          "Signature-Input: the keyid is not of the form that a registration returns");
    }
  }

  @Test
  void aGroupKeyThatCannotBeReadHereRefusesTheRequestInsteadOfFailing() {
    SignedRequestAuthenticator broken =
        new SignedRequestAuthenticator(
            fleet.devices,
            new GroupKeys(null, Map.of("LASTFIX_GROUP_KEY_FLEET_A_K1", "short"), Fleet.CLOCK),
            new SignatureVerifier(SignaturePolicy.OF_DEVICES));

    for (int i = 0; i < 2; i++) {
      assertRefused(
          () -> broken.authenticateHead(signed(device), Fleet.NOW),
          RefusalReason.GROUP_KEY_ABSENT,
          "This gateway lacks the key k1 of group fleet-a: send the request again later");
    }
    assertThat(RefusalReason.GROUP_KEY_ABSENT.status()).isEqualTo(503);
  }

  @Test
  void aBodyThatTakesLongMakesNoSignatureTooOldButARevocationMeanwhileCounts()
      throws SignatureRefusedException {
    RequestHead head = signed(device);
    // The body is whole much later, when the signature would be too old.
    Instant received = Fleet.NOW.plusSeconds(299);

    assertThat(authenticator.authenticate(head, CONTENT, received).device())
        .isEqualTo(device.device());
    decide(new DeviceState(1, true));
    assertRefused(
        () -> authenticator.authenticate(head, CONTENT, received),
        RefusalReason.DEVICE_DISABLED,
        "The device is disabled");
  }

  @Test
  void withoutTheNewestDecisionsNoSignatureCounts() {
    fleet.devices.readyIf(() -> false);

    assertRefused(
        () -> authenticator.authenticateHead(signed(device), Fleet.NOW),
        RefusalReason.DECISIONS_UNKNOWN,
        "This gateway does not hear of decisions about devices at present");
    assertThat(RefusalReason.DECISIONS_UNKNOWN.status()).isEqualTo(503);
  }

  @Test
  void theSecretOfAGroupIsOfNoUseInAnother() {
    String inB = device.keyid().toString().replace("fleet-a", "fleet-b");

    assertRefused(
        () ->
            authenticator.authenticateHead(
                signed(inB, Base64.getDecoder().decode(device.secret())), Fleet.NOW),
        RefusalReason.WRONG_SIGNATURE,
        "The signature is not that of this request");
  }

  private void decide(DeviceState state) {
    fleet.devices.apply(new DevicesMessage.OfState(device.device(), state));
  }

  private static RequestHead signed(Registered device) {
    return signed(device.keyid().toString(), Base64.getDecoder().decode(device.secret()));
  }

  private static RequestHead signed(String keyid, byte[] secret) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    headers.add(Map.entry("Content-Type", "application/json"));
    RequestHead head = RequestSigner.head("POST", "/v1/records/json", headers);
    try {
      new RequestSigner("lastfix", keyid, secret, SignaturePolicy.OF_DEVICES)
          .sign(head, CONTENT, DigestAlgorithm.SHA_256, Fleet.NOW)
          .forEach((name, value) -> headers.add(Map.entry(name, value)));
    } catch (SignatureRefusedException e) {
      throw new AssertionError(e);
    }
    return RequestSigner.head("POST", "/v1/records/json", headers);
  }

  private static void assertRefused(
      ThrowingCallable request, RefusalReason reason, String message) {
    assertThatThrownBy(request)
        .isInstanceOfSatisfying(
            SignatureRefusedException.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(reason);
              assertThat(refused).hasMessageStartingWith(message);
            });
  }
}
