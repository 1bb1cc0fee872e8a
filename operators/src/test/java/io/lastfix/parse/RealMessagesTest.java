package io.lastfix.parse;

import static io.lastfix.model.RejectionReason.BAD_VALUE;
import static io.lastfix.model.RejectionReason.MALFORMED;
import static io.lastfix.model.RejectionReason.MISSING_FIELD;
import static io.lastfix.model.RejectionReason.NO_POSITION;
import static io.lastfix.parse.Messages.ARCANUM;
import static io.lastfix.parse.Messages.JSON;
import static io.lastfix.parse.Messages.MLP_CGI_POS;
import static io.lastfix.parse.Messages.MLP_CGI_RECORD;
import static io.lastfix.parse.Messages.MLP_LTE_POS;
import static io.lastfix.parse.Messages.MLP_LTE_RECORD;
import static io.lastfix.parse.Messages.MLP_POSERR;
import static io.lastfix.parse.Messages.RECORD;
import static io.lastfix.parse.Messages.mlp;
import static io.lastfix.parse.Messages.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lastfix.model.LocationRecord;
import io.lastfix.model.Radio;
import io.lastfix.model.RejectionReason;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages as they come in, one a line, and what each yields: records, or reason and detail. */
class RealMessagesTest {
  static Stream<Arguments> goodMessages() {
    return Stream.of(
        good("arcanum", ARCANUM, RECORD),
        good("json", JSON.replace("1795176001001", "1795176001001.0"), RECORD),
        good("json", JSON.replace("1795176001001", "1795176001001.9"), RECORD),
        good(
            "arcanum",
            ARCANUM.replace("<imei>350000000007919</imei>", ""),
            withUser(RECORD, "234100000104729")),
        good(
            "arcanum",
            ARCANUM.replace("<imei>350000000007919</imei>", "<imei/>"),
            withUser(RECORD, "234100000104729")),
        good("arcanum", ARCANUM.replace("<radio>LTE</radio>", ""), withRadio(RECORD, null)),
        good("arcanum", ARCANUM.replace(">LTE<", "> E-UTRAN <"), RECORD),
        good("arcanum", ARCANUM.replace("<mnc>10<", "<mnc>010<"), RECORD),
        good(
            "arcanum",
            ARCANUM.replace("<lac>4021</lac>", "<lac/>"),
            withCell(RECORD, "234-10--20911362")),
        good("arcanum", ARCANUM.replace("12:00:01.001Z", "13:00:01.001999+01:00"), RECORD),
        good("arcanum", Messages.arcanumEvents(ARCANUM, ARCANUM), RECORD, RECORD),
        good("arcanum", "<?xml version='1.0'?><!-- c -->\n<x><y>" + ARCANUM + "</y></x>", RECORD),
        good("mlp", mlp(MLP_CGI_POS), MLP_CGI_RECORD),
        good("mlp", mlp(MLP_LTE_POS), MLP_LTE_RECORD),
        good("mlp", mlp(MLP_CGI_POS, MLP_LTE_POS), MLP_CGI_RECORD, MLP_LTE_RECORD),
        good("mlp", mlp(MLP_CGI_POS.replace("+0100", "0100")), MLP_CGI_RECORD),
        good(
            "mlp",
            mlp(
                MLP_CGI_POS
                    .replace("20261120130001", "20261120120001")
                    .replace(" utc_off=\"+0100\"", "")),
            MLP_CGI_RECORD),
        good(
            "mlp",
            mlp(MLP_CGI_POS.replace("pos", "trl_pos").replace("slia", "tlrep")),
            MLP_CGI_RECORD),
        good("mlp", mlp(MLP_CGI_POS.replace("pos", "eme_pos")), MLP_CGI_RECORD),
        good(
            "mlp",
            mlp(withMsids("<msid type=\"IMEI\">1</msid><msid type=\"MSISDN\">2</msid>")),
            withUser(MLP_CGI_RECORD, "2")),
        good(
            "mlp",
            mlp(withMsids("<msid type=\"IMEI\">1</msid><msid type=\"IMSI\">2</msid>")),
            withUser(MLP_CGI_RECORD, "2")),
        good(
            "mlp",
            mlp(withMsids("<msid type=\"IMSI\">1</msid><msid>2</msid>")),
            withUser(MLP_CGI_RECORD, "2")),
        good(
            "mlp",
            mlp(withMsids("<msid type=\"MSISDN\"/><msid type=\"IMSI\">2</msid>")),
            withUser(MLP_CGI_RECORD, "2")),
        good(
            "mlp",
            mlp(withMsids("<msid type=\"X\">1</msid><msid type=\"Y\">2</msid>")),
            withUser(MLP_CGI_RECORD, "1")),
        good("json", JSON, RECORD),
        good("json", "[" + JSON + ",\n" + JSON + "]", RECORD, RECORD),
        good("json", JSON + "\n" + JSON, RECORD, RECORD),
        good("json", JSON.replace("1795176001001", "\"2026-11-20T12:00:01.001Z\""), RECORD),
        good("json", JSON.replace("1795176001001", "\"1795176001001\""), RECORD),
        good(
            "json",
            JSON.replace("\"cid\":20911362", "\"cid\":68719476735"),
            withCell(RECORD, "234-10-4021-68719476735")));
  }

