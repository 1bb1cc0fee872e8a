package io.lastfix.parse;

import static io.lastfix.parse.Messages.ARCANUM;
import static io.lastfix.parse.Messages.RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.aalto.in.ReaderConfig;
import com.fasterxml.aalto.stax.InputFactoryImpl;
import com.fasterxml.aalto.util.CharsetNames;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.reader.XmlNames;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlRecordDecoderTest extends RecordDecoderContract {
  @Override
  String profile() {
    return "arcanum";
  }

  @Override
  String one() {
    return ARCANUM;
  }

  @Override
  String withUser(String user) {
    return ARCANUM.replace("350000000007919", user).replace("234100000104729", "");
  }

  @Override
  String withoutUser() {
    return ARCANUM.replaceAll("<subscriber>.*</subscriber>", "");
  }

  @Override
  String withTime(String iso8601) {
    return ARCANUM.replaceAll("<timestamp>.*</", "<timestamp>" + iso8601 + "</");
  }

  @Override
  String many(String... records) {
    return Messages.arcanumEvents(records);
  }

  @Override
  String nested(int depth) {
    return "<a>".repeat(depth) + "</a>".repeat(depth);
  }

  @Override
  String withExtraText(int length) {
    return ARCANUM.replace("periodic", "&lt;".repeat(length / 4));
  }

  @Override
  String message(Charset charset) {
    return "<?xml version=\"1.0\" encoding=\""
        + charset.name().replaceAll("[BL]E$", "")
        + "\"?>"
        + ARCANUM;
  }

  @Test
  void prefixesAndNamespacesDoNotMatter() {
    String prefixed =
        ARCANUM
            .replaceAll("<(/?)(\\w)", "<$1v:$2")
            .replaceFirst("<v:event", "<v:event xmlns:v=\"urn:example:v\"");
    assertThat(decode(prefixed).records).containsExactly(RECORD);
    assertThat(decode(ARCANUM.replaceFirst("<event", "<event xmlns=\"urn:other\"")).records)
        .containsExactly(RECORD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "ISO-8859-15", "windows-1252", "IBM850"})
  void xmlMayBeInTheEncodingThatItNames(String encoding) {
    Charset charset = Charset.forName(encoding);
    String named = "<?xml version='1.0' encoding='%s' ?>".formatted(encoding) + withUser("Zoë");
    Decoded decoded = decode(named.getBytes(charset));
    assertThat(decoded.rejections).isEmpty();
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("Zoë");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
  void utf16NeedsNoDeclaration(String encoding) {
    Charset charset = Charset.forName(encoding);
    assertThat(decode(ARCANUM.getBytes(charset)).records).containsExactly(RECORD);
    assertThat(decode(("\ufeff" + ARCANUM).getBytes(charset)).records).containsExactly(RECORD);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-32LE", "UTF-32BE"})
  void utf32NeedsNoDeclaration(String encoding) {
    for (String start : new String[] {"", "\ufeff", "<?xml version='1.0' encoding='UTF-8'?>"}) {
      byte[] message = (start + withUser("Zoë")).getBytes(Charset.forName(encoding));
      assertOnlyUser("Zoë", Decoded.of(Decoded.decoder(profile()), message));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "utf-8", "windows-1252", "ISO-8859-1", "UTF-16", "x-none"})
  void theMarkOfUtf8GoesBeforeWhatTheDeclarationSays(String encoding) {
    assertOnlyUser(
        "Zoë",
        decode("\ufeff<?xml version=\"1.0\" encoding=\"" + encoding + "\"?>" + withUser("Zoë")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ufeff", ""})
  void aDeclarationThatIsTooLongIsSaidToBe(String mark) {
    assertRejected(
        decode(
            mark
                + "<?xml version='1.0'"
                + " ".repeat(200)
                + "encoding='ISO-8859-1'?>"
                + withUser("Zoë")),
        RejectionReason.MALFORMED,
        "not well-formed XML, or not supported: its declaration does not end within 200 bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE"})
  void aStyleSheetIsNoDeclaration(String encoding) {
    String message = "<?xml-stylesheet href='a' encoding='ISO-8859-1'?>" + withUser("Zoë");
    assertOnlyUser(
        "Zoë", Decoded.of(Decoded.decoder(profile()), message.getBytes(Charset.forName(encoding))));
  }

  /** Else the second would be believed. */
  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-32BE"})
  void aSecondDeclarationOrMarkIsMalformed(String encoding) {
    String declaration = "<?xml version='1.0' encoding='ISO-8859-1'?>";
    for (String start :
        new String[] {declaration + declaration, "\ufeff" + declaration, "\ufeff\ufeff"}) {
      byte[] message =
          ("\ufeff" + start + declaration + withUser("Zoë")).getBytes(Charset.forName(encoding));
      Decoded decoded = Decoded.of(Decoded.decoder(profile()), message);
      assertThat(decoded.records).isEmpty();
      assertThat(decoded.rejections)
          .extracting(Rejection::reason)
          .containsExactly(RejectionReason.MALFORMED);
    }
  }

  private static void assertOnlyUser(String user, Decoded decoded) {
    assertThat(decoded.rejections).isEmpty();
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly(user);
  }

  @Test
  void anEncodingThatNobodyKnowsOrThatTheBytesAreNotInIsMalformed() {
    assertRejected(
        decode("<?xml version=\"1.0\" encoding=\"x-none\"?>" + ARCANUM),
        RejectionReason.MALFORMED,
        "not well-formed XML: its declaration names an unknown encoding");
    byte[] utf16 = withUser("a").getBytes(StandardCharsets.UTF_16LE);
    assertRejected(
        decode(Arrays.copyOf(utf16, utf16.length - 1)),
        RejectionReason.MALFORMED,
        "not well-formed XML: not all of it is UTF-16LE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<![CDATA[350000000007919]]>",
        "35000000<![CDATA[0007]]>919",
        "350000000&#48;07919",
        "<!-- one -->350000000007919<?and another?>",
        "\n    350000000007919\n  "
      })
  void aTextMayBeWrittenInAnyWayOfXml(String written) {
    String message = ARCANUM.replace("350000000007919", written);
    assertThat(decode(message).records).containsExactly(RECORD);
  }

  @Test
  void xmlsOwnEntitiesAreReplaced() {
    assertThat(decode(withUser("a&amp;b&lt;&gt;&quot;&apos;")).records)
        .extracting(record -> record.user())
        .containsExactly("a&b<>\"'");
  }

  @Test
  void aDocumentTypeIsSkippedWhateverItNames() {
    for (String type :
        new String[] {
          "<!DOCTYPE event>",
          "<!DOCTYPE event SYSTEM 'file:///dev/zero'>",
          "<!-- a --><?b?>\n<!DOCTYPE\nx:event\tSYSTEM \"http://127.0.0.1:1/[x].dtd\" >\n",
          "<?xml version=\"1.0\"?><!DOCTYPE event PUBLIC \"-//OMA//DTD SVC 3.1//EN\" \"svc.dtd\">"
        }) {
      assertThat(decode(type + withUser("a") + "\n").records)
          .as(type)
          .extracting(record -> record.user())
          .containsExactly("a");
      assertThat(decode(type + withUser("&a;")).rejections)
          .as(type)
          .extracting(Rejection::reason)
          .containsExactly(RejectionReason.FORBIDDEN_DTD);
    }
    assertThat(decode("<!DOCTYPE event PUBLIC 'a'>" + ARCANUM).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.MALFORMED);
  }

  @Test
  void anAnswerOfMlpWithItsDocumentTypeIsRead() {
    String answer =
        "<?xml version=\"1.0\"?><!DOCTYPE svc_result SYSTEM \"MLP_SVC_RESULT_320.DTD\">\n"
            + Messages.mlp(Messages.MLP_POSERR, Messages.MLP_CGI_POS)
                .replaceFirst("<\\?.*?\\?>", "");
    Decoded decoded = Decoded.of(Decoded.decoder("mlp"), answer);
    assertThat(decoded.records).hasSize(1);
    assertThat(decoded.rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.NO_POSITION);
  }

  @Test
  void anInternalSubsetIsForbiddenAndNeverRead() {
    String billionLaughs =
        "<!DOCTYPE event [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">]>" + withUser("&b;");
    assertRejected(
        decode(billionLaughs),
        RejectionReason.FORBIDDEN_DTD,
        "document type declaration with an internal subset at offset 0");
    for (String subset : new String[] {"[]", "[ ]", "[<!-- c -->]", "[%p;]", "["}) {
      assertThat(decode("<!DOCTYPE event SYSTEM 'x'" + subset + ">" + ARCANUM).rejections)
          .as(subset)
          .extracting(Rejection::reason)
          .containsExactly(RejectionReason.FORBIDDEN_DTD);
    }
  }

  @Test
  void anEntityNobodyDeclaredIsForbidden() {
    assertThat(decode(withUser("a&b;c")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.FORBIDDEN_DTD);
  }

  @Test
  void aFieldGivenTwiceIsABadValue() {
    assertRejected(
        decode(ARCANUM.replace("<mnc>10</mnc>", "<mnc>10</mnc><mnc>15</mnc>")),
        RejectionReason.BAD_VALUE,
        "record 1: cell/mnc: expected once, found again");
  }

  @Test
  void anElementWhereTextIsExpectedIsABadValue() {
    assertRejected(
        decode(ARCANUM.replace("<mnc>10</mnc>", "<mnc>1<b/>0</mnc>")),
        RejectionReason.BAD_VALUE,
        "record 1: cell/mnc: expected text, found an element");
  }

  @Test
  void aMessageWithoutARecordIsRejected() {
    assertRejected(decode("<events/>"), RejectionReason.MISSING_FIELD, "no event in the message");
  }

  @Test
  void whatFollowsTheDocumentIsMalformedAndTheRecordStands() {
    Decoded decoded = decode(ARCANUM + "garbage");
    assertThat(decoded.records).containsExactly(RECORD);
    assertThat(decoded.rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.MALFORMED);
  }

  @Test
  void aRecordInsideARecordRejectsTheOuterOneAndTheNextGoesOn() {
    for (String place : new String[] {"</event>", "<probe>", "</cell>"}) {
      String outer = ARCANUM.replace(place, withUser("inner") + place);
      Decoded decoded = decode(many(outer, withUser("next")));
      assertThat(decoded.records).extracting(record -> record.user()).containsExactly("next");
      assertThat(decoded.rejections)
          .containsExactly(
              new Rejection(
                  RejectionReason.BAD_VALUE, "record 1: event: a record inside a record"));
    }
  }

  @Test
  void aRecordDeepInWhatIsSkippedRejectsTheOuterOneToo() {
    String wrapped = "<extra><deeper>" + ARCANUM + "</deeper></extra></event>";
    assertRejected(
        decode(ARCANUM.replace("</event>", wrapped)),
        RejectionReason.BAD_VALUE,
        "record 1: event: a record inside a record");
  }

  /** Elements, or what else has names, each with a name of its own. */
  private static String named(String pattern, int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(i -> pattern.replace("#", "n" + i))
        .collect(Collectors.joining());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<#/>",
        "<a #=''/>",
        "<a xmlns:#='urn:x'/>",
        "<p:# xmlns:p='urn:x'/>",
        "<#:a xmlns:#='urn:x'/>",
        "<a xmlns:p='urn:x' p:#=''/>",
        "<?# x?>"
      })
  void aMessageOfManyNamesIsReadNoFurtherThanTheLimit(String pattern) {
    XmlRecordDecoder decoder = (XmlRecordDecoder) Decoded.decoder(profile());
    String few = ARCANUM.replace("</event>", named(pattern, 0, 400) + "</event>");
    String many = ARCANUM.replace("</event>", named(pattern, 0, 1_001) + "</event>");
    assertThat(Decoded.of(decoder, few).rejections).isEmpty();
    Decoded decoded = Decoded.of(decoder, many);
    assertThat(decoded.records).isEmpty();
    assertThat(decoded.rejections).hasSize(1);
    assertThat(decoded.rejections.get(0).reason()).isEqualTo(RejectionReason.MALFORMED);
    assertThat(decoded.rejections.get(0).detail())
        .startsWith("too many different names: more than 1000 at offset ");
  }

  @Test
  void anElementOfManyAttributesIsRejectedBeforeItIsRead() {
    XmlRecordDecoder decoder = (XmlRecordDecoder) Decoded.decoder(profile());
    String message = withUser("a") + "<event" + named(" #=''", 0, 100_000) + "/>";
    Decoded decoded = Decoded.of(decoder, many(message));
    assertThat(decoded.records).isEmpty();
    assertThat(decoded.rejections).hasSize(1);
    assertThat(decoded.rejections.get(0).detail())
        .startsWith("too many different names: more than 1000 equals signs ");
    assertThat(namesKept(decoder.factory())).isZero();
  }

  @Test
  void anElementOfAsManyAttributesAsAllowedIsRead() {
    String attributes = named(" #=''", 0, XmlNames.MAX_IN_MESSAGE - 100);
    assertThat(decode(ARCANUM.replace("<cause", "<cause" + attributes)).records)
        .containsExactly(RECORD);
  }

  private XmlRecordDecoder xmlDecoder() {
    return (XmlRecordDecoder) Decoded.decoder(profile());
  }

  @Test
  void namesThatNoOtherMessageHasAreNotKeptForEver() {
    XmlRecordDecoder decoder = xmlDecoder();
    int most = 0;
    for (int i = 0; i < 20; i++) {
      String message = ARCANUM.replace("</event>", named("<# #=''/>", i * 500, 500) + "</event>");
      assertThat(Decoded.of(decoder, message).records).containsExactly(RECORD);
      most = Math.max(most, namesKept(decoder.factory()));
    }
    assertThat(most).isBetween(500, XmlNames.MAX_KEPT + XmlNames.MAX_IN_MESSAGE);
  }

  @Test
  void longNamesAreNotKeptForEver() {
    XmlRecordDecoder decoder = xmlDecoder();
    InputFactoryImpl before = decoder.factory();
    String longName = "<" + "n".repeat(100_000) + "/>";
    Decoded.of(decoder, ARCANUM.replace("</event>", longName + "</event>"));
    assertThat(Decoded.of(decoder, ARCANUM).records).containsExactly(RECORD);
    assertThat(decoder.factory()).isNotSameAs(before);
  }

  @Test
  void ordinaryMessagesKeepTheirFactory() {
    XmlRecordDecoder decoder = xmlDecoder();
    InputFactoryImpl before = decoder.factory();
    for (int i = 0; i < 2_000; i++) {
      Decoded.of(decoder, ARCANUM);
    }
    assertThat(decoder.factory()).isSameAs(before);
  }

  /** The size of Aalto's own table for messages in UTF-8. */
  private static int namesKept(InputFactoryImpl factory) {
    ReaderConfig config = factory.getNonSharedConfig(null, null, "UTF-8", false, false);
    config.setActualEncoding(CharsetNames.CS_UTF8);
    return config.getBBSymbols().size();
  }
}
