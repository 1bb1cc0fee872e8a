package io.lastfix.audit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.JobDecoder.Decoded;
import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.audit.tree.TreeReader;
import io.lastfix.audit.tree.TreeReader.TreeReading;
import io.lastfix.parse.DefaultLimits;
import java.nio.charset.Charset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The job and the audit decode the same bytes to the same characters, even if byte order mark,
 * bytes and declaration contradict each other. Otherwise the audit would report a discrepancy of a
 * correct job.
 */
class XmlEncodingAgreementTest {
  private static final Charset UTF_32BE = Charset.forName("UTF-32BE");
  private static final Charset UTF_32LE = Charset.forName("UTF-32LE");
  private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");

  private static final String USER = "350000000007919";
  private static final String MARK = "\ufeff";

  /** The beginning of a message; {@code %s} is the encoding. */
  private static final List<String> DECLARATIONS =
      List.of(
          "<?xml version=\"1.0\" encoding=\"%s\"?>",
          "<?xml version='1.0' encoding = '%s' standalone='yes' ?>\n");

  private static final List<String> DECLARED =
      List.of(
          "UTF-8",
          "utf-8",
          "utf8",
          "US-ASCII",
          "us-ascii",
          "ascii",
          "ISO-8859-1",
          "latin1",
          "windows-1252",
          "cp1252",
          "UTF-16",
          "UTF-16BE",
          "UTF-16LE",
          "UTF-32",
          "UTF-32LE",
          "IBM1047",
          "nobody-knows");

  static Stream<Arguments> messages() {
    List<String> declarations =
        Stream.concat(
                Stream.of(
                    "", "<?xml version=\"1.0\"?>", "<?xml-stylesheet href=\"encoding='x'\"?>"),
                DECLARATIONS.stream().flatMap(d -> DECLARED.stream().map(d::formatted)))
            .toList();
    return Stream.of(
            UTF_8, UTF_16BE, UTF_16LE, UTF_32BE, UTF_32LE, WINDOWS_1252, ISO_8859_1, US_ASCII)
        .flatMap(
            actual ->
                declarations.stream()
                    .flatMap(
                        declaration ->
                            Stream.of("", MARK, MARK + MARK)
                                .flatMap(
                                    mark ->
                                        Stream.of(USER, "Zo\u00eb", "\u03a9")
                                            .map(
                                                user ->
                                                    Arguments.of(
                                                        actual, mark, declaration, user)))));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void bothTakeTheSameMessagesForTheSameRecords(
      Charset actual, String mark, String declaration, String user) {
    byte[] bytes = (mark + declaration + Messages.ARCANUM.replace(USER, user)).getBytes(actual);

    Decoded job = new JobDecoder(Messages.profile("arcanum"), Messages.LIMITS).decode(bytes);
    TreeReading audit = read(bytes);

    assertThat(audit.problems().isEmpty())
        .as("the audit can read it: %s", audit.problems())
        .isEqualTo(job.rejections().isEmpty());
    assertThat(audit.records()).isEqualTo(job.records());
  }

  @ParameterizedTest
  @CsvSource({
    "UTF-8, true, windows-1252",
    "UTF-8, true, UTF-16",
    "UTF-16LE, true, UTF-8",
    "UTF-16LE, false, UTF-8",
    "UTF-16BE, false, windows-1252",
    "UTF-32BE, true, UTF-8",
    "UTF-32LE, true, UTF-16",
    "UTF-32LE, false, UTF-8",
    "windows-1252, false, cp1252"
  })
  void aMarkOrZerosGoBeforeTheDeclarationAndElseTheDeclarationCounts(
      String actual, boolean isMarked, String declared) {
    String text =
        (isMarked ? MARK : "")
            + DECLARATIONS.get(0).formatted(declared)
            + Messages.ARCANUM.replace(USER, "Zo\u00eb");

    assertThat(read(text.getBytes(Charset.forName(actual))))
        .isEqualTo(new TreeReading(List.of(withUser("Zo\u00eb")), List.of(), 0));
  }

  private static FoundRecord withUser(String user) {
    FoundRecord record = Messages.RECORD;
    return new FoundRecord(
        user,
        record.mcc(),
        record.mnc(),
        record.area(),
        record.cid(),
        record.radio(),
        record.timestampMillis());
  }

  private static TreeReading read(byte[] message) {
    return TreeReader.of(Messages.profile("arcanum"), DefaultLimits.DECODER).read(message);
  }
}
