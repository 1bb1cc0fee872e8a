package io.lastfix.bench;

import io.lastfix.bench.Bench.RunningJob;
import io.lastfix.bench.load.BenchGateway;
import io.lastfix.bench.load.LoadPlan;
import io.lastfix.bench.load.LoadProcess;
import io.lastfix.bench.load.LoadResult;
import io.lastfix.bench.measure.Goal;
import io.lastfix.bench.measure.ProcessCpu;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.Report;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.measure.Statistics;
import io.lastfix.bench.servers.BenchTopics;
import io.lastfix.kit.poll.Poll;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.MqttServer;
import io.lastfix.model.device.Presence;
import io.lastfix.operate.bench.BenchOptions;
import io.lastfix.operate.bench.GatewayLoad;
import io.lastfix.workload.MessageFormat;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bson.Document;

/**
 * What the gateway takes of a processor for each request, registration, heartbeat and message. The
 * clients run in processes of their own, whose CPU is in no figure of the gateway; but they share
 * the machine's cores with it, so rates and latencies are those of this machine, and the CPU of a
 * request is the figure to compare.
 */
final class GatewayPart implements BenchPart {
  private static final int KILOBYTE = 1_000;

  /**
   * Registrations have memory for about 500 open ones; beyond, a gateway answers with 503 and when
   * to retry.
   */
  private static final int REGISTERING_CONNECTIONS = 256;

  private static final int MQTT_BYTES = 500;
  private static final long SHORT_MESSAGES = 20_000;

  /** Requests a second of signed records beside the heartbeats, each with eight records. */
  private static final double BESIDE_PER_SECOND = 200;

  private static final String MQTT_RECEIVED = "lastfix_gateway_mqtt_received_total";
  private static final String RECORDS = "lastfix_gateway_records_total";
  private static final double WARM_UP_SHARE = 4;
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final double MICROS = 1e6;

  /**
   * A kind of request.
   *
   * @param name in the table
   * @param bytes of the body
   * @param isFresh whether each has a connection of its own
   */
  private record Request(String name, int bytes, boolean isFresh) {}

  private static final Request SMALL = new Request("1 kB", KILOBYTE, false);
  private static final Request LARGE = new Request("33 kB", 33 * KILOBYTE, false);
  private static final Request FRESH = new Request("1 kB, each a new connection", KILOBYTE, true);

  /**
   * One measurement under load.
   *
   * @param load what the clients saw
   * @param gatewayCpu seconds of all gateways
   * @param kafkaCpu seconds of the broker
   */
  private record Loaded(LoadResult load, double gatewayCpu, double kafkaCpu) {
    double gatewayMicros() {
      return gatewayCpu * MICROS / load.answers();
    }

    double kafkaMicros() {
      return kafkaCpu * MICROS / load.answers();
    }

    double clientMicros() {
      return load.cpuSeconds() * MICROS / load.answers();
    }
  }

  @Override
  public void run(Bench bench) throws Exception {
    if (!bench.isLocalStack()) {
      throw new IOException(
          "gateway compares CPU, which is visible on the local stack only: unset LASTFIX_MONGO_URI, LASTFIX_KAFKA and LASTFIX_FLINK");
    }
    Path directory = Files.createDirectories(bench.options().output());
    try (BenchGateway gateways =
        new BenchGateway(BenchTopics.PREFIX, bench.config().kafka(), directory)) {
      for (GatewayLoad load : bench.options().gatewayLoads()) {
        switch (load) {
          case registrations -> registrations(bench, gateways);
          case requests -> requests(bench, gateways);
          case mqtt -> mqtt(bench, gateways);
          case heartbeats -> heartbeats(bench, gateways);
        }
        gateways.stop();
      }
    }
  }

