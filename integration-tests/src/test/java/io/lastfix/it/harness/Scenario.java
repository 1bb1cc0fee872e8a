package io.lastfix.it.harness;

import static java.util.Objects.requireNonNull;

import io.lastfix.workload.Gzip;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A seeded input for the oracle test: towers with versions, sightings of devices over a turn of the
 * year, and the messages that carry them, in five formats, shuffled, some sent twice and some
 * broken. A quarter of the sightings states a position of its own, in JSON, in a shape of MLP, or
 * without a cell as trackers send it. Of those in JSON half stand beside a cell.
 *
 * <p>It shares no code with the job nor with the load generator, so that a mistake there cannot
 * hide here.
 */
public final class Scenario {
  /** Half of the sightings are before this moment, half after. */
  public static final Instant MIDDLE = Instant.parse("2026-01-01T00:00:00Z");

  private static final Instant BEGIN = Instant.parse("2025-12-28T00:00:00Z");
  private static final Instant END = Instant.parse("2026-01-05T00:00:00Z");
  private static final int TOWERS = 60;
  private static final int LATE_TOWERS = 8;

  /** The network of the towers that come late, and of no other. */
  static final int LATE_MNC = 7;

  private static final int UNKNOWN_CELLS = 4;
  private static final int FEW_USERS = 40;

  /**
   * How many times the radius for 95 % is that for 68 %, if the errors to the east and north are
   * normally distributed: the distance then has a Rayleigh distribution.
   */
  private static final double RADIUS_95_BY_68 =
      Math.sqrt(2 * Math.log(20)) / Math.sqrt(2 * Math.log(1 / 0.32));

