package io.lastfix.parse;

import static io.lastfix.parse.Messages.ARCANUM;
import static io.lastfix.parse.Messages.JSON;
import static io.lastfix.parse.Messages.JSON_POSITION;
import static io.lastfix.parse.Messages.MLP_CGI_POS;
import static io.lastfix.parse.Messages.MLP_LTE_POS;
import static io.lastfix.parse.Messages.gzip;
import static io.lastfix.parse.Messages.mlp;
import static io.lastfix.parse.Messages.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.ShippedProfiles;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Invariant: any bytes are either parsed or rejected. */
class DecoderPropertiesTest {
  private static final List<String> PROFILES = ShippedProfiles.names();

  private static final Map<String, byte[]> SEVERAL_RECORDS =
      Map.of(
          "arcanum", utf8(Messages.arcanumEvents(ARCANUM, ARCANUM)),
          "mlp", utf8(mlp(MLP_CGI_POS, MLP_LTE_POS)),
          "json", utf8(JSON + "\n" + JSON_POSITION + "\n[" + JSON + "]"));

  private static final Map<String, byte[]> VALID =
      PROFILES.stream()
          .collect(
              Collectors.toMap(
                  Function.identity(),
                  it -> SEVERAL_RECORDS.getOrDefault(it, HostileMessages.valid(it).get(0))));

  /** One for all tries, so that a message that spoils the decoder for the next one is found too. */
  private final Map<String, RecordDecoder> decoders =
      PROFILES.stream().collect(Collectors.toMap(Function.identity(), Decoded::decoder));

  @Property(tries = 2_000)
  void anyBytesYieldARecordOrARejection(@ForAll byte @Size(max = 200) [] bytes) {
    PROFILES.forEach(profile -> assertParsedOrRejected(profile, bytes));
  }

  @Property(tries = 6_000)
  void anyChangedMessageYieldsARecordOrARejection(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int changes) {
    for (String profile : PROFILES) {
      byte[] valid = VALID.get(profile);
      assertParsedOrRejected(profile, Mutations.changed(valid, new Random(seed), changes));
    }
  }

  @Property(tries = 1_000)
  void anyChangedGzipYieldsARecordOrARejection(@ForAll long seed) {
    for (String profile : PROFILES) {
      byte[] valid = gzip(VALID.get(profile));
      assertParsedOrRejected(profile, Mutations.changed(valid, new Random(seed), 1));
    }
  }

  private void assertParsedOrRejected(String profile, byte[] message) {
    byte[] before = message.clone();
    Decoded decoded = Decoded.of(decoders.get(profile), message);
    assertThat(decoded.records.size() + decoded.rejectedRecords() + decoded.notRecords)
        .isPositive();
    assertThat(message).isEqualTo(before);
    assertThat(Decoded.of(decoders.get(profile), VALID.get(profile)).rejections).isEmpty();
  }
}