  /** Runs a load, and reads the processes' CPU at both ends of its measured time. */
  private static Loaded measure(Bench bench, BenchGateway gateways, LoadPlan plan)
      throws IOException {
    try (LoadProcess load = LoadProcess.start(plan, gateways.directory())) {
      load.awaitBegin();
      double gateway = gateways.cpuSeconds();
      ProcessCpu.Reading servers = bench.cpu().read();
      load.awaitEnd();
      double gatewayUsed = gateways.cpuSeconds() - gateway;
      double kafkaUsed = bench.cpu().read().since(servers).of(Server.KAFKA);
      return new Loaded(load.result(), gatewayUsed, kafkaUsed);
    }
  }

  private static void registrations(Bench bench, BenchGateway gateways) throws Exception {
    Report report = bench.report();
    int agents = bench.options().agents();
    bench.say("Gateway: %,d registrations with one manifest".formatted(agents));
    GatewayServer gateway = gateways.start(List.of());
    URI address = URI.create(gateway.endpoint());
    long before = BenchGateway.heapBytes(gateway);
    Loaded loaded =
        measure(
            bench,
            gateways,
            LoadPlan.registrations(
                address, gateways.token(), agents, Math.min(REGISTERING_CONNECTIONS, agents)));
    double heap = (BenchGateway.heapBytes(gateway) - before) / (double) agents;
    if (loaded.load().failures() > 0) {
      bench.say(
          "Gateway: registrations by status (0: a connection ended): %s; see load.log in %s"
              .formatted(new TreeMap<>(loaded.load().statuses()), gateways.directory()));
    }
    ResultTable table =
        new ResultTable(
            "gatewayRegistrations",
            "Gateway: registrations of new devices with one new manifest, over up to %,d connections, into a gateway that has just started"
                .formatted(REGISTERING_CONNECTIONS),
            new Column("registrations", "registrations", 0),
            new Column("seconds", "s", 1),
            new Column("perSecond", "registrations/s", 0),
            new Column("failures", "failures", 0),
            new Column("gatewayMicros", "gateway µs each", 1),
            new Column("kafkaMicros", "Kafka µs each", 1),
            new Column("heapBytes", "live heap bytes a device", 0));
    table.row(
        agents,
        loaded.load().seconds(),
        loaded.load().perSecond(),
        loaded.load().failures(),
        loaded.gatewayMicros(),
        loaded.kafkaMicros(),
        heap);
    report.add(table);
    Goals.Gateway goals = bench.goals().gateway();
    report.add(
        Goal.atMost(
            "gateway: seconds for %,d registrations with one manifest".formatted(agents),
            goals.registrationSeconds(),
            loaded.load().seconds()));
    report.add(
        Goal.atMost(
            "gateway: registrations without success",
            goals.failures(),
            (double) loaded.load().failures()));
  }

