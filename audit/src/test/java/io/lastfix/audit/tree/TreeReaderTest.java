package io.lastfix.audit.tree;

import static io.lastfix.audit.Messages.ARCANUM;
import static io.lastfix.audit.Messages.RECORD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.Messages;
import io.lastfix.audit.tree.TreeReader.TreeReading;
import io.lastfix.model.Radio;
import io.lastfix.parse.DecoderLimits;
import io.lastfix.workload.Gzip;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeReaderTest {
  private static final int MAX_BYTES = 100_000;
  private static final int LARGE_BYTES = 16 << 20;
  private static final int MAX_DEPTH = 64;
  private static final int MAX_RECORDS = 100;

  private static final String MLP =
      """
      <svc_result ver="3.4.0"><slia ver="3.4.0"><pos>
        <msid type="IMSI">234100000104729</msid><msid>447700900123</msid>
        <pd><time utc_off="+0100">20261120130001</time></pd>
        <gsm_net_param><cgi><mcc>234</mcc><mnc>10</mnc><lac>4021</lac><cellid>20911362</cellid></cgi></gsm_net_param>
      </pos></slia></svc_result>
      """;

  @Test
  void readsAnArcanumEvent() {
    assertThat(read("arcanum", ARCANUM)).isEqualTo(only(RECORD));
  }

  @Test
  void readsSeveralEventsInTheirOrderWhateverThePrefix() {
    String second = ARCANUM.replace("350000000007919", " \n2 ").replaceAll("<(/?)(\\w)", "<$1x:$2");

    assertThat(read("arcanum", "<events xmlns:x=\"urn:x\">" + ARCANUM + second + "</events>"))
        .isEqualTo(new TreeReading(List.of(RECORD, withUser("2")), List.of(), 0));
  }

  @Test
  void takesTheNextAlternativeWhereTheFirstIsEmpty() {
    assertThat(read("arcanum", ARCANUM.replace("350000000007919", " ")))
        .isEqualTo(only(withUser("234100000104729")));
  }

  @Test
  void joinsTextAcrossCommentsAndCdata() {
    assertThat(read("arcanum", ARCANUM.replace("350000000007919", "35<!-- x --><![CDATA[&7]]>")))
        .isEqualTo(only(withUser("35&7")));
  }

  @Test
  void readsMlpWithTheBestTypeOfSubscriberAndAnOffset() {
    assertThat(read("mlp", MLP))
        .isEqualTo(
            only(
                new FoundRecord(
                    "447700900123",
                    234,
                    10,
                    4021,
                    20911362,
                    null,
                    Instant.parse("2026-11-20T12:00:01Z").toEpochMilli())));
  }

  @Test
  void readsMlpWithALteCellThatHasNoArea() {
    String lte =
        MLP.replaceAll(
            "<gsm_net_param>.*</gsm_net_param>",
            "<serving_cell><mcc>234</mcc><mnc>10</mnc><lte_ci>7</lte_ci></serving_cell>");

    FoundRecord record = read("mlp", lte).records().get(0);

    assertThat(record.cell()).isEqualTo("234-10--7");
    assertThat(record.radio()).isEqualTo(Radio.LTE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"user\":\"u\",\"cell\":{\"mcc\":1,\"mnc\":\"02\",\"cid\":3},\"ts\":1795176001001}",
        "{\"user\":\"u\",\"cell\":\"1-2--3\",\"ts\":\"2026-11-20T12:00:01.001Z\"}",
        "[[{\"user\":\" u \",\"cell\":\"1-02--3\",\"ts\":\"2026-11-20t13:00:01.0019+01\"}]]",
        "{\"user\":\"u\",\"cell\":\"1-2--3\",\"ts\":\"1795176001001\",\"more\":[{\"user\":1e999}]}",
        "\n{\"user\":\"u\",\"cell\":\"1-2--3\",\"ts\":\"2026-11-20T17:30:01.001+0530\"}\n"
      })
  void readsJsonHoweverItIsWritten(String message) {
    assertThat(read("json", message))
        .isEqualTo(only(new FoundRecord("u", 1, 2, -1, 3, null, 1_795_176_001_001L)));
  }

  @Test
  void readsAUserThatIsANumberAsItIsWritten() {
    String message = "{\"user\":-0,\"cell\":\"1-2--3\",\"ts\":1}";

    assertThat(read("json", message).records().get(0).user()).isEqualTo("-0");
  }

  @Test
  void readsNewlineDelimitedAndGzippedJson() {
    String line = "{\"user\":\"u\",\"cell\":\"1-2--3\",\"ts\":1}\n";
    byte[] zipped = Gzip.compress((line + line).getBytes(UTF_8));

    assertThat(reader("json").read(zipped).records()).hasSize(2);
  }

  /** As the job does, which reads one member after the other. */
  @Test
  void readsWhatFollowsTenThousandsOfEmptyGzipMembersAndRefusesWhatIsNone() {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    for (int i = 0; i < 40_000; i++) {
      zipped.writeBytes(Gzip.compress(new byte[0]));
    }
    zipped.writeBytes(
        Gzip.compress("{\"user\":\"u\",\"cell\":\"1-2--3\",\"ts\":1}".getBytes(UTF_8)));
    assertThat(reader("json").read(zipped.toByteArray()).records()).hasSize(1);

    zipped.write(0);
    assertThat(reader("json").read(zipped.toByteArray()).problems()).containsExactly("not gzip");
  }

  @Test
  void aBadRecordIsAProblemAndTheOthersAreRead() {
    String good = "{\"user\":\"u\",\"cell\":\"1-2--3\",\"ts\":1}";

    TreeReading reading =
        read(
            "json",
            "[%s,{\"user\":\"secret\",\"cell\":\"1-2--x\",\"ts\":1},%s]".formatted(good, good));

    assertThat(reading.records()).hasSize(2);
    assertThat(reading.problems()).containsExactly("record 2: cid: expected digits");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\u0000b", "a\\u007fb", "a\\u0085b", "a\\ud83db", "a\\udd25b"})
  void aUserWithAControlCharacterOrHalfASurrogatePairIsAProblem(String user) {
    TreeReading reading = read("json", "{\"user\":\"" + user + "\",\"cell\":\"1-2--3\",\"ts\":1}");

    assertThat(reading.records()).isEmpty();
    assertThat(reading.problems())
        .containsExactly("record 1: user: expected text without control characters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<events/>",
        "<event>",
        "<!DOCTYPE event [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><event>&x;</event>",
        "\u0000"
      })
  void aMessageThatIsNoRecordIsAProblem(String message) {
    TreeReading reading = read("arcanum", message);

    assertThat(reading.records()).isEmpty();
    assertThat(reading.problems()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE event>",
        "<!DOCTYPE event SYSTEM 'file:///dev/zero'>",
        "<!-- a --><!DOCTYPE event\nPUBLIC \"-//x//y\" \"http://127.0.0.1:1/x.dtd\" >"
      })
  void aDocumentTypeIsSkippedWhateverItNames(String type) {
    assertThat(read("arcanum", type + ARCANUM.replaceFirst("<\\?.*?\\?>", "")))
        .isEqualTo(only(RECORD));
    assertThat(read("arcanum", type + "<event>&x;</event>").problems()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!ENTITY x 'y'>",
        "<!ENTITY x SYSTEM 'file:///etc/hostname'>",
        "<!ENTITY % x 'y'>%x;",
        "<!ELEMENT a ANY>",
        "<!ATTLIST a b CDATA 'c'>",
        "<!NOTATION a SYSTEM 'b'>",
        "<!-- c -->"
      })
  void anInternalSubsetIsAProblem(String subset) {
    assertThat(read("arcanum", "<!DOCTYPE e SYSTEM 'e' [" + subset + "]><event/>").problems())
        .containsExactly("document type declaration with an internal subset");
  }

  @Test
  void whatTheProfileKnowsToBeNoRecordIsCounted() {
    String lwt = "{\"_type\":\"lwt\",\"tst\":1}";
    assertThat(read("owntracks", "[" + lwt + "," + lwt + "]"))
        .isEqualTo(new TreeReading(List.of(), List.of(), 2));
    assertThat(read("owntracks", "{\"_type\":{},\"tst\":1}").problems())
        .containsExactly("record 1: the kind of the message: missing");
  }

  @Test
  void depthAndSizeAreBounded() {
    byte[] zipped = Gzip.compress(new byte[MAX_BYTES + 1]);

    assertThat(read("arcanum", "<a>".repeat(65) + "</a>".repeat(65)).problems())
        .containsExactly("elements nested deeper than 64");
    assertThat(read("json", "[".repeat(65) + "]".repeat(65)).problems()).hasSize(1);
    assertThat(reader("json").read(zipped).problems())
        .containsExactly("inflates to more than 100000 bytes");
    assertThat(reader("json").read(null).problems()).hasSize(1);
  }

  @Test
  void aMessageOfMoreRecordsThanAllowedIsOneProblemAndNoneIsRead() {
    String many = "1,".repeat(MAX_RECORDS);

    assertThat(read("json", "[" + many + "1]"))
        .isEqualTo(new TreeReading(List.of(), List.of("more than 100 records"), 0));
    assertThat(read("json", "[" + many.substring(0, many.length() - 1) + "]").problems())
        .hasSize(MAX_RECORDS);
    assertThat(read("arcanum", "<a>" + "<event/>".repeat(MAX_RECORDS + 1) + "</a>").problems())
        .containsExactly("more than 100 records");
  }

  @Test
  void whatNoPathOfTheProfileLeadsToIsNotKept() {
    String json = "{\"more\":[%s 1],\"user\":\"u\",\"cell\":\"1-2--3\",\"ts\":1}";

    assertThat(bytesToRead("json", json, "1,", 1)).isLessThan(LARGE_BYTES);
    assertThat(
            bytesToRead("arcanum", ARCANUM.replace("<cell>", "<m>%s</m><cell>"), "<a b=\"\"/>", 1))
        .isLessThan(LARGE_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"<a/>", "<a> x</a>"})
  void ofAShapeBeyondTheLimitsLittleIsKept(String ballast) {
    String message =
        "<slia><pos><msid>7</msid><pd><time>20261120120001</time><shape>%s</shape></pd></pos></slia>";

    assertThat(bytesToRead("mlp", message, ballast, 0)).isLessThan(2 * LARGE_BYTES);
  }

  /** The job takes a sign for no digit, which Java's decoder does. */
  @ParameterizedTest
  @ValueSource(strings = {"%+1", "%-0", "%1", "%", "%g1"})
  void whatIsNoEscapeIsAProblem(String escape) {
    assertThat(read("osmand", "id=7&timestamp=1795176001&lat=1&lon=2&x=" + escape).problems())
        .containsExactly("expected two hexadecimal digits");
  }

  /** The bytes allocated for reading a large message, which repeats the ballast. */
  private static long bytesToRead(String profile, String message, String ballast, int records) {
    byte[] content =
        message.formatted(ballast.repeat((LARGE_BYTES - 1_000) / ballast.length())).getBytes(UTF_8);
    TreeReader reader = TreeReader.of(Messages.profile(profile), limits(LARGE_BYTES));
    long before = allocatedBytes();
    assertThat(reader.read(content).records()).hasSize(records);
    return allocatedBytes() - before;
  }

  private static long allocatedBytes() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"<%1$s>x</%1$s>", "<more %1$s=\"x\"/>"})
  void aNameMayBeAsLongAsTheMessage(String more) {
    String message = ARCANUM.replace("<cell>", more.formatted("n".repeat(5_000)) + "<cell>");

    assertThat(read("arcanum", message)).isEqualTo(only(RECORD));
  }

  private static TreeReading read(String profile, @Nullable String message) {
    return reader(profile).read(message == null ? null : message.getBytes(UTF_8));
  }

  private static TreeReader reader(String profile) {
    return TreeReader.of(Messages.profile(profile), limits(MAX_BYTES));
  }

  private static DecoderLimits limits(int maxDecompressedBytes) {
    return new DecoderLimits(
        maxDecompressedBytes, maxDecompressedBytes, MAX_RECORDS, MAX_DEPTH, 256, 100);
  }

  private static FoundRecord withUser(String user) {
    return new FoundRecord(
        user,
        RECORD.mcc(),
        RECORD.mnc(),
        RECORD.area(),
        RECORD.cid(),
        RECORD.radio(),
        RECORD.timestampMillis());
  }

  private static TreeReading only(FoundRecord record) {
    return new TreeReading(List.of(record), List.of(), 0);
  }
}
