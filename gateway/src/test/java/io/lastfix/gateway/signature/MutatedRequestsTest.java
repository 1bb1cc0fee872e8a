package io.lastfix.gateway.signature;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.signature.SignedRequests.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.jspecify.annotations.Nullable;

/**
 * Signed requests, changed as an attacker without the secret may change them. One is accepted
 * exactly if it means what one of the signed ones means, by a reading of this test's own.
 */
class MutatedRequestsTest {
  private static final List<Wire> SIGNED =
      List.of(
          SignedRequests.json().signed(DigestAlgorithm.SHA_256),
          SignedRequests.json().signed(DigestAlgorithm.SHA_512),
          SignedRequests.gzipWithQuery().signed(DigestAlgorithm.SHA_256),
          SignedRequests.empty().signed(DigestAlgorithm.SHA_256));

  /** Where the meaning of a signed request is. */
  private static final List<String> MEANINGFUL =
      List.of("content-digest", "content-encoding", "content-type", "signature", "signature-input");

  /** A key of a dictionary: RFC 8941, section 3.1.2. */
  private static final Pattern LABEL = Pattern.compile("([a-z*][a-z0-9_.*-]*)=");

  private static final List<List<Object>> SIGNED_MEANINGS =
      SIGNED.stream().map(MutatedRequestsTest::meaning).toList();

  private enum Mutation {
    FLIP_IN_METHOD,
    FLIP_IN_TARGET,
    FLIP_IN_HEADER_NAME,
    FLIP_IN_HEADER_VALUE,
    FLIP_IN_SIGNATURE_INPUT,
    FLIP_IN_SIGNATURE,
    FLIP_IN_CONTENT,
    FLIP_IN_CONTENT_AND_NEW_DIGEST,
    INSERT_IN_TARGET,
    INSERT_IN_HEADER_VALUE,
    DELETE_IN_HEADER_VALUE,
    SWAP_IN_HEADER_VALUE,
    FOLD_HEADER,
    PAD_HEADER,
    REPEAT_HEADER,
    REMOVE_HEADER,
    RENAME_HEADER,
    SWAP_HEADER_VALUES,
    ADD_HEADER,
    CHANGE_CASE_OF_NAME,
    CHANGE_CASE_OF_VALUE,
    APPEND_TO_CONTENT,
    CUT_CONTENT,
    HEADERS_OF_ANOTHER_REQUEST
  }

  private record Change(Mutation mutation, long seed) {}