  private static void requests(Bench bench, BenchGateway gateways) throws Exception {
    Report report = bench.report();
    GatewayServer gateway = gateways.start(List.of());
    URI address = URI.create(gateway.endpoint());
    ResultTable table =
        new ResultTable(
            "gatewayRequests",
            "Gateway: signed requests, 1,000 devices, 64 connections; the median of the rounds at the highest rate",
            new Column("request", "request", 0),
            new Column("load", "load", 0),
            new Column("perSecond", "requests/s", 0),
            new Column("spread", "min–max", 0),
            new Column("gatewayMicros", "gateway µs/request", 1),
            new Column("gatewaySpread", "min–max", 1),
            new Column("kafkaMicros", "Kafka µs/request", 1),
            new Column("clientMicros", "client µs/request", 1),
            new Column("p50Millis", "p50 ms", 1),
            new Column("p99Millis", "p99 ms", 1),
            new Column("maxMillis", "max ms", 1),
            new Column("failures", "failures", 0));
    int rounds = bench.options().rounds();
    int seconds = bench.options().seconds();
    Map<Request, List<Loaded>> highest = new HashMap<>();
    List<Request> all = List.of(SMALL, LARGE, FRESH);
    for (int round = 0; round <= rounds; round++) {
      for (Request request : BenchPart.inTurn(all, round)) {
        LoadPlan plan =
            LoadPlan.records(address, gateways.token(), request.bytes(), request.isFresh());
        if (round == 0) {
          // Until the gateway's code is compiled, it takes twice as much.
          var unused = measure(bench, gateways, plan.at(0, WARM_UP_SHARE * seconds, 1));
          continue;
        }
        Loaded loaded = measure(bench, gateways, plan.at(0, 1, seconds));
        highest.computeIfAbsent(request, key -> new ArrayList<>()).add(loaded);
        bench.say(
            "Gateway, round %d, %s: %,.0f requests/s, %.1f µs"
                .formatted(
                    round, request.name(), loaded.load().perSecond(), loaded.gatewayMicros()));
      }
    }
    Goals.Gateway goals = bench.goals().gateway();
    for (Request request : all) {
      List<Loaded> measured = highest.get(request);
      double rate = row(table, request, "highest", measured);
      LoadPlan plan =
          LoadPlan.records(address, gateways.token(), request.bytes(), request.isFresh());
      Loaded half = measure(bench, gateways, plan.at(rate / 2, 1, 4.0 * seconds));
      var unused = row(table, request, "half", List.of(half));
      if (!request.isFresh()) {
        report.add(
            Goal.atMost(
                "gateway: CPU µs per signed request of " + request.name(),
                request.equals(SMALL) ? goals.cpuMicros1kb() : goals.cpuMicros33kb(),
                Statistics.median(measured.stream().map(Loaded::gatewayMicros).toList())));
      }
      if (request.equals(SMALL)) {
        report.add(
            Goal.atMost(
                "gateway: p99 ms of signed requests of 1 kB at half the highest rate",
                goals.p99Millis(),
                half.load().p99Millis()));
      }
    }
    report.add(table);
  }

  /** Returns the median of the rates. */
  private static double row(
      ResultTable table, Request request, String load, List<Loaded> measured) {
    List<Double> rates = measured.stream().map(it -> it.load().perSecond()).toList();
    List<Double> micros = measured.stream().map(Loaded::gatewayMicros).toList();
    double rate = Statistics.median(rates);
    table.row(
        request.name(),
        load,
        rate,
        Statistics.spread(rates, 0),
        Statistics.median(micros),
        Statistics.spread(micros, 1),
        Statistics.median(measured.stream().map(Loaded::kafkaMicros).toList()),
        Statistics.median(measured.stream().map(Loaded::clientMicros).toList()),
        Statistics.median(measured.stream().map(it -> it.load().p50Millis()).toList()),
        Statistics.median(measured.stream().map(it -> it.load().p99Millis()).toList()),
        Statistics.median(measured.stream().map(it -> it.load().maxMillis()).toList()),
        measured.stream().mapToLong(it -> it.load().failures()).sum());
    return rate;
  }

  /**
   * A load of MQTT messages.
   *
   * @param name in the table
   * @param gateways that share the subscription
   * @param isSigned whether messages are signed
   * @param messagesPerGateway published in all
   * @param perSecondAndGateway 0: as fast as the broker takes them
   */
  private record Kind(
      String name,
      int gateways,
      boolean isSigned,
      long messagesPerGateway,
      double perSecondAndGateway) {}

  private static final Kind FASTEST = new Kind("1", 1, false, 300_000, 0);
  private static final Kind SIGNED = new Kind("1, signed", 1, true, 300_000, 0);

  /**
   * A gateway with more to do takes less for each message, since it writes larger batches. So one
   * and two are compared at the same rate of each gateway.
   */
  private static final Kind ONE = new Kind("1, at a fixed rate", 1, false, 100_000, 2_000);

  private static final Kind TWO = new Kind("2, at twice that rate", 2, false, 100_000, 2_000);

  /** Messages and CPU of the gateways, between two readings of their counter. */
  private record Messages(double messages, double seconds, double gatewayCpu, double kafkaCpu) {
    double perSecond() {
      return messages / seconds;
    }

    double micros() {
      return gatewayCpu * MICROS / messages;
    }
  }