  static Stream<Arguments> badMessages() {
    return Stream.of(
        bad(
            "arcanum",
            ARCANUM.replaceAll("<subscriber>.*</subscriber>", ""),
            MISSING_FIELD,
            "record 1: one of subscriber/imei, subscriber/imsi: missing"),
        bad(
            "arcanum",
            ARCANUM.replace("<mcc>234</mcc>", ""),
            MISSING_FIELD,
            "record 1: cell/mcc: missing"),
        bad(
            "arcanum",
            ARCANUM.replace("<cid>20911362</cid>", ""),
            MISSING_FIELD,
            "record 1: cell/cid: missing"),
        bad(
            "arcanum",
            ARCANUM.replaceAll("<timestamp>.*</timestamp>", ""),
            MISSING_FIELD,
            "record 1: timestamp: missing"),
        bad(
            "arcanum",
            ARCANUM.replace(">20911362<", ">68719476736<"),
            BAD_VALUE,
            "record 1: cell/cid: expected 0 to 68719476735"),
        bad(
            "arcanum",
            ARCANUM.replace(">20911362<", ">-1<"),
            BAD_VALUE,
            "record 1: cell/cid: expected 0 to 68719476735"),
        bad(
            "arcanum",
            ARCANUM.replace(">20911362<", ">0x13f<"),
            BAD_VALUE,
            "record 1: cell/cid: expected 0 to 68719476735"),
        bad(
            "arcanum",
            ARCANUM.replace(">4021<", ">99999999999999999999999<"),
            BAD_VALUE,
            "record 1: cell/lac: expected 0 to 16777215"),
        bad(
            "arcanum",
            ARCANUM.replace(">LTE<", ">6G<"),
            BAD_VALUE,
            "record 1: cell/radio: expected the name of a radio"),
        bad(
            "arcanum",
            ARCANUM.replace("01.001Z", "01.001"),
            BAD_VALUE,
            "record 1: timestamp: expected a time in the profile's format"),
        bad("arcanum", ARCANUM.replace("</cell>", "</sell>"), MALFORMED, null),
        bad(
            "mlp",
            mlp(MLP_POSERR),
            NO_POSITION,
            "record 1: poserr: the network reports no position"),
        bad(
            "mlp",
            mlp(MLP_CGI_POS.replace("+0100", "+1")),
            BAD_VALUE,
            "record 1: pd/time/@utc_off: expected an offset from UTC"),
        bad(
            "mlp",
            mlp(MLP_CGI_POS.replace("20261120130001", "20261120130060")),
            BAD_VALUE,
            "record 1: pd/time: expected a time in the profile's format"),
        bad(
            "mlp",
            mlp(withMsids("<msid/>")),
            MISSING_FIELD,
            "record 1: one of msid, gsm_net_param/imsi: missing"),
        bad(
            "mlp",
            mlp(
                MLP_CGI_POS
                    .replaceAll("(?s)<cgi>.*</cgi>", "")
                    .replaceAll("<shape>.*</shape>", "")),
            MISSING_FIELD,
            "record 1: one of gsm_net_param/cgi/cellid, serving_cell/lte_ci, pd/shape: missing"),
        bad("mlp", mlp(), MISSING_FIELD, "no pos or trl_pos or eme_pos in the message"),
        bad("mlp", mlp(MLP_CGI_POS).replace("\"", ""), MALFORMED, null),
        bad(
            "json",
            JSON.replace("\"mcc\"", "\"MCC\""),
            MISSING_FIELD,
            "record 1: cell/mcc: missing"),
        bad(
            "json",
            JSON.replaceAll("\\{\"radio.*?}", "\"234-10-20911362\""),
            BAD_VALUE,
            "record 1: cell: expected mcc-mnc-area-cid or mcc-mnc--cid, each part in its range"),
        bad(
            "json",
            JSON.replace("1795176001001", "1.795176001001e12"),
            BAD_VALUE,
            "record 1: ts: expected a time in the profile's format"),
        bad("json", JSON.replace("\"ts\"", "ts"), MALFORMED, null));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("goodMessages")
  void aGoodMessageYieldsItsRecords(String profile, String message, List<LocationRecord> expected) {
    Decoded decoded = Decoded.of(Decoded.decoder(profile), message);
    assertThat(decoded.rejections).isEmpty();
    assertThat(decoded.records).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("badMessages")
  void aBadMessageYieldsARejection(
      String profile, String message, RejectionReason reason, @Nullable String detail) {
    Decoded decoded = Decoded.of(Decoded.decoder(profile), message);
    assertThat(decoded.records).isEmpty();
    assertThat(decoded.rejections).extracting(Rejection::reason).containsExactly(reason);
    if (detail != null) {
      assertThat(decoded.rejections).extracting(Rejection::detail).containsExactly(detail);
    }
  }

  private static Arguments good(String profile, String message, LocationRecord... expected) {
    return arguments(profile, message, List.of(expected));
  }

  private static Arguments bad(
      String profile, String message, RejectionReason reason, @Nullable String detail) {
    return arguments(profile, message, reason, detail);
  }

  private static String withMsids(String msids) {
    return MLP_CGI_POS.replaceAll("<msid>.*</msid>", msids);
  }

  private static LocationRecord withUser(LocationRecord record, String user) {
    return record.withUser(user);
  }

  private static LocationRecord withRadio(LocationRecord record, @Nullable Radio radio) {
    return new LocationRecord(record.user(), record.cell(), radio, record.timestampMillis());
  }

  private static LocationRecord withCell(LocationRecord record, String cell) {
    return new LocationRecord(
        record.user(),
        record(record.user(), cell, null, "2026-11-20T12:00:00Z").cell(),
        record.radio(),
        record.timestampMillis());
  }
}
