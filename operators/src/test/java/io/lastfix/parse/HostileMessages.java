package io.lastfix.parse;

import static io.lastfix.parse.Messages.ARCANUM;
import static io.lastfix.parse.Messages.JSON;
import static io.lastfix.parse.Messages.MLP_CGI_POS;
import static io.lastfix.parse.Messages.arcanumEvents;
import static io.lastfix.parse.Messages.gzip;
import static io.lastfix.parse.Messages.mlp;
import static io.lastfix.parse.Messages.utf8;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.ShippedProfiles;
import io.lastfix.parse.profile.Profile.Format;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * The nasty messages that are known by name. They are made when asked for, since some are large.
 * The tests of the decoders and of the running job share them.
 */
public final class HostileMessages {
  private static final Charset UTF_32 = Charset.forName("UTF-32");
  private static final String USER = "350000000007919";
  private static final int MEBIBYTE = 1 << 20;
  private static final int DEEP = 100_000;

  private final List<HostileMessage> messages = new ArrayList<>();

  /**
   * One message.
   *
   * @param profile whose topic it is sent to
   * @param records how many of its records are good, with the default limits
   * @param reason the code of its first rejection; null where nothing is rejected
   * @param builder makes the bytes, the same each time; null for a tombstone
   */
  public record HostileMessage(
      String name,
      String profile,
      int records,
      @Nullable String reason,
      Supplier<byte @Nullable []> builder) {
    /** The bytes; null where it is a tombstone. */
    public byte @Nullable [] bytes() {
      return builder.get();
    }

    @Override
    public String toString() {
      return profile + ": " + name;
    }
  }

  private static final String MLP_POLYGON =
      "<MultiPolygon><Polygon srsName=\"www.epsg.org#4326\"><outerBoundaryIs><LinearRing>"
          + "<coord><X>51.5</X><Y>-0.12</Y></coord><coord><X>51 30 1.5N</X><Y>0.1W</Y></coord>"
          + "<coord><X>513036N</X><Y>-0.1</Y></coord></LinearRing></outerBoundaryIs></Polygon>"
          + "</MultiPolygon>";

  private static final String MLP_ARC =
      "<CircularArcArea><coord><X>51.5</X><Y>-0.12</Y></coord><inRadius>500</inRadius>"
          + "<outRadius>1000</outRadius><startAngle>30</startAngle><stopAngle>60</stopAngle>"
          + "</CircularArcArea>";

  private HostileMessages() {
    addNothing();
    addJsonStructure();
    addJsonValues();
    addUsers();
    addEncodings();
    addXmlEntities();
    addXmlStructure();
    addXmlTexts();
    addMlp();
    addShapes();
    addPositions();
    addGzip();
    addMillions();
  }

  /** All of them, none above 1 MiB, which is what a broker takes by default. */
  public static List<HostileMessage> all() {
    return List.copyOf(new HostileMessages().messages);
  }

  /**
   * Well-formed messages of a profile, for {@link Mutations} to begin with. The first has one
   * record. A profile without its own ones here has those of docs/reference/profiles.md.
   */
  public static List<byte[]> valid(String profile) {
    return switch (profile) {
      case "arcanum" ->
          List.of(
              utf8(ARCANUM),
              utf8(arcanumEvents(ARCANUM, ARCANUM.replace(USER, "b"))),
              utf8("<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- c -->" + ARCANUM),
              utf8(ARCANUM.replace(USER, "<![CDATA[Zoë-😀]]>&amp;&#48;")));
      case "mlp" ->
          List.of(
              utf8(mlp(MLP_CGI_POS)),
              utf8(mlp(MLP_CGI_POS, Messages.MLP_LTE_POS, Messages.MLP_POSERR)),
              utf8(mlp(Messages.mlpShape(MLP_POLYGON), Messages.mlpShape(MLP_ARC))));
      case "json" ->
          List.of(
              utf8(JSON),
              utf8("[" + JSON + "," + JSON.replace(USER, "b") + "]"),
              utf8(JSON + "\n" + JSON.replace(USER, "c") + "\n"),
              utf8(Messages.JSON_POSITION),
              utf8(
                  "{\"user\":\"\\ud83d\\ude00\",\"cell\":\"234-10--20911362\",\"ts\":\"2026-11-20T12:00:01.001Z\"}"));
      case "osmand" ->
          List.of(utf8(Messages.OSMAND), utf8(Messages.OSMAND_JSON), utf8(Messages.OSMAND_BATCH));
      case "owntracks" ->
          List.of(
              utf8(Messages.OWNTRACKS),
              utf8("[" + Messages.OWNTRACKS + "," + Messages.OWNTRACKS + "]"));
      case "geojson" ->
          List.of(utf8(Messages.GEOJSON), utf8(Messages.GEOJSON + "\n" + Messages.GEOJSON));
      case "openschema" ->
          List.of(utf8(Messages.OPENSCHEMA), utf8("[" + Messages.OPENSCHEMA + "]"));
      default -> ProfilePage.read().good(profile);
    };
  }