  private static void mqtt(Bench bench, BenchGateway gateways) throws Exception {
    Report report = bench.report();
    Goals.Gateway goals = bench.goals().gateway();
    String cost = "gateway: CPU µs per MQTT message of 500 bytes, QoS 1, unsigned";
    String two =
        "gateway: MQTT messages that two gateways take, ratio to one, by CPU a message at the same rate of each";
    Optional<Path> mosquitto = MqttServer.findMosquitto(System.getenv());
    if (mosquitto.isEmpty()) {
      String why = "Mosquitto is not installed";
      bench.say("Gateway: no MQTT, because " + why);
      report.add(Goal.atMost(cost, goals.mqttCpuMicros(), Double.NaN).orElse(why));
      report.add(Goal.atLeast(two, goals.twoGatewaysRatio(), Double.NaN).orElse(why));
      return;
    }
    ResultTable table =
        new ResultTable(
            "gatewayMqtt",
            "Gateway: MQTT messages of 500 bytes at QoS 1 from Mosquitto, as fast as it takes them from four publishers, or at a fixed rate",
            new Column("gateways", "gateways", 0),
            new Column("messages", "messages", 0),
            new Column("perSecond", "messages/s", 0),
            new Column("spread", "min–max", 0),
            new Column("gatewayMicros", "gateways µs/message", 1),
            new Column("gatewaySpread", "min–max", 1),
            new Column("kafkaMicros", "Kafka µs/message", 1));
    Map<Kind, List<Messages>> measured = new HashMap<>();
    List<Kind> kinds = List.of(FASTEST, SIGNED, ONE, TWO);
    for (int round = 1; round <= bench.options().rounds(); round++) {
      for (Kind kind : BenchPart.inTurn(kinds, round)) {
        Messages messages = messages(bench, gateways, mosquitto.get(), kind);
        measured.computeIfAbsent(kind, key -> new ArrayList<>()).add(messages);
        bench.say(
            "Gateway, round %d, MQTT, gateways: %s: %,.0f messages/s, %.1f µs"
                .formatted(round, kind.name(), messages.perSecond(), messages.micros()));
      }
    }
    for (Kind kind : kinds) {
      List<Messages> rounds = measured.get(kind);
      List<Double> rates = rounds.stream().map(Messages::perSecond).toList();
      List<Double> micros = rounds.stream().map(Messages::micros).toList();
      table.row(
          kind.name(),
          rounds.stream().mapToLong(it -> (long) it.messages()).sum(),
          Statistics.median(rates),
          Statistics.spread(rates, 0),
          Statistics.median(micros),
          Statistics.spread(micros, 1),
          Statistics.median(
              rounds.stream().map(it -> it.kafkaCpu() * MICROS / it.messages()).toList()));
    }
    report.add(table);
    report.add(Goal.atMost(cost, goals.mqttCpuMicros(), micros(measured.get(FASTEST))));
    report.add(
        Goal.atLeast(
            two,
            goals.twoGatewaysRatio(),
            2 * micros(measured.get(ONE)) / micros(measured.get(TWO))));
  }

  private static double micros(List<Messages> rounds) {
    return Statistics.median(rounds.stream().map(Messages::micros).toList());
  }

