package io.lastfix.parse;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.RejectionReason;
import io.lastfix.model.ShippedProfiles;
import io.lastfix.parse.HostileMessages.HostileMessage;
import io.lastfix.parse.profile.Profile;
import io.lastfix.serialization.LocationRecordSerializer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile bytes through the decoders: none makes them throw, hang or allocate without bound, none
 * vanishes uncounted, none yields a record that could not be stored, and each yields the same every
 * time, whatever came before it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class HostileInputTest {
  private static final long SEED = 20261121;
  private static final List<String> PROFILES = ShippedProfiles.names();
  private static final DecoderLimits LIMITS = DefaultLimits.DECODER;

  /** With {@code -Pchaos} the long form. */
  private static final int MUTATIONS = Boolean.getBoolean("lastfix.chaos") ? 3_000_000 : 30_000;

  /** Of the thread's own CPU time, since the machine may be busy with other things. */
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /** The greatest part that gzip can make of a message: deflate's best is 1,032 to 1. */
  private static final int GZIP_FACTOR = 1_032;

  /** What a decoder may allocate for each byte that it reads, garbage included. */
  private static final int ALLOCATION_FACTOR = 16;

  /**
   * And for any message at all: readers, their buffers, exceptions; and now and then, four times in
   * three million mutated messages, 1.4 MB for Jackson's table of the names it has met, which grows
   * by copying and is thrown away at 6,000 of them.
   */
  private static final int ALLOCATION_BASE = 2 << 20;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** How many messages the second decoder sees before there is another new one. */
  private static final int MESSAGES_OF_A_DECODER = 50;

  private final Map<String, Profile> profiles = new HashMap<>();
  private final Map<String, RecordDecoder> decoders = new HashMap<>();
  private final Map<String, RecordDecoder> youngDecoders = new HashMap<>();
  private final Map<String, Integer> rejections = new TreeMap<>();
  private long messages;
  private long records;
  private long slowestNanos;
  private long mostAllocated;
  private double mostAllocatedPerByte;

  HostileInputTest() {
    for (String profile : PROFILES) {
      profiles.put(profile, Decoded.profile(profile));
      decoders.put(profile, newDecoder(profile));
    }
  }

  static List<HostileMessage> corpus() {
    return HostileMessages.all();
  }

  /** What classes take when they are loaded is not to be measured. */
  @BeforeAll
  void warmUp() {
    for (String profile : PROFILES) {
      for (byte[] valid : HostileMessages.valid(profile)) {
        Decoded.of(decoder(profile), valid);
        Decoded.of(decoder(profile), Arrays.copyOf(valid, valid.length / 2));
      }
    }
  }

  @AfterAll
  void print() {
    System.out.printf(
        "[hostile] decoders: %,d messages, %,d records, rejected %s; slowest %d ms of CPU,"
            + " most allocated %,d kB, at most %.1f bytes for each that was read%n",
        messages,
        records,
        rejections,
        TimeUnit.NANOSECONDS.toMillis(slowestNanos),
        mostAllocated / 1_000,
        mostAllocatedPerByte);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("corpus")
  void aHostileMessageYieldsWhatItShould(HostileMessage message) throws IOException {
    byte[] bytes = message.bytes();
    Decoded decoded = decodeTwice(message.profile(), bytes);
    assertThat(decoded.records).as("records").hasSize(message.records());
    assertThat(decoded.rejections.isEmpty() ? null : decoded.rejections.get(0).reason().code())
        .as("first rejection")
        .isEqualTo(message.reason());
  }

  /** What is sent to the wrong topic. */
  @Test
  void aHostileMessageIsHarmlessInEveryProfile() throws IOException {
    for (HostileMessage message : corpus()) {
      for (String profile : PROFILES) {
        if (!profile.equals(message.profile())) {
          decodeTwice(profile, message.bytes());
        }
      }
    }
  }

  @Test
  void gzipCutShortAtAnyPlaceIsMalformed() throws IOException {
    for (String profile : PROFILES) {
      for (byte[] valid : HostileMessages.valid(profile)) {
        byte[] gzip = Messages.gzip(valid);
        for (int length = 2; length < gzip.length; length++) {
          Decoded decoded = decodeTwice(profile, Arrays.copyOf(gzip, length));
          assertThat(decoded.records).isEmpty();
          assertThat(decoded.rejections)
              .extracting(Rejection::reason)
              .containsExactly(RejectionReason.MALFORMED);
        }
      }
    }
  }

  @Test
  void mutatedMessagesAreParsedOrRejected() throws IOException {
    Random random = new Random(SEED);
    Map<String, Mutations> mutations = new HashMap<>();
    PROFILES.forEach(
        profile -> mutations.put(profile, new Mutations(random, HostileMessages.valid(profile))));
    for (int i = 0; i < MUTATIONS; i++) {
      String made = PROFILES.get(i % PROFILES.size());
      String read = random.nextInt(20) == 0 ? PROFILES.get(random.nextInt(PROFILES.size())) : made;
      decodeTwice(read, mutations.get(made).next());
      if (i % 1_000 == 0) {
        // The valid ones must not have suffered.
        for (String profile : PROFILES) {
          Decoded valid = Decoded.of(decoder(profile), HostileMessages.valid(profile).get(0));
          assertThat(valid.records).hasSize(1);
          assertThat(valid.rejections).isEmpty();
        }
      }
    }
  }

  /** By the decoder that has seen all messages before, watched, and by one that has seen few. */
  private Decoded decodeTwice(String profile, byte @Nullable [] message) throws IOException {
    byte[] before = message == null ? null : message.clone();
    Decoded decoded = new Decoded();
    RecordDecoder decoder = decoder(profile);
    long thread = Thread.currentThread().getId();
    long allocated = threads.getThreadAllocatedBytes(thread);
    long nanos = threads.getCurrentThreadCpuTime();
    decoder.decode(message, decoded);
    nanos = threads.getCurrentThreadCpuTime() - nanos;
    allocated = threads.getThreadAllocatedBytes(thread) - allocated;

    assertThat(message).as("the message is left as it was").isEqualTo(before);
    assertThat(nanos).as("nanoseconds of CPU").isLessThan(LONGEST.toNanos());
    long readable = readableBytes(message);
    assertThat(allocated)
        .as("bytes allocated for %d that can be read", readable)
        .isLessThan(ALLOCATION_BASE + ALLOCATION_FACTOR * readable);
    assertThat(decoded.records.size() + decoded.rejectedRecords() + decoded.notRecords)
        .as("records and rejections")
        .isPositive();
    for (LocationRecord record : decoded.records) {
      assertCanBeStored(record);
    }
    note(decoded, nanos, allocated, readable);

    if (messages % MESSAGES_OF_A_DECODER == 0) {
      youngDecoders.clear();
    }
    Decoded again = Decoded.of(youngDecoders.computeIfAbsent(profile, this::newDecoder), message);
    assertThat(again.records).as("records, by another decoder").isEqualTo(decoded.records);
    assertThat(again.rejections).as("rejections, by another decoder").isEqualTo(decoded.rejections);
    return decoded;
  }

  private RecordDecoder newDecoder(String profile) {
    return RecordDecoder.of(
        Objects.requireNonNull(profiles.get(profile)),
        LIMITS,
        DefaultLimits.TIMESTAMP,
        () -> Messages.NOW);
  }

  private RecordDecoder decoder(String profile) {
    return Objects.requireNonNull(decoders.get(profile));
  }

  /** How much a decoder may have to read: gzip stops at the limit. */
  private static long readableBytes(byte @Nullable [] message) {
    if (message == null || message.length > LIMITS.maxMessageBytes()) {
      return 0;
    }
    return Gunzip.isGzip(message)
        ? Math.min(LIMITS.maxDecompressedBytes(), (long) GZIP_FACTOR * message.length)
        : message.length;
  }

  private void note(Decoded decoded, long nanos, long allocated, long readable) {
    messages++;
    records += decoded.records.size();
    decoded.rejections.forEach(
        rejection ->
            rejections.merge(rejection.reason().code(), rejection.records(), Integer::sum));
    slowestNanos = Math.max(slowestNanos, nanos);
    mostAllocated = Math.max(mostAllocated, allocated);
    if (allocated > ALLOCATION_BASE) {
      mostAllocatedPerByte =
          Math.max(mostAllocatedPerByte, (double) (allocated - ALLOCATION_BASE) / readable);
    }
  }

  /** The model checks the cell when it is made. */
  private static void assertCanBeStored(LocationRecord record) throws IOException {
    assertThat(record.user().length()).isBetween(1, LIMITS.maxTextLength());
    assertThat(record.user().chars()).noneMatch(Character::isISOControl);
    byte[] utf8 = record.user().getBytes(StandardCharsets.UTF_8);
    assertThat(new String(utf8, StandardCharsets.UTF_8)).isEqualTo(record.user());
    TimestampLimits limits = DefaultLimits.TIMESTAMP;
    assertThat(record.timestampMillis())
        .isBetween(limits.floor().toEpochMilli(), Messages.NOW + limits.maxAhead().toMillis());

    LocationRecordSerializer serializer = new LocationRecordSerializer();
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(record, out);
    assertThat(serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer())))
        .isEqualTo(record);
  }
}