  private void add(
      String name,
      String profile,
      int records,
      @Nullable String reason,
      Supplier<byte @Nullable []> builder) {
    messages.add(new HostileMessage(name, profile, records, reason, builder));
  }

  private void accepted(String name, String profile, Supplier<String> text) {
    add(name, profile, 1, null, () -> utf8(text.get()));
  }

  private void accepted(String name, String profile, Supplier<String> text, int records) {
    add(name, profile, records, null, () -> utf8(text.get()));
  }

  private void rejected(String name, String profile, String reason, Supplier<String> text) {
    add(name, profile, 0, reason, () -> utf8(text.get()));
  }

  private void addShapes() {
    String coord = "<coord><X>51.5</X><Y>-0.12</Y></coord>";
    for (int points : new int[] {1_001, 20_000}) {
      rejected(
          points + " corners",
          "mlp",
          "invalid-position",
          () -> mlp(Messages.mlpShape("<LineString>" + coord.repeat(points) + "</LineString>")));
    }
    add(
        "many rings of 1,000 corners",
        "mlp",
        20,
        null,
        () -> utf8(mlp(Messages.mlpShape(circle(1_000)).repeat(20))));
    rejected(
        "shapes in shapes",
        "mlp",
        "invalid-position",
        () ->
            mlp(
                Messages.mlpShape(
                    "<MultiPolygon>".repeat(40) + MLP_ARC + "</MultiPolygon>".repeat(40))));
    rejected(
        "a polygon around the earth",
        "mlp",
        "invalid-position",
        () ->
            mlp(
                Messages.mlpShape(
                    "<LineString>"
                        + "<coord><X>0</X><Y>0</Y></coord><coord><X>0</X><Y>120</Y></coord>"
                        + "<coord><X>0</X><Y>-120</Y></coord></LineString>")));
    rejected(
        "a radius of everything",
        "mlp",
        "invalid-position",
        () ->
            mlp(
                Messages.mlpShape(
                    "<CircularArea>" + coord + "<radius>1e400</radius></CircularArea>")));
    rejected(
        "a system whose name is a text",
        "mlp",
        "invalid-position",
        () ->
            mlp(
                Messages.mlpShape(
                    "<Point srsName=\"" + "&lt;x&gt;".repeat(1_000) + "\">" + coord + "</Point>")));
  }

  /** A polygon whose corners are all nearly as far from its centre. */
  private static String circle(int corners) {
    StringBuilder shape = new StringBuilder("<Polygon><outerBoundaryIs><LinearRing>");
    for (int i = 0; i < corners; i++) {
      double angle = 2 * Math.PI * i / corners;
      shape.append("<coord><X>").append(degrees(51.5 + 0.1 * Math.cos(angle))).append("</X><Y>");
      shape.append(degrees(0.16 * Math.sin(angle))).append("</Y></coord>");
    }
    return shape.append("</LinearRing></outerBoundaryIs></Polygon>").toString();
  }

  private static String degrees(double degrees) {
    return String.format(Locale.ROOT, "%.6f", degrees);
  }