  /** Publishes messages, and measures while the gateways take the last two thirds of them. */
  private static Messages messages(Bench bench, BenchGateway gateways, Path mosquitto, Kind kind)
      throws Exception {
    MqttServer broker = gateways.startBroker(mosquitto);
    URI address = null;
    for (int i = 0; i < kind.gateways(); i++) {
      GatewayServer gateway =
          gateways.start(
              List.of(
                  "mqtt.broker=" + broker.endpoint(),
                  "mqtt.client-id-file=" + gateways.directory().resolve("mqtt-client-id-" + i),
                  "mqtt.records=" + (kind.isSigned() ? "signed" : "unsigned")));
      address = URI.create(gateway.endpoint());
    }
    // As many for each gateway, so that its code is compiled as well.
    long all =
        kind.gateways() * (bench.options().isShort() ? SHORT_MESSAGES : kind.messagesPerGateway());
    LoadPlan plan =
        LoadPlan.messages(
                URI.create(broker.endpoint()),
                address,
                gateways.token(),
                kind.isSigned(),
                MQTT_BYTES,
                all)
            .at(kind.gateways() * kind.perSecondAndGateway(), 0, 0);
    try (LoadProcess load = LoadProcess.start(plan, gateways.directory())) {
      load.awaitBegin();
      double warm = await(gateways, all / 3.0);
      long began = System.nanoTime();
      double gateway = gateways.cpuSeconds();
      ProcessCpu.Reading servers = bench.cpu().read();
      double end = await(gateways, (double) all);
      Messages messages =
          new Messages(
              end - warm,
              (System.nanoTime() - began) / 1e9,
              gateways.cpuSeconds() - gateway,
              bench.cpu().read().since(servers).of(Server.KAFKA));
      load.awaitEnd();
      long refused = load.result().failures();
      double received = gateways.counter(MQTT_RECEIVED);
      if (refused > 0 || received != all) {
        throw new IOException(
            "of %,d messages the broker refused %,d, and the gateways received %,.0f: see %s"
                .formatted(all, refused, received, gateways.directory()));
      }
      return messages;
    } finally {
      gateways.stop();
    }
  }

  private static double await(BenchGateway gateways, double wanted)
      throws IOException, InterruptedException {
    Poll poll = new Poll(POLL, PATIENCE);
    while (true) {
      double stored = gateways.counter(RECORDS);
      if (stored >= wanted) {
        return stored;
      }
      poll.pause(
          () ->
              new IOException(
                  "the gateways stored %,.0f of %,.0f messages within %d s: see %s"
                      .formatted(stored, wanted, PATIENCE.toSeconds(), gateways.directory())));
    }
  }

  private static void heartbeats(Bench bench, BenchGateway gateways) throws Exception {
    BenchOptions options = bench.options();
    int agents = options.agents();
    int interval = options.heartbeatIntervalSeconds();
    int stop = options.heartbeatSeconds();
    // Offline after three intervals; the job's watermark and its sink take some seconds more.
    int seconds = stop + 4 * interval + 15;
    bench.say(
        "Gateway: heartbeats of %,d agents for %d s, beside records".formatted(agents, seconds));
    bench.store().drop();
    GatewayServer gateway = gateways.start(List.of());
    URI address = URI.create(gateway.endpoint());
    bench.topics().fillCells(Bench.CELLS_TOPIC, bench.cells());
    Path silent = gateways.directory().resolve("silent.txt");
    Map<String, String> devicesKeys =
        Map.of(
            "devices.heartbeats-topic", gateways.heartbeatsTopic(),
            "devices.presence-topic", BenchTopics.PREFIX + "presence",
            "devices.usage-topic", gateways.devicesTopic());
    try (RunningJob devices = bench.submitDevices(devicesKeys);
        RunningJob location =
            bench.submit(Bench.keys(gateways.recordsPrefix(), MessageFormat.JSON));
        LoadProcess load =
            LoadProcess.start(
                LoadPlan.heartbeats(
                    address, gateways.token(), agents, interval, seconds, stop, silent),
                gateways.directory());
        LoadProcess records =
            LoadProcess.start(
                LoadPlan.records(address, gateways.token(), KILOBYTE, false)
                    .at(BESIDE_PER_SECOND, 0, seconds),
                gateways.directory())) {
      records.awaitBegin();
      load.awaitBegin();
      long began = System.nanoTime();
      double gatewayCpu = gateways.cpuSeconds();
      ProcessCpu.Reading servers = bench.cpu().read();
      Set<String> expected = new HashSet<>(Files.readAllLines(silent));
      long wrong = wrongPresences(bench, agents, expected, began, stop + 3L * interval, seconds);
      double used = gateways.cpuSeconds() - gatewayCpu;
      ProcessCpu.Reading others = bench.cpu().read().since(servers);
      double elapsed = (System.nanoTime() - began) / 1e9;
      load.awaitEnd();
      LoadResult heartbeats = load.result();
      records.awaitEnd();
      LoadResult beside = records.result();
      devices.requireAlive();
      location.requireAlive();
      report(bench, agents, heartbeats, beside, used / elapsed, others.perSecond(elapsed), wrong);
    }
  }