  @Provide
  Arbitrary<List<Change>> changes() {
    return Combinators.combine(Arbitraries.of(Mutation.class), Arbitraries.longs())
        .as(Change::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(3);
  }

  @Property(
      tries = 100_000,
      shrinking = ShrinkingMode.BOUNDED,
      afterFailure = AfterFailureMode.RANDOM_SEED)
  void aMutatedRequestIsAcceptedOnlyIfItMeansWhatWasSigned(
      @ForAll("requests") Wire original, @ForAll("changes") List<Change> changes) {
    Wire mutated = new Wire(original);
    for (Change change : changes) {
      apply(mutated, change.mutation(), new Random(change.seed()));
    }

    assertThat(isAccepted(mutated))
        .as("%s %s %s", mutated.method, mutated.target, mutated.headers)
        .isEqualTo(SIGNED_MEANINGS.contains(meaning(mutated)));
  }

  @Provide
  Arbitrary<Wire> requests() {
    return Arbitraries.of(SIGNED);
  }

  private static boolean isAccepted(Wire wire) {
    try {
      SignedRequests.verify(wire);
      return true;
    } catch (SignatureRefusedException e) {
      assertThat(e.getMessage())
          .doesNotContain(new String(SignedRequests.SECRET, StandardCharsets.UTF_8));
      return false;
    }
  }

  /**
   * Names of headers have no case, blanks around values have no meaning, and neither has the label
   * of the signature, if it is the same in both headers (RFC 9421, section 4.1); all else has.
   */
  private static List<Object> meaning(Wire wire) {
    int question = wire.target.indexOf('?');
    String path = question < 0 ? wire.target : wire.target.substring(0, question);
    List<Object> meaning = new ArrayList<>();
    meaning.add(wire.method);
    meaning.add(path.isEmpty() ? "/" : path);
    meaning.add(question < 0 ? "" : wire.target.substring(question + 1));
    String input = label(values(wire, "signature-input"));
    boolean isSameLabel = input != null && input.equals(label(values(wire, "signature")));
    for (String name : MEANINGFUL) {
      List<String> values = values(wire, name);
      meaning.add(
          isSameLabel && name.startsWith("signature")
              ? values.get(0).substring(input.length())
              : values);
    }
    meaning.add(HexFormat.of().formatHex(wire.content));
    return meaning;
  }

  private static List<String> values(Wire wire, String name) {
    return wire.headers.stream()
        .filter(line -> line.getKey().toLowerCase(Locale.ROOT).equals(name))
        .map(line -> line.getValue().replaceAll("^[ \t]+|[ \t]+$", ""))
        .toList();
  }

  /** Returns the label of a header that is there once; null if there is none. */
  private static @Nullable String label(List<String> values) {
    Matcher label = LABEL.matcher(values.size() == 1 ? values.get(0) : "");
    return label.lookingAt() ? label.group(1) : null;
  }

  @Example
  void aLabelHasNoMeaningButIsTheSameInBothHeaders() {
    Wire both = new Wire(SIGNED.get(0));
    named(both, "signature-input", value -> value.replace("lastfix=", "lastfxi="));
    Wire one = new Wire(both);
    named(both, "signature", value -> value.replace("lastfix=", "lastfxi="));

    assertThat(isAccepted(both)).isTrue();
    assertThat(SIGNED_MEANINGS).contains(meaning(both));
    assertThat(isAccepted(one)).isFalse();
    assertThat(SIGNED_MEANINGS).doesNotContain(meaning(one));
  }

  private static void apply(Wire wire, Mutation mutation, Random random) {
    switch (mutation) {
      case FLIP_IN_METHOD -> wire.method = flip(wire.method, random);
      case FLIP_IN_TARGET -> wire.target = flip(wire.target, random);
      case FLIP_IN_HEADER_NAME ->
          change(wire, random, line -> Map.entry(flip(line.getKey(), random), line.getValue()));
      case FLIP_IN_HEADER_VALUE -> value(wire, random, value -> flip(value, random));
      case FLIP_IN_SIGNATURE_INPUT -> named(wire, "signature-input", value -> flip(value, random));
      case FLIP_IN_SIGNATURE -> named(wire, "signature", value -> flip(value, random));
      case FLIP_IN_CONTENT -> flipContent(wire, random);
      case FLIP_IN_CONTENT_AND_NEW_DIGEST -> {
        flipContent(wire, random);
        named(
            wire,
            "content-digest",
            value -> RequestSigner.contentDigest(DigestAlgorithm.SHA_256, wire.content));
      }
      case INSERT_IN_TARGET -> wire.target = insert(wire.target, random);
      case INSERT_IN_HEADER_VALUE -> value(wire, random, value -> insert(value, random));
      case DELETE_IN_HEADER_VALUE -> value(wire, random, value -> delete(value, random));
      case SWAP_IN_HEADER_VALUE -> value(wire, random, value -> swap(value, random));
      case FOLD_HEADER ->
          value(
              wire,
              random,
              value -> {
                int at = random.nextInt(value.length() + 1);
                return value.substring(0, at) + "\r\n " + value.substring(at);
              });
      case PAD_HEADER -> value(wire, random, value -> " \t" + value + " ");
      case REPEAT_HEADER -> {
        if (!wire.headers.isEmpty()) {
          wire.headers.add(wire.headers.get(random.nextInt(wire.headers.size())));
        }
      }
      case REMOVE_HEADER -> {
        if (!wire.headers.isEmpty()) {
          wire.headers.remove(random.nextInt(wire.headers.size()));
        }
      }
      case RENAME_HEADER ->
          change(
              wire,
              random,
              line ->
                  Map.entry(MEANINGFUL.get(random.nextInt(MEANINGFUL.size())), line.getValue()));
      case SWAP_HEADER_VALUES -> swapValues(wire, random);
      case ADD_HEADER ->
          wire.headers.add(
              Map.entry(
                  MEANINGFUL.get(random.nextInt(MEANINGFUL.size())),
                  List.of("gzip", "", "text/plain", "sha-256=::").get(random.nextInt(4))));
      case CHANGE_CASE_OF_NAME ->
          change(
              wire,
              random,
              line -> Map.entry(line.getKey().toUpperCase(Locale.ROOT), line.getValue()));
      case CHANGE_CASE_OF_VALUE -> value(wire, random, value -> value.toUpperCase(Locale.ROOT));
      case APPEND_TO_CONTENT -> wire.content = Arrays.copyOf(wire.content, wire.content.length + 1);
      case CUT_CONTENT ->
          wire.content = Arrays.copyOf(wire.content, Math.max(0, wire.content.length - 1));
      case HEADERS_OF_ANOTHER_REQUEST -> {
        wire.headers.clear();
        wire.headers.addAll(SIGNED.get(random.nextInt(SIGNED.size())).headers);
      }
    }
  }

  private interface Edit {
    String of(String value);
  }

  private interface LineEdit {
    Map.Entry<String, String> of(Map.Entry<String, String> line);
  }

  private static void change(Wire wire, Random random, LineEdit edit) {
    if (!wire.headers.isEmpty()) {
      int at = random.nextInt(wire.headers.size());
      wire.headers.set(at, edit.of(wire.headers.get(at)));
    }
  }

  private static void value(Wire wire, Random random, Edit edit) {
    change(wire, random, line -> Map.entry(line.getKey(), edit.of(line.getValue())));
  }

  private static void named(Wire wire, String name, Edit edit) {
    wire.headers.replaceAll(
        line ->
            line.getKey().equalsIgnoreCase(name)
                ? Map.entry(line.getKey(), edit.of(line.getValue()))
                : line);
  }

  private static void flipContent(Wire wire, Random random) {
    if (wire.content.length > 0) {
      wire.content[random.nextInt(wire.content.length)] ^= (byte) (1 << random.nextInt(8));
    }
  }

  private static void swapValues(Wire wire, Random random) {
    if (wire.headers.isEmpty()) {
      return;
    }
    int one = random.nextInt(wire.headers.size());
    int other = random.nextInt(wire.headers.size());
    Map.Entry<String, String> first = wire.headers.get(one);
    Map.Entry<String, String> second = wire.headers.get(other);
    wire.headers.set(one, Map.entry(first.getKey(), second.getValue()));
    wire.headers.set(other, Map.entry(second.getKey(), first.getValue()));
  }

  private static String flip(String text, Random random) {
    if (text.isEmpty()) {
      return text;
    }
    char[] characters = text.toCharArray();
    characters[random.nextInt(characters.length)] ^= (char) (1 << random.nextInt(8));
    return new String(characters);
  }

  private static String insert(String text, Random random) {
    int at = random.nextInt(text.length() + 1);
    return text.substring(0, at) + (char) (' ' + random.nextInt(95)) + text.substring(at);
  }

  private static String delete(String text, Random random) {
    if (text.isEmpty()) {
      return text;
    }
    int at = random.nextInt(text.length());
    return text.substring(0, at) + text.substring(at + 1);
  }

  private static String swap(String text, Random random) {
    if (text.length() < 2) {
      return text;
    }
    int at = random.nextInt(text.length() - 1);
    return text.substring(0, at) + text.charAt(at + 1) + text.charAt(at) + text.substring(at + 2);
  }
}
