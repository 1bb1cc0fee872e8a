package io.lastfix.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class OpenedSizeTest {
  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  @Property(tries = 200)
  void whatIsCountedIsWhatWasCompressedAlsoInSeveralMembers(
      @ForAll @Size(max = 3000) byte[] first, @ForAll @Size(max = 3000) byte[] second)
      throws IOException {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(gzip(first));
    both.writeBytes(gzip(second));

    assertThat(OpenedSize.isGzip(both.toByteArray())).isTrue();
    assertThat(OpenedSize.of(both.toByteArray(), Long.MAX_VALUE))
        .isEqualTo(first.length + second.length);
  }

  /** Each has 20 bytes. */
  @Test
  void tenThousandsOfEmptyMembersAreCountedLikeAnyOther() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 40_000; i++) {
      all.writeBytes(gzip(new byte[0]));
    }
    all.writeBytes(gzip(new byte[7]));

    assertThat(OpenedSize.of(all.toByteArray(), Long.MAX_VALUE)).isEqualTo(7);
  }

  @Property(tries = 200)
  void countingEndsSoonAfterTheLimit(@ForAll @IntRange(min = 0, max = 200_000) int limit)
      throws IOException {
    byte[] gzip = gzip(new byte[250_000]);

    assertThat(OpenedSize.of(gzip, limit)).isBetween(limit + 1L, limit + 8192L);
  }

  @Property(tries = 500)
  void damagedGzipIsCountedAsFarAsItOpensAndNeverFails(
      @ForAll @IntRange(min = 0, max = 60) int at, @ForAll byte damage) throws IOException {
    byte[] gzip = gzip("{\"user\":\"350000000007919\",\"lat\":1,\"lon\":2}".getBytes(UTF_8));
    gzip[at % gzip.length] ^= damage;

    assertThat(OpenedSize.of(gzip, 100_000)).isBetween(0L, 100_000L + 8192);
    assertThat(OpenedSize.of(Arrays.copyOf(gzip, at % gzip.length), 100_000)).isBetween(0L, 100L);
  }
}