  private static void report(
      Bench bench,
      int agents,
      LoadResult heartbeats,
      LoadResult beside,
      double gatewayCpu,
      ProcessCpu.Reading others,
      long wrong) {
    Report report = bench.report();
    ResultTable table =
        new ResultTable(
            "gatewayHeartbeats",
            "Gateway: signed heartbeats of all agents in turn, beside %,.0f signed requests/s of 1 kB with records, both jobs and MongoDB; later a random third stops"
                .formatted(BESIDE_PER_SECOND),
            new Column("agents", "agents", 0),
            new Column("seconds", "s", 0),
            new Column("perSecond", "heartbeats/s", 0),
            new Column("p50Millis", "p50 ms", 1),
            new Column("p99Millis", "p99 ms", 1),
            new Column("maxMillis", "max ms", 0),
            new Column("failures", "failures", 0),
            new Column("recordFailures", "failures of records", 0),
            new Column("wrong", "wrong presences", 0),
            new Column("gatewayCpu", "gateway CPU s/s", 2),
            new Column("flinkCpu", "Flink CPU s/s", 2),
            new Column("kafkaCpu", "Kafka CPU s/s", 2),
            new Column("mongodbCpu", "MongoDB CPU s/s", 2));
    table.row(
        agents,
        heartbeats.seconds(),
        heartbeats.perSecond(),
        heartbeats.p50Millis(),
        heartbeats.p99Millis(),
        heartbeats.maxMillis(),
        heartbeats.failures(),
        beside.failures(),
        wrong,
        gatewayCpu,
        others.of(Server.FLINK),
        others.of(Server.KAFKA),
        others.of(Server.MONGODB));
    report.add(table);
    Goals.Gateway goals = bench.goals().gateway();
    report.add(
        Goal.atMost(
            "gateway: heartbeats of %,d agents without success".formatted(agents),
            goals.failures(),
            (double) heartbeats.failures()));
    report.add(
        Goal.atMost(
            "gateway: wrong presences of %,d agents after a random third has stopped"
                .formatted(agents),
            goals.wrongPresences(),
            (double) wrong));
  }

  /**
   * Waits until the stored presence is as expected, from the instant on at which it may be, until
   * the load ends.
   *
   * @return devices whose stored state is another
   */
  private static long wrongPresences(
      Bench bench, int agents, Set<String> silent, long began, long fromSeconds, long untilSeconds)
      throws InterruptedException {
    sleepUntil(began, fromSeconds);
    while (true) {
      Set<String> offline = new HashSet<>();
      long online = 0;
      for (Document device :
          bench
              .store()
              .database()
              .getCollection("devices")
              .find(new Document("class", "bench"))
              .projection(new Document("state", 1))) {
        if (device.getString("state").equals(Presence.State.OFFLINE.text())) {
          offline.add(device.getString("_id"));
        } else {
          online++;
        }
      }
      long wrong =
          offline.stream().filter(device -> !silent.contains(device)).count()
              + silent.stream().filter(device -> !offline.contains(device)).count()
              + Math.abs(agents - silent.size() - online);
      if (wrong == 0 || System.nanoTime() - began > (untilSeconds - 1) * 1e9) {
        return wrong;
      }
      Thread.sleep(POLL.toMillis() * 4);
    }
  }

  private static void sleepUntil(long began, long seconds) throws InterruptedException {
    long millis = seconds * 1_000 - (System.nanoTime() - began) / 1_000_000;
    if (millis > 0) {
      Thread.sleep(millis);
    }
  }
}