  private void addPositions() {
    String json = Messages.JSON_POSITION;
    for (String lon :
        List.of("-180.0000001", "1e400", "-1e9999999999", "\"0x1p3\"", "true", "[]", "{}")) {
      rejected("lon " + lon, "json", "invalid-position", () -> json.replace("-0.1276", lon));
    }
    rejected("a bare NaN", "json", "malformed", () -> json.replace("-0.1276", "NaN"));
    rejected("a bare Infinity", "json", "malformed", () -> json.replace("-0.1276", "-Infinity"));
    accepted("a long altitude", "json", () -> json.replace("-3.5", "1." + "3".repeat(100_000)));
    accepted("an altitude of an object", "json", () -> json.replace("-3.5", "{\"a\":[1]}"));
    accepted("an unknown source", "json", () -> json.replace("network", "x".repeat(1_000)));
    accepted("an infinite accuracy", "json", () -> json.replace("12.5", "1e999"));
    rejected(
        "a long coordinate",
        "json",
        "invalid-position",
        () -> json.replace("-0.1276", "1." + "3".repeat(1_000)));
    rejected(
        "a million coordinates",
        "geojson",
        "invalid-position",
        () ->
            Messages.GEOJSON.replace(
                "[-0.1276,",
                "[" + "[".repeat(40) + "0" + "]".repeat(40) + ",0".repeat(400_000) + ","));
    accepted("a form of many names", "osmand", () -> Messages.OSMAND + "&a=b".repeat(250_000));
    accepted(
        "a long value of no field",
        "osmand",
        () -> Messages.OSMAND + "&a=" + "%41".repeat(300_000));
    accepted("only ampersands around it", "osmand", () -> "&".repeat(500_000) + Messages.OSMAND);
    rejected("a name given twice", "osmand", "bad-value", () -> Messages.OSMAND + "&i%64=7");
    rejected("half an escape", "osmand", "malformed", () -> Messages.OSMAND + "&a=%4");
    rejected(
        "a long user",
        "osmand",
        "bad-value",
        () -> Messages.OSMAND.replace("123456", "1".repeat(300)));
    rejected(
        "bytes that are not UTF-8", "osmand", "malformed", () -> Messages.OSMAND + "&deviceid=%ff");
    rejected("only a name", "osmand", "missing-field", () -> "x".repeat(1_000_000));
  }

  private void addNothing() {
    for (String profile : ShippedProfiles.names()) {
      add("no value", profile, 0, "malformed", () -> null);
      add("empty", profile, 0, "malformed", () -> new byte[0]);
      add("zero bytes", profile, 0, "malformed", () -> new byte[1_000]);
      add(
          "blanks",
          profile,
          0,
          Decoded.profile(profile).format() == Format.JSON ? "missing-field" : "malformed",
          () -> utf8(" \r\n\t".repeat(1_000)));
      add("a byte order mark alone", profile, 0, "malformed", () -> utf8("\ufeff"));
      add("bytes of all values", profile, 0, "malformed", HostileMessages::allBytes);
    }
    rejected("json in a topic of XML", "arcanum", "malformed", () -> JSON);
    rejected("XML in a topic of JSON", "json", "malformed", () -> ARCANUM.replace("\n", ""));
  }