  private static final DateTimeFormatter MLP_TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.ofHours(-3));

  /** Where a tower stands from a moment on, and how far it is heard; 0 metres: nobody knows. */
  public record Version(Instant from, double lon, double lat, int range) {
    public Version(Instant from, double lon, double lat) {
      this(from, lon, lat, 0);
    }
  }

  /** Where a device says that it is. */
  public record Own(
      double lon,
      double lat,
      @Nullable Double accuracy,
      @Nullable Double altitude,
      String source) {}

  /** One tower. */
  public record TowerFact(
      int mcc, int mnc, int area, long cid, String radio, List<Version> versions) {
    public String cell() {
      return "%d-%d-%d-%d".formatted(mcc, mnc, area, cid);
    }
  }

  /** One sighting; area and radio may not be given, nor may a cell (cid -1) beside a position. */
  public record Fact(
      String user,
      int mcc,
      int mnc,
      @Nullable Integer area,
      long cid,
      @Nullable String radio,
      Instant ts,
      @Nullable Own own) {
    /** In a cell. */
    public Fact(
        String user,
        int mcc,
        int mnc,
        @Nullable Integer area,
        long cid,
        @Nullable String radio,
        Instant ts) {
      this(user, mcc, mnc, area, cid, radio, ts, null);
    }

    /** Without a cell. */
    public static Fact at(String user, Own own, Instant ts) {
      return new Fact(user, -1, -1, null, -1, null, ts, own);
    }

    public Fact withUser(String other) {
      return new Fact(other, mcc, mnc, area, cid, radio, ts, own);
    }

    public Fact beside(Own position) {
      return new Fact(user, mcc, mnc, area, cid, radio, ts, position);
    }

    public Fact at(Instant other) {
      return new Fact(user, mcc, mnc, area, cid, radio, other, own);
    }

    /** Null without one. */
    public @Nullable String cell() {
      return cid < 0 ? null : "%d-%d-%s-%d".formatted(mcc, mnc, area == null ? "" : area, cid);
    }

    /** What makes it the same sighting as another. */
    public String identity() {
      String place = own == null ? "" : own.source() + "|" + own.lon() + "|" + own.lat();
      return user + "|" + ts.toEpochMilli() + "|" + cell() + "|" + place;
    }
  }

  /**
   * A Kafka message, the sightings in it, and how many of its records have to be rejected with
   * which reason.
   */
  public record Message(
      String profile, String text, List<Fact> facts, @Nullable String rejectedAs) {
    public int records() {
      return facts.size() + (rejectedAs == null ? 0 : 1);
    }

    /** As it is sent: every third message of JSON is gzipped. */
    public byte[] bytes() {
      byte[] plain = text.getBytes(StandardCharsets.UTF_8);
      if (!profile.equals("json") || plain.length % 3 != 0 || plain.length == 0) {
        return plain;
      }
      return Gzip.compress(plain);
    }
  }

  private final Random random;
  private final int users;
  private final List<TowerFact> towers = new ArrayList<>();
  private final List<TowerFact> lateTowers = new ArrayList<>();
  private final List<Fact> facts = new ArrayList<>();

  /** Of few users, each seen often. */
  public Scenario(long seed, int sightings) {
    this(seed, sightings, FEW_USERS);
  }

  public Scenario(long seed, int sightings, int users) {
    random = new Random(seed);
    this.users = users;
    makeTowers();
    makeFacts(sightings);
  }

  /** Known from the start. */
  public List<TowerFact> towers() {
    return towers;
  }

  /** Published only after records of them have come in. */
  public List<TowerFact> lateTowers() {
    return lateTowers;
  }

  private void makeTowers() {
    String[] radios = {"GSM", "UMTS", "LTE", "NR"};
    for (int i = 0; i < TOWERS; i++) {
      TowerFact tower =
          tower(310, 1 + i % 3, 1 + i % 5, 1_000_000_000L * (i % 4) + i, radios[i % 4]);
      towers.add(tower);
      if (i % 10 == 3) {
        // The same (mcc, mnc, cid) in another area: only a record with its area can tell.
        towers.add(tower(tower.mcc(), tower.mnc(), tower.area() + 100, tower.cid(), tower.radio()));
      }
      if (i % 10 == 7) {
        // The same four codes on another radio: only a record with its radio can tell.
        towers.add(
            tower(
                tower.mcc(),
                tower.mnc(),
                tower.area(),
                tower.cid(),
                tower.radio().equals("GSM") ? "UMTS" : "GSM"));
      }
    }
    for (int i = 0; i < LATE_TOWERS; i++) {
      lateTowers.add(tower(310, LATE_MNC, 1 + i % 2, 5_000 + i, "LTE"));
    }
  }

  private TowerFact tower(int mcc, int mnc, int area, long cid, String radio) {
    List<Version> versions = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int v = 0; v < count; v++) {
      // Distinct and ascending, some of them before all sightings and some among them.
      Instant from = BEGIN.plusSeconds(86_400L * (3L * v - 1) + random.nextInt(86_400));
      versions.add(position(from));
    }
    return new TowerFact(mcc, mnc, area, cid, radio, versions);
  }

  private Version position(Instant from) {
    return new Version(from, anyLon(), anyLat(), 500 * random.nextInt(10));
  }

  private double anyLon() {
    return round(-122.6 + 0.4 * random.nextDouble());
  }

  private double anyLat() {
    return round(37.5 + 0.4 * random.nextDouble());
  }

  private static double round(double degrees) {
    return Math.round(degrees * 1e6) / 1e6;
  }

  private void makeFacts(int sightings) {
    List<TowerFact> all = allTowers();
    Set<String> identities = new HashSet<>();
    Instant lastTs = BEGIN;
    while (facts.size() < sightings) {
      // Now and then the very same moment, of the same user, in another cell: both are kept, and
      // the cell decides.
      boolean sameMoment = random.nextInt(20) == 0 && !facts.isEmpty();
      Instant ts =
          sameMoment
              ? lastTs
              : BEGIN.plusMillis(
                  (long) (random.nextDouble() * (END.toEpochMilli() - BEGIN.toEpochMilli())));
      String user =
          sameMoment
              ? facts.get(facts.size() - 1).user()
              : "35000000%07d".formatted(random.nextInt(users));
      Fact fact = withPlace(fact(user, ts, all));
      if (identities.add(fact.identity())) {
        facts.add(fact);
        lastTs = ts;
      }
    }
  }

  /**
   * Now and then states a position, near the cell's or not. Not beside a cell that comes late: what
   * is stored of it would depend on when the record came.
   */
  private Fact withPlace(Fact fact) {
    if (random.nextInt(4) != 0) {
      return fact;
    }
    boolean isExact = random.nextBoolean();
    Own own =
        new Own(
            anyLon(),
            anyLat(),
            random.nextInt(5) == 0 ? null : (isExact ? 0.5 : 20.0) * (1 + random.nextInt(80)),
            isExact ? random.nextInt(4_000) / 10.0 - 20 : null,
            isExact ? "gnss" : "network");
    if (random.nextInt(4) == 0) {
      return withMlpShape(fact, own);
    }
    boolean isLate = fact.mnc() == LATE_MNC;
    return isLate || random.nextBoolean() ? Fact.at(fact.user(), own, fact.ts()) : fact.beside(own);
  }

  /**
   * Of what MLP can carry: whole seconds, and a cell as a cgi without or an lte_ci with a radio.
   */
  private static Fact withMlpShape(Fact fact, Own stated) {
    Own own = new Own(stated.lon(), stated.lat(), stated.accuracy(), stated.altitude(), "mlp");
    Instant ts = fact.ts().truncatedTo(ChronoUnit.SECONDS);
    boolean fits = fact.area() == null ? "LTE".equals(fact.radio()) : fact.radio() == null;
    return fits && fact.mnc() != LATE_MNC ? fact.at(ts).beside(own) : Fact.at(fact.user(), own, ts);
  }

  private Fact fact(String user, Instant ts, List<TowerFact> all) {
    if (random.nextInt(30) == 0) {
      return new Fact(user, 310, 9, 1, 900 + random.nextInt(UNKNOWN_CELLS), null, ts);
    }
    TowerFact tower = all.get(random.nextInt(all.size()));
    boolean withArea = random.nextInt(4) != 0;
    // Whether a radio is given depends on the cell alone: the radio is not part of a record's
    // identity.
    boolean withRadio = (tower.cid() + tower.area() + (withArea ? 1 : 0)) % 3 != 0;
    boolean namesRadio = withRadio && isTheNamedRadio(tower);
    // What MLP can carry, it shall carry at times: whole seconds.
    boolean fitsMlp = !withArea && namesRadio && tower.radio().equals("LTE");
    return new Fact(
        user,
        tower.mcc(),
        tower.mnc(),
        withArea ? tower.area() : null,
        tower.cid(),
        namesRadio ? tower.radio() : null,
        fitsMlp ? ts.truncatedTo(ChronoUnit.SECONDS) : ts);
  }

  /**
   * For a cell id that is used on two radios, only one of them is ever named, so that an identity
   * has one radio.
   */
  private boolean isTheNamedRadio(TowerFact tower) {
    return towers.stream()
        .filter(
            t ->
                t.mcc() == tower.mcc()
                    && t.mnc() == tower.mnc()
                    && t.cid() == tower.cid()
                    && t.area() == tower.area())
        .map(TowerFact::radio)
        .min(String::compareTo)
        .orElse(tower.radio())
        .equals(tower.radio());
  }

  /** All towers. */
  public List<TowerFact> allTowers() {
    List<TowerFact> all = new ArrayList<>(towers);
    all.addAll(lateTowers);
    return all;
  }

  /** All sightings, in messages. */
  public List<Message> messages() {
    return messages(facts, true);
  }

  /** The sightings before {@link #MIDDLE}, in messages. */
  public List<Message> firstHalf() {
    return messages(facts.stream().filter(fact -> fact.ts().isBefore(MIDDLE)).toList(), true);
  }

  /** The sightings from {@link #MIDDLE} on, in messages. */
  public List<Message> secondHalf() {
    return messages(facts.stream().filter(fact -> !fact.ts().isBefore(MIDDLE)).toList(), false);
  }

  /** Those messages in which no sighting waits for a cell that nobody will ever know. */
  public List<Message> withoutUnknownCells(List<Message> messages) {
    Set<String> known =
        Stream.concat(towers.stream(), lateTowers.stream())
            .map(tower -> tower.mcc() + "-" + tower.mnc() + "-" + tower.cid())
            .collect(Collectors.toSet());
    return messages.stream()
        .filter(
            message ->
                message.facts().stream()
                    .allMatch(
                        fact ->
                            fact.own() != null
                                || known.contains(
                                    fact.mcc() + "-" + fact.mnc() + "-" + fact.cid())))
        .toList();
  }

  private List<Message> messages(List<Fact> some, boolean withBroken) {
    List<Fact> shuffled = new ArrayList<>(some);
    Collections.shuffle(shuffled, random);
    Map<String, List<Fact>> byFormat =
        shuffled.stream()
            .collect(Collectors.groupingBy(this::format, TreeMap::new, Collectors.toList()));
    List<Message> messages = new ArrayList<>();
    byFormat.forEach(
        (format, facts) -> {
          int next = 0;
          while (next < facts.size()) {
            int most = format.equals("osmand") ? 1 : Math.min(5, facts.size() - next);
            int size = 1 + random.nextInt(most);
            messages.add(message(format, facts.subList(next, next + size)));
            next += size;
          }
        });
    if (withBroken) {
      messages.addAll(broken());
    }
    List<Message> again = messages.stream().filter(message -> random.nextInt(5) == 0).toList();
    messages.addAll(again);
    Collections.shuffle(messages, random);
    return messages;
  }

  /** The format in which a sighting is sent; empty for any that has no positions. */
  private String format(Fact fact) {
    Own own = fact.own();
    if (own == null) {
      // Some stand among positions.
      return random.nextInt(5) == 0 ? "json" : "";
    }
    if (own.source().equals("mlp")) {
      return "mlp";
    }
    if (fact.cell() != null || random.nextBoolean()) {
      return "json";
    }
    return own.source().equals("gnss") && random.nextBoolean() ? "osmand" : "geojson";
  }

  private Message message(String format, List<Fact> some) {
    List<Fact> batch = List.copyOf(some);
    String profile = format.isEmpty() ? formatOfCells(batch) : format;
    String text =
        switch (profile) {
          case "mlp" -> mlp(batch);
          case "arcanum" -> arcanum(batch);
          case "osmand" -> osmand(batch.get(0));
          case "geojson" -> geoJson(batch);
          default -> json(batch);
        };
    return new Message(profile, text, batch, null);
  }

  private String formatOfCells(List<Fact> batch) {
    // MLP knows seconds only, and no area beside an lte_ci: it can carry just what fits.
    boolean fitsMlp =
        batch.stream()
            .allMatch(
                f ->
                    f.area() == null
                        && "LTE".equals(f.radio())
                        && f.ts().truncatedTo(ChronoUnit.SECONDS).equals(f.ts()));
    boolean fitsArcanum = random.nextBoolean();
    return fitsMlp ? "mlp" : fitsArcanum ? "arcanum" : "json";
  }

  private List<Message> broken() {
    List<Message> broken = new ArrayList<>();
    List<Fact> inCells = facts.stream().filter(fact -> fact.own() == null).toList();
    Fact good = inCells.get(0);
    Fact ahead =
        new Fact(
            good.user(),
            good.mcc(),
            good.mnc(),
            good.area(),
            good.cid(),
            good.radio(),
            Instant.parse("2040-01-01T00:00:00Z"));
    Fact ancient =
        new Fact(
            good.user(),
            good.mcc(),
            good.mnc(),
            good.area(),
            good.cid(),
            good.radio(),
            Instant.parse("1970-01-01T00:00:01Z"));
    broken.add(rejected("json", json(List.of(ahead)), "timestamp-ahead"));
    broken.add(rejected("arcanum", arcanum(List.of(ahead)), "timestamp-ahead"));
    broken.add(rejected("json", json(List.of(ancient)), "timestamp-before-floor"));
    broken.add(rejected("json", "{\"user\":\"a\",", "malformed"));
    broken.add(rejected("json", "", "malformed"));
    broken.add(rejected("arcanum", "\u0000\u0001\u0002", "malformed"));
    broken.add(rejected("arcanum", arcanum(List.of(good)).substring(0, 90), "malformed"));
    broken.add(rejected("json", "{\"cell\":\"310-1-1-1\",\"ts\":1767225600000}", "missing-field"));
    broken.add(
        rejected(
            "json", "{\"user\":\"a\",\"cell\":\"310-1-1-x\",\"ts\":1767225600000}", "bad-value"));
    broken.add(
        rejected(
            "arcanum",
            "<!DOCTYPE event [<!ENTITY x \"y\">]>"
                + arcanum(List.of(good)).replace("periodic", "&x;"),
            "forbidden-dtd"));
    broken.add(
        rejected(
            "mlp",
            "<svc_result><slia><pos><msid>1</msid><poserr><result resid=\"6\">FAILURE</result></poserr></pos></slia></svc_result>",
            "no-position"));
    // A bad record among good ones: these go through.
    broken.add(
        new Message(
            "json",
            "[%s,{\"user\":\"a\",\"cell\":\"310-1-1-1\"},%s]"
                .formatted(json(List.of(inCells.get(1))), json(List.of(inCells.get(2)))),
            List.of(inCells.get(1), inCells.get(2)),
            "missing-field"));
    for (String position :
        List.of(
            "{\"lon\":0,\"lat\":0,\"source\":\"gnss\"}",
            "{\"lon\":0.5,\"lat\":90.5,\"source\":\"gnss\"}",
            "{\"lon\":0.5,\"lat\":0.5,\"accuracy\":-1,\"source\":\"network\"}")) {
      broken.add(
          rejected(
              "json",
              "{\"user\":\"a\",\"ts\":1767225600000,\"position\":%s}".formatted(position),
              "invalid-position"));
    }
    broken.add(rejected("osmand", "id=a&timestamp=1767225600&lat=0&lon=0", "invalid-position"));
    broken.add(
        rejected(
            "geojson",
            "{\"type\":\"Feature\",\"id\":\"a\",\"geometry\":null,\"properties\":{}}",
            "missing-field"));
    return broken;
  }

  private static Message rejected(String profile, String text, String reason) {
    return new Message(profile, text, List.of(), reason);
  }

  private static String arcanum(List<Fact> batch) {
    String events =
        batch.stream()
            .map(
                fact ->
                    """
                    <event id="e-1" version="1.0">
                      <header><source>MSC-07</source><type>LOCATION_UPDATE</type></header>
                      <subscriber><imei>%s</imei><imsi>234100000104729</imsi></subscriber>
                      <cell>%s<mcc>%d</mcc><mnc>%d</mnc>%s<cid>%d</cid></cell>
                      <timestamp>%s</timestamp>
                      <cause>periodic</cause>
                    </event>
                    """
                        .formatted(
                            fact.user(),
                            fact.radio() == null ? "" : "<radio>" + fact.radio() + "</radio>",
                            fact.mcc(),
                            fact.mnc(),
                            fact.area() == null ? "" : "<lac>" + fact.area() + "</lac>",
                            fact.cid(),
                            fact.ts()))
            .collect(Collectors.joining());
    return batch.size() == 1 ? events : "<events>\n" + events + "</events>\n";
  }

  private String json(List<Fact> batch) {
    List<String> objects =
        batch.stream()
            .map(
                fact -> {
                  String ts =
                      random.nextBoolean()
                          ? Long.toString(fact.ts().toEpochMilli())
                          : "\"" + fact.ts() + "\"";
                  return "{\"user\":\"%s\"%s,\"ts\":%s%s}"
                      .formatted(fact.user(), jsonCell(fact), ts, jsonPosition(fact));
                })
            .toList();
    if (objects.size() == 1) {
      return objects.get(0);
    }
    return random.nextBoolean()
        ? "[" + String.join(",", objects) + "]"
        : String.join("\n", objects) + "\n";
  }

  private static String jsonCell(Fact fact) {
    if (fact.cell() == null) {
      return "";
    }
    return fact.radio() == null
        ? ",\"cell\":\"" + fact.cell() + "\""
        : ",\"cell\":{\"radio\":\"%s\",\"mcc\":%d,\"mnc\":%d,%s\"cid\":%d}"
            .formatted(
                fact.radio(),
                fact.mcc(),
                fact.mnc(),
                fact.area() == null ? "" : "\"area\":" + fact.area() + ",",
                fact.cid());
  }

  /** Now and then (0, 0), which is no position: the record goes on at its cell. */
  private String jsonPosition(Fact fact) {
    Own own = fact.own();
    if (own == null) {
      return random.nextInt(10) == 0
          ? ",\"position\":{\"lon\":0,\"lat\":0,\"accuracy\":10,\"source\":\"gnss\"}"
          : "";
    }
    return ",\"position\":{\"lon\":%s,\"lat\":%s%s%s,\"source\":\"%s\"}"
        .formatted(
            own.lon(),
            own.lat(),
            own.accuracy() == null ? "" : ",\"accuracy\":" + own.accuracy(),
            own.altitude() == null ? "" : ",\"altitude\":" + own.altitude(),
            own.source());
  }

  private static String mlp(List<Fact> batch) {
    return batch.stream()
        .map(
            fact ->
                """
                <pos><msid type="MSISDN">%s</msid>
                <pd><time utc_off="-0300">%s</time>%s</pd>
                %s</pos>
                """
                    .formatted(
                        fact.user(), MLP_TIME.format(fact.ts()), mlpShape(fact), mlpCell(fact)))
        .collect(
            Collectors.joining(
                "", "<svc_result ver=\"3.4.0\"><slia ver=\"3.4.0\">", "</slia></svc_result>"));
  }

  private static String mlpCell(Fact fact) {
    if (fact.cell() == null) {
      return "";
    }
    return fact.area() == null
        ? "<serving_cell><mcc>%d</mcc><mnc>%d</mnc><lte_ci>%d</lte_ci></serving_cell>"
            .formatted(fact.mcc(), fact.mnc(), fact.cid())
        : ("<gsm_net_param><cgi><mcc>%d</mcc><mnc>%d</mnc><lac>%d</lac><cellid>%d</cellid></cgi>"
                + "</gsm_net_param>")
            .formatted(fact.mcc(), fact.mnc(), fact.area(), fact.cid());
  }

  /** X is the latitude. A circle that covers an ellipse has its larger semi-axis. */
  private static String mlpShape(Fact fact) {
    Own own = fact.own();
    if (own == null) {
      return "";
    }
    String coord = "<coord><X>%s</X><Y>%s</Y></coord>".formatted(own.lat(), own.lon());
    String shape;
    if (own.accuracy() == null) {
      shape = "<Point>" + coord + "</Point>";
    } else if (fact.ts().getEpochSecond() % 2 == 0) {
      shape = "<CircularArea>%s<radius>%s</radius></CircularArea>".formatted(coord, own.accuracy());
    } else {
      shape =
          ("<EllipticalArea>%s<angle>30</angle><semiMajor>%s</semiMajor><semiMinor>0.5</semiMinor>"
                  + "</EllipticalArea>")
              .formatted(coord, own.accuracy());
    }
    return "<shape>%s</shape>%s"
        .formatted(shape, own.altitude() == null ? "" : "<alt>" + own.altitude() + "</alt>");
  }

  /** States the radius for 68 %, less than half a millimetre below the one to be rounded up. */
  private String osmand(Fact fact) {
    Own own = requireNonNull(fact.own());
    String accuracy =
        own.accuracy() == null ? "" : "&accuracy=" + (own.accuracy() - 0.0004) / RADIUS_95_BY_68;
    return "id=%s&timestamp=%s&lat=%s&lon=%s%s%s&speed=1.5"
        .formatted(
            fact.user(),
            random.nextBoolean() ? fact.ts().toEpochMilli() : fact.ts(),
            own.lat(),
            own.lon(),
            accuracy,
            own.altitude() == null ? "" : "&altitude=" + own.altitude());
  }

  private String geoJson(List<Fact> batch) {
    List<String> features = batch.stream().map(Scenario::feature).toList();
    return random.nextBoolean()
        ? "[" + String.join(",", features) + "]"
        : String.join("\n", features) + "\n";
  }

  private static String feature(Fact fact) {
    Own own = requireNonNull(fact.own());
    return """
    {"type":"Feature","geometry":{"type":"Point","coordinates":[%s,%s%s]},\
    "properties":{"user":"%s","timestamp":"%s","source":"%s"%s}}"""
        .formatted(
            own.lon(),
            own.lat(),
            own.altitude() == null ? "" : "," + own.altitude(),
            fact.user(),
            fact.ts(),
            own.source(),
            own.accuracy() == null ? "" : ",\"accuracy\":" + own.accuracy());
  }
}