  private static byte[] allBytes() {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  private static String repeated(int count, IntFunction<String> piece) {
    return IntStream.range(0, count).mapToObj(piece).collect(Collectors.joining());
  }

  private void addJsonStructure() {
    accepted(
        "a batch that is nearly empty",
        "osmand",
        () -> Messages.OSMAND_BATCH.replace("[{", "[" + "[],".repeat(200_000) + "{"),
        2);
    accepted(
        "the same batch in many records",
        "osmand",
        () -> "[" + (Messages.OSMAND_BATCH + ",").repeat(2_000) + Messages.OSMAND_BATCH + "]",
        4_002);
    rejected(
        "a batch whose members are all malformed",
        "osmand",
        "malformed",
        () -> Messages.OSMAND_BATCH.replaceAll("\\[.*]", "[" + "{a},".repeat(100_000) + "{}]"));
    add(
        "a batch on each line that does not end",
        "osmand",
        0,
        "malformed",
        () -> gzip(utf8("{\"location\":[{x\n".repeat(1_000) + " ".repeat(16 * MEBIBYTE - 16_000))));
    rejected(
        "an array whose members are all malformed",
        "json",
        "malformed",
        () -> "[" + "{a},".repeat(100_000) + "{}]");
    rejected("arrays in arrays", "json", "malformed", () -> "[".repeat(DEEP) + "]".repeat(DEEP));
    rejected(
        "objects in objects",
        "json",
        "malformed",
        () -> "{\"a\":".repeat(DEEP) + "1" + "}".repeat(DEEP));
    rejected(
        "deep in a member that nobody reads",
        "json",
        "malformed",
        () -> JSON.replace("\"ts\"", "\"x\":" + "[".repeat(DEEP) + "]".repeat(DEEP) + ",\"ts\""));
    rejected("opened and never closed", "json", "malformed", () -> "[{\"a\":".repeat(DEEP));
    rejected(
        "a member twice",
        "json",
        "bad-value",
        () -> JSON.replace("{\"user\"", "{\"user\":\"b\",\"user\""));
    accepted(
        "a member nobody reads twice",
        "json",
        () -> JSON.replace("\"ts\"", "\"x\":1,\"x\":2,\"ts\""));
    accepted(
        "names with dollars and dots",
        "json",
        () ->
            JSON.replace(
                "\"ts\"",
                "\"$where\":\"1\",\"a.b\":{\"$gt\":\"\"},\"\":0,\"$\":[],\"__proto__\":{},\"ts\""));
    rejected(
        "an operator for a user",
        "json",
        "bad-value",
        () -> JSON.replace("\"" + USER + "\"", "{\"$ne\":\"\"}"));
    rejected(
        "a name with a dot for a path",
        "json",
        "missing-field",
        () -> "{\"user\":\"a\",\"cell.mcc\":1,\"cell.mnc\":1,\"cell.cid\":1,\"ts\":1795176001001}");
    rejected("comments", "json", "malformed", () -> "/* c */" + JSON);
    rejected("single quotes", "json", "malformed", () -> JSON.replace('"', '\''));
    rejected("a comma too many", "json", "malformed", () -> JSON.replace("}", ",}"));
    rejected(
        "a long name",
        "json",
        "malformed",
        () -> "{\"" + "n".repeat(900_000) + "\":1," + JSON.substring(1));
    accepted(
        "a long text nobody reads",
        "json",
        () -> JSON.replace("\"ts\"", "\"x\":\"" + "\\u0041".repeat(150_000) + "\",\"ts\""));
    accepted(
        "a long number nobody reads",
        "json",
        () -> JSON.replace("\"ts\"", "\"x\":" + "9".repeat(900_000) + ",\"ts\""));
    add("carriage returns between", "json", 2, null, () -> utf8(JSON + "\r" + JSON));
    add("form feeds between", "json", 1, "malformed", () -> utf8(JSON + "\f" + JSON));
    add("nothing between", "json", 3, null, () -> utf8(JSON + JSON + JSON));
    add(
        "line separators of Unicode between",
        "json",
        1,
        "malformed",
        () -> utf8(JSON + "\u2028" + JSON));
  }

  private void addJsonValues() {
    for (String number :
        List.of(
            "1e999999999",
            "-1e999999999",
            "1e-999999999",
            "-0",
            "1.5e3",
            "9".repeat(400),
            "-1",
            "0.0")) {
      String name = number.length() > 20 ? number.length() + " digits" : number;
      rejected(name + " for an mcc", "json", "bad-value", () -> JSON.replace("234", number));
    }
    for (String time :
        List.of("1e999999999", "9".repeat(400), "9223372036854775807", "1795176001001e0")) {
      String name = time.length() > 20 ? time.length() + " digits" : time;
      rejected(
          name + " for a time", "json", "bad-value", () -> JSON.replace("1795176001001", time));
    }
    rejected(
        "18 digits for a time",
        "json",
        "timestamp-ahead",
        () -> JSON.replace("1795176001001", "999999999999999999"));
    rejected(
        "18 digits before 1970",
        "json",
        "timestamp-before-floor",
        () -> JSON.replace("1795176001001", "-999999999999999999"));
    for (String word :
        List.of("NaN", "Infinity", "-Infinity", "0x1F", "01", "+1", ".5", "1.", "tru")) {
      rejected(word, "json", "malformed", () -> JSON.replace("234", word));
    }
    for (String time :
        List.of(
            "9999-12-31T23:59:59.999999999Z",
            "2026-11-20T24:00:00Z",
            "+999999999-01-01T00:00:00Z",
            "2026-11-20T12:00:00+99:99")) {
      rejected(
          "the time " + time,
          "json",
          time.startsWith("9999") ? "timestamp-ahead" : "bad-value",
          () -> JSON.replace("1795176001001", "\"" + time + "\""));
    }
  }

  private static String withUser(String user) {
    return JSON.replace(USER, user);
  }

  private void addUsers() {
    rejected("a user of 1 MB", "json", "bad-value", () -> withUser("u".repeat(1_000_000)));
    rejected(
        "a user of 1 MB",
        "arcanum",
        "bad-value",
        () -> ARCANUM.replace(USER, "u".repeat(1_000_000)));
    accepted("a user with a dollar", "json", () -> withUser("$ne"));
    accepted("a user with a dot", "json", () -> withUser("a.b.$.c"));
    accepted("a user of emoji", "json", () -> withUser("😀👩‍👩‍👧"));
    accepted("a user of emoji", "arcanum", () -> ARCANUM.replace(USER, "😀👩‍👩‍👧"));
    accepted("a user from right to left", "json", () -> withUser("\u202e321\u202c"));
    accepted("a user that is code", "json", () -> withUser("'; db.dropDatabase(); //"));
    for (String place :
        List.of("\\u0000ab", "a\\u0000b", "ab\\u0000", "a\\u001fb", "a\\u007fb", "a\\u0085b")) {
      rejected(
          "a user with a control character, " + place, "json", "bad-value", () -> withUser(place));
    }
    for (String half : List.of("\\ud83d", "\\ude00", "\\ude00\\ud83d", "a\\ud83d\\ud83d\\ude00")) {
      rejected("half a surrogate pair, " + half, "json", "bad-value", () -> withUser(half));
    }
    add(
        "half a surrogate pair in UTF-8",
        "json",
        0,
        "malformed",
        () -> withRawUser(JSON, "\u00ed\u00a0\u00bd"));
    add(
        "half a surrogate pair in UTF-8",
        "arcanum",
        0,
        "malformed",
        () -> withRawUser(ARCANUM, "\u00ed\u00a0\u00bd"));
    add(
        "UTF-8 that is overlong for a NUL",
        "json",
        0,
        "bad-value",
        () -> withRawUser(JSON, "\u00c0\u0080"));
    add(
        "UTF-8 that is overlong for a NUL",
        "arcanum",
        0,
        "bad-value",
        () -> withRawUser(ARCANUM, "\u00c0\u0080"));
    add(
        "UTF-8 past Unicode",
        "json",
        0,
        "malformed",
        () -> withRawUser(JSON, "\u00f8\u0088\u0080\u0080\u0080"));
    add(
        "UTF-8 past Unicode",
        "arcanum",
        0,
        "malformed",
        () -> withRawUser(ARCANUM, "\u00f8\u0088\u0080\u0080\u0080"));
    add("UTF-8 cut short", "json", 0, "malformed", () -> withRawUser(JSON, "\u00f0\u009f"));
    add(
        "Latin-1 in place of UTF-8",
        "arcanum",
        0,
        "malformed",
        () -> withRawUser(ARCANUM, "Zo\u00eb "));
  }

  /** Each character of the user becomes one byte. */
  private static byte[] withRawUser(String message, String user) {
    return message.replace(USER, user).getBytes(ISO_8859_1);
  }

  private void addEncodings() {
    for (Charset charset :
        List.of(UTF_8, UTF_16BE, UTF_16LE, UTF_32, Charset.forName("UTF-32LE"))) {
      add(
          charset + " with a byte order mark",
          "json",
          1,
          null,
          () -> ("\ufeff" + JSON).getBytes(charset));
      add(charset + " without one", "json", 1, null, () -> JSON.getBytes(charset));
    }
    add(
        "UTF-16 of half a character",
        "json",
        0,
        "malformed",
        () -> Arrays.copyOf(JSON.getBytes(UTF_16LE), 101));
    accepted("UTF-8 with a byte order mark", "arcanum", () -> "\ufeff" + ARCANUM);
  }

  private void addXmlEntities() {
    List<String> declarations =
        List.of(
            "<!DOCTYPE event [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>",
            "<!DOCTYPE event [<!ENTITY x SYSTEM \"http://127.0.0.1:1/x\">]>",
            "<!DOCTYPE event [<!ENTITY % p SYSTEM \"http://127.0.0.1:1/p\"> %p; ]>",
            "<!DOCTYPE event [<!ENTITY % p \"<!ENTITY x 'y'>\"> %p;]>",
            "<!DOCTYPE event SYSTEM \"file:///dev/zero\">",
            "<!DOCTYPE event PUBLIC \"-//x//y\" \"http://127.0.0.1:1/dtd\">",
            "<!DOCTYPE event [<!ATTLIST event id CDATA \"x\">]>",
            "<!DOCTYPE event>");
    for (String declaration : declarations) {
      rejected(
          "declares " + declaration,
          "arcanum",
          "forbidden-dtd",
          () -> declaration + ARCANUM.replace(USER, "&x;"));
    }
    for (String type :
        List.of("SYSTEM 'file:///dev/zero'", "PUBLIC '-//x//y' 'http://127.0.0.1:1/d'")) {
      accepted("the document type " + type, "arcanum", () -> "<!DOCTYPE e " + type + ">" + ARCANUM);
    }
    rejected("billion laughs", "arcanum", "forbidden-dtd", HostileMessages::billionLaughs);
    rejected("quadratic blow-up", "arcanum", "forbidden-dtd", HostileMessages::quadraticBlowUp);
    rejected(
        "an entity nobody declared",
        "arcanum",
        "forbidden-dtd",
        () -> ARCANUM.replace(USER, "&nbsp;"));
    rejected(
        "an entity in an attribute",
        "arcanum",
        "malformed",
        () -> ARCANUM.replace("e-100000001", "&x;"));
    rejected(
        "a declaration inside",
        "arcanum",
        "malformed",
        () -> ARCANUM.replace("<cause>", "<!DOCTYPE a><cause>"));
    rejected(
        "a declaration that never ends",
        "arcanum",
        "forbidden-dtd",
        () -> "<!DOCTYPE a [" + "<!ENTITY a 'b'>".repeat(50_000));
    accepted(
        "an external schema",
        "arcanum",
        () ->
            ARCANUM.replace(
                "<event",
                "<event xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"urn:x http://127.0.0.1:1/x.xsd\""));
    accepted(
        "an XInclude",
        "arcanum",
        () ->
            ARCANUM.replace(
                "<cause>",
                "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"file:///etc/passwd\"/><cause>"));
  }

  private static String billionLaughs() {
    String entities =
        repeated(30, i -> "<!ENTITY l%d \"%s\">".formatted(i + 1, ("&l" + i + ";").repeat(10)));
    return "<!DOCTYPE event [<!ENTITY l0 \"ha\">"
        + entities
        + "]>"
        + ARCANUM.replace(USER, "&l30;");
  }

  private static String quadraticBlowUp() {
    return "<!DOCTYPE event [<!ENTITY a \""
        + "a".repeat(500_000)
        + "\">]>"
        + ARCANUM.replace(USER, "&a;".repeat(100_000));
  }

  private void addXmlStructure() {
    rejected(
        "elements in elements",
        "arcanum",
        "malformed",
        () -> "<a>".repeat(DEEP) + "</a>".repeat(DEEP));
    rejected(
        "deep in an element that nobody reads",
        "arcanum",
        "malformed",
        () -> ARCANUM.replace("periodic", "<a>".repeat(DEEP) + "</a>".repeat(DEEP)));
    rejected(
        "an element twice",
        "arcanum",
        "bad-value",
        () -> ARCANUM.replace("<radio>", "<mcc>235</mcc><radio>"));
    rejected(
        "an attribute twice",
        "arcanum",
        "malformed",
        () -> ARCANUM.replace("version=", "id=\"b\" version="));
    accepted(
        "a huge attribute",
        "arcanum",
        () -> ARCANUM.replace("e-100000001", "&#65;".repeat(200_000)));
    accepted(
        "a huge comment",
        "arcanum",
        () -> ARCANUM.replace("<cause>", "<!--" + "c".repeat(900_000) + "--><cause>"));
    accepted(
        "a huge instruction",
        "arcanum",
        () -> ARCANUM.replace("<cause>", "<?p " + "c".repeat(900_000) + "?><cause>"));
    accepted(
        "many comments and instructions",
        "arcanum",
        () -> ARCANUM.replace("<cause>", "<!----><?p?>".repeat(50_000) + "<cause>"));
    accepted(
        "instructions before and behind",
        "arcanum",
        () -> "<?xml-stylesheet href=\"file:///etc/passwd\"?>" + ARCANUM + "<?p?>");
    add(
        "100,000 attributes",
        "arcanum",
        0,
        "malformed",
        () -> utf8("<event" + repeated(100_000, i -> " a" + i + "=''") + "/>"));
    add(
        "1,000,000 attributes",
        "arcanum",
        0,
        "malformed",
        () -> gzip(utf8("<event" + " a=''".repeat(1_000_000) + "/>")));
    add(
        "40,000 namespaces",
        "arcanum",
        0,
        "malformed",
        () -> utf8("<event" + repeated(40_000, i -> " xmlns:n" + i + "='urn:x'") + "/>"));
    rejected(
        "100,000 names",
        "arcanum",
        "malformed",
        () -> "<events>" + repeated(100_000, i -> "<n" + i + "/>") + "</events>");
    rejected(
        "a name of 500,000 letters",
        "arcanum",
        "missing-field",
        () -> "<" + "n".repeat(500_000) + "/>");
    rejected("a prefix nobody declared", "arcanum", "malformed", () -> "<p:event/>");
    rejected(
        "tags that cross", "arcanum", "malformed", () -> ARCANUM.replace("</imei>", "</imsi>"));
    rejected("an element that never ends", "arcanum", "malformed", () -> "<event><cell>");
    add("two roots", "arcanum", 1, "malformed", () -> utf8(ARCANUM + ARCANUM));
    rejected(
        "a record in a record",
        "arcanum",
        "bad-value",
        () -> ARCANUM.replace("<cause>", ARCANUM + "<cause>"));
    accepted("line ends of a Macintosh", "arcanum", () -> ARCANUM.replace('\n', '\r'));
    accepted("line ends of all kinds", "arcanum", () -> ARCANUM.replace("\n", "\r\n\r\r\n\n\r\n"));
  }

  private void addXmlTexts() {
    accepted("CDATA", "arcanum", () -> ARCANUM.replace(USER, "<![CDATA[" + USER + "]]>"));
    accepted(
        "CDATA that holds markup nobody reads",
        "arcanum",
        () -> ARCANUM.replace("periodic", "<![CDATA[</cause></event><!DOCTYPE x>&y;]]>"));
    rejected(
        "CDATA that never ends",
        "arcanum",
        "malformed",
        () -> ARCANUM.replace(USER, "<![CDATA[" + USER));
    rejected("the end of no CDATA", "arcanum", "malformed", () -> ARCANUM.replace(USER, "a]]>b"));
    for (String reference :
        List.of("&#0;", "&#xD800;", "&#x110000;", "&#99999999999999999999;", "&#x;", "&#1;")) {
      rejected(
          "the reference " + reference,
          "arcanum",
          "malformed",
          () -> ARCANUM.replace(USER, reference));
    }
    rejected(
        "a reference to nothing", "arcanum", "forbidden-dtd", () -> ARCANUM.replace(USER, "&;"));
    accepted("a reference to an emoji", "arcanum", () -> ARCANUM.replace(USER, "&#128512;"));
    rejected("control characters", "arcanum", "malformed", () -> ARCANUM.replace(USER, "a\u0001b"));
    rejected(
        "400 digits", "arcanum", "bad-value", () -> ARCANUM.replace("234<", "9".repeat(400) + "<"));
    rejected("an emoji for a digit", "arcanum", "bad-value", () -> ARCANUM.replace("234<", "2３4<"));
    rejected(
        "an encoding nobody knows",
        "arcanum",
        "malformed",
        () -> "<?xml version='1.0' encoding='x-none'?>" + ARCANUM);
    rejected(
        "a version of the future", "arcanum", "malformed", () -> "<?xml version='9.9'?>" + ARCANUM);
  }

  private void addMlp() {
    rejected(
        "an offset of 99 hours",
        "mlp",
        "bad-value",
        () -> mlp(MLP_CGI_POS.replace("+0100", "+9900")));
    rejected(
        "February 30", "mlp", "bad-value", () -> mlp(MLP_CGI_POS.replace("20261120", "20260230")));
    rejected(
        "400 digits for a time",
        "mlp",
        "bad-value",
        () -> mlp(MLP_CGI_POS.replace("20261120130001", "2".repeat(400))));
    rejected(
        "digits of another script",
        "mlp",
        "bad-value",
        () -> mlp(MLP_CGI_POS.replace("20261120", "٢٠٢٦١١٢٠")));
    add(
        "20,000 positions",
        "mlp",
        10_000,
        "too-many-records",
        () -> gzip(utf8(mlp(MLP_CGI_POS.repeat(20_000)))));
  }

  private void addGzip() {
    add("a gzip bomb of 1 GB", "json", 0, "message-too-large", () -> gzipOfZeros(1_000));
    add("a gzip bomb of 1 GB", "arcanum", 0, "message-too-large", () -> gzipOfZeros(1_000));
    add("gzip in gzip", "json", 0, "malformed", () -> gzip(gzip(utf8(JSON))));
    add("a gzip bomb in gzip", "arcanum", 0, "malformed", () -> gzip(gzipOfZeros(1_000)));
    add(
        "50,000 empty members of gzip",
        "json",
        0,
        "missing-field",
        () -> repeatedBytes(gzip(new byte[0]), 50_000));
    add("a member of gzip for each byte", "json", 1, null, () -> gzip(eachByte(utf8(JSON))));
    add("gzip of nothing", "arcanum", 0, "malformed", () -> gzip(new byte[0]));
    add(
        "gzip and garbage behind",
        "json",
        0,
        "malformed",
        () -> concatenated(gzip(utf8(JSON)), utf8("x")));
    add(
        "gzip and the start of more",
        "json",
        0,
        "malformed",
        () -> concatenated(gzip(utf8(JSON)), new byte[] {0x1f, (byte) 0x8b}));
    add("two bytes of gzip", "json", 0, "malformed", () -> new byte[] {0x1f, (byte) 0x8b});
    add(
        "gzip with every part of a header",
        "json",
        1,
        null,
        () -> withHeaderParts(gzip(utf8(JSON))));
    add(
        "gzip with flags nobody has defined",
        "json",
        0,
        "malformed",
        () -> withFlags(gzip(utf8(JSON)), 0xe0));
    add(
        "gzip whose header says it is longer",
        "json",
        0,
        "malformed",
        () -> withFlags(gzip(utf8(JSON)), 0x04));
    add(
        "gzip whose name never ends",
        "json",
        0,
        "malformed",
        () -> withFlags(Arrays.copyOf(gzip(utf8(JSON)), 30), 0x08));
  }

  /** What is small on the wire and long to read. */
  private void addMillions() {
    rejected("500,000 tiny lines", "json", "bad-value", () -> "1\n".repeat(500_000));
    rejected("500,000 tiny lines that break", "json", "malformed", () -> "{\n".repeat(500_000));
    rejected("350,000 empty objects", "json", "missing-field", () -> "{}".repeat(350_000));
    rejected(
        "300,000 empty objects in an array",
        "json",
        "missing-field",
        () -> "[" + "{},".repeat(300_000) + "{}]");
    add(
        "8,000,000 empty objects",
        "json",
        0,
        "missing-field",
        () -> gzip(utf8("{}".repeat(8_000_000))));
    add(
        "4,000,000 empty elements",
        "arcanum",
        0,
        "malformed",
        () -> gzip(utf8("<a/>".repeat(4_000_000))));
    add(
        "1,500,000 empty events",
        "arcanum",
        0,
        "missing-field",
        () -> gzip(utf8(arcanumEvents("<event/>".repeat(1_500_000)))));
    add(
        "300,000 names",
        "json",
        0,
        "missing-field",
        () ->
            gzip(
                utf8(
                    "{"
                        + repeated(300_000, i -> "\"" + Integer.toString(i, 36) + "\":0,")
                        + "\"x\":0}")));
  }

  /** Valid gzip of so many MiB of zeros, about 1,000 times smaller; made in a moment. */
  public static byte[] gzipOfZeros(int mebibytes) {
    byte[] zeros = new byte[MEBIBYTE];
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    byte[] block = new byte[8 * 1024];
    deflater.setInput(zeros);
    // Ends at a byte and refers to nothing before, so it may stand any number of times.
    int length = deflater.deflate(block, 0, block.length, Deflater.FULL_FLUSH);
    deflater.end();
    CRC32 checksum = new CRC32();
    ByteArrayOutputStream gzip = new ByteArrayOutputStream(mebibytes * length + 32);
    gzip.writeBytes(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0});
    for (int i = 0; i < mebibytes; i++) {
      gzip.write(block, 0, length);
      checksum.update(zeros);
    }
    // An empty last block.
    gzip.writeBytes(new byte[] {3, 0});
    gzip.writeBytes(
        ByteBuffer.allocate(8)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt((int) checksum.getValue())
            .putInt((int) ((long) mebibytes * MEBIBYTE))
            .array());
    return gzip.toByteArray();
  }

  private static byte[] withFlags(byte[] gzip, int flags) {
    byte[] bytes = gzip.clone();
    bytes[3] = (byte) flags;
    return bytes;
  }

  private static byte[] withHeaderParts(byte[] gzip) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(withFlags(gzip, 0x1f), 0, 10);
    bytes.writeBytes(new byte[] {(byte) 0xff, (byte) 0xff});
    bytes.writeBytes(new byte[0xffff]);
    bytes.writeBytes(utf8("name\0comment\0"));
    bytes.writeBytes(new byte[] {0, 0});
    bytes.write(gzip, 10, gzip.length - 10);
    return bytes.toByteArray();
  }

  private static byte[][] eachByte(byte[] bytes) {
    byte[][] each = new byte[bytes.length][];
    for (int i = 0; i < bytes.length; i++) {
      each[i] = new byte[] {bytes[i]};
    }
    return each;
  }

  private static byte[] repeatedBytes(byte[] bytes, int times) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(bytes.length * times);
    for (int i = 0; i < times; i++) {
      all.writeBytes(bytes);
    }
    return all.toByteArray();
  }

  private static byte[] concatenated(byte[] head, byte[] tail) {
    byte[] bytes = Arrays.copyOf(head, head.length + tail.length);
    System.arraycopy(tail, 0, bytes, head.length, tail.length);
    return bytes;
  }
}
