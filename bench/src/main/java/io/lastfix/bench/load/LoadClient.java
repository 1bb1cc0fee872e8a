package io.lastfix.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.kit.failure.RootCause;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The load generator's program. Its argument is a file with a {@link LoadPlan}. It prints {@link
 * #BEGINS} and {@link #ENDS} at the limits of the measured time, and then the {@link LoadResult} on
 * one line.
 */
public final class LoadClient {
  /** The measured time begins. */
  public static final String BEGINS = "begins";

  /** The measured time ends. */
  public static final String ENDS = "ends";

  private static final String RECORDS_PATH = "/v1/records/json";
  private static final String HEARTBEAT_PATH = "/v1/heartbeat";
  private static final int REGISTERING_CONNECTIONS = 64;

  /** Bytes of all prepared requests; they are sent again and again. */
  private static final long PREPARED_BYTES = 128L << 20;

  private static final int MAX_PREPARED = 50_000;

  /** At the highest rate, where nothing but the gateway counts, and devices repeat themselves. */
  private static final int MAX_PREPARED_AT_HIGHEST_RATE = 10_000;

  private static final long SEED = 17;

  /** Signed again once it is so old: a signature of HTTP is valid for 300 s. */
  private static final long MAX_SIGNATURE_SECONDS = 200;

  private final LoadPlan plan;
  private final PrintStream out;

  private LoadClient(LoadPlan plan, PrintStream out) {
    this.plan = plan;
    this.out = out;
  }

  /** Runs the plan. */
  public static void main(String[] arguments) throws Exception {
    ObjectMapper json = new ObjectMapper();
    LoadPlan plan = json.readValue(Path.of(arguments[0]).toFile(), LoadPlan.class);
    LoadResult result = new LoadClient(plan, System.out).run();
    System.out.println(json.writeValueAsString(result));
  }

  private LoadResult run() throws Exception {
    return switch (plan.kind()) {
      case RECORDS -> records();
      case REGISTRATIONS -> register(new ArrayList<>(), plan.connections(), window());
      case HEARTBEATS -> heartbeats();
      case MESSAGES -> messages();
    };
  }

  private HttpLoad.Window window() {
    return new HttpLoad.Window() {
      @Override
      public void begins() {
        out.println(BEGINS);
      }

      @Override
      public void ends() {
        out.println(ENDS);
      }
    };
  }

  private static final HttpLoad.Window UNMEASURED =
      new HttpLoad.Window() {
        @Override
        public void begins() {}

        @Override
        public void ends() {}
      };

  /**
   * Registers all devices as fast as the gateway answers. Each kind of load has devices of its own,
   * because a record is a sign of life, too.
   */
  private LoadResult register(List<Device> devices, int connections, HttpLoad.Window window)
      throws IOException {
    Device[] registered = new Device[plan.devices()];
    Map<String, String> headers =
        Map.of("content-type", "application/json", "authorization", "Bearer " + plan.token());
    URI gateway = URI.create(plan.gateway());
    List<String> refused = new ArrayList<>();
    LoadResult result;
    try (HttpLoad load = new HttpLoad(gateway.getHost(), gateway.getPort(), connections, false)) {
      result =
          load.run(
              number ->
                  Device.request(
                      "/v1/devices",
                      headers,
                      Bodies.registration(
                          new UUID(plan.kind().name().hashCode(), number).toString())),
              (number, status, body) -> {
                if (status != 201) {
                  refused.add(status + " " + new String(bytes(body), UTF_8));
                  return;
                }
                try {
                  registered[(int) number] = Device.of(bytes(body));
                } catch (IOException e) {
                  refused.add("the answer is no JSON: " + e.getMessage());
                }
              },
              plan.devices(),
              0,
              0,
              TimeUnit.HOURS.toNanos(1),
              window);
    }
    if (!refused.isEmpty()) {
      String what =
          "%,d registrations were refused, the first: %s".formatted(refused.size(), refused.get(0));
      if (window == UNMEASURED) {
        throw new IOException(what);
      }
      System.err.println(what);
    }
    for (Device device : registered) {
      if (device != null) {
        devices.add(device);
      }
    }
    return result;
  }

  private List<Device> registered() throws IOException {
    List<Device> devices = new ArrayList<>();
    var unused = register(devices, Math.min(REGISTERING_CONNECTIONS, plan.devices()), UNMEASURED);
    return devices;
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  /** Requests are signed before, so that the generator's CPU is small beside the gateway's. */
  private LoadResult records() throws IOException {
    List<Device> devices = registered();
    SplittableRandom random = new SplittableRandom(SEED);
    Instant now = Instant.now();
    byte[][] bodies = new byte[prepared()][];
    byte[][] requests = new byte[bodies.length][];
    Instant[] signed = new Instant[bodies.length];
    for (int i = 0; i < bodies.length; i++) {
      Device device = devices.get(i % devices.size());
      bodies[i] = body(device, i, now, random);
      signed[i] = now;
      requests[i] = device.request(RECORDS_PATH, bodies[i], now);
    }
    try (HttpLoad load = load()) {
      return load.run(
          number -> {
            int i = (int) (number % requests.length);
            Instant instant = Instant.now();
            if (signed[i].plusSeconds(MAX_SIGNATURE_SECONDS).isBefore(instant)) {
              signed[i] = instant;
              requests[i] =
                  devices.get(i % devices.size()).request(RECORDS_PATH, bodies[i], instant);
            }
            return requests[i];
          },
          HttpLoad.Answers.IGNORED,
          Long.MAX_VALUE,
          plan.perSecond(),
          nanos(plan.warmUpSeconds()),
          nanos(plan.seconds()),
          window());
    }
  }

  /** Each a few records of its device, none of which was sent before or lies in the future. */
  private byte[] body(Device device, int number, Instant now, SplittableRandom random) {
    return Bodies.records(device.name(), plan.bytes(), now.toEpochMilli() - number, random);
  }

  private int prepared() {
    int most = plan.perSecond() == 0 ? MAX_PREPARED_AT_HIGHEST_RATE : MAX_PREPARED;
    return (int) Math.min(most, PREPARED_BYTES / (plan.bytes() + 700));
  }

  private HttpLoad load() throws IOException {
    return new HttpLoad(plan.host(), plan.port(), plan.connections(), plan.isFresh());
  }

  private static long nanos(double seconds) {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  /** Every device in turn, at the same distance from the one before. */
  private LoadResult heartbeats() throws IOException {
    List<Device> devices = registered();
    double perSecond = devices.size() / (double) plan.intervalSeconds();
    Set<Integer> silent = new HashSet<>();
    SplittableRandom random = new SplittableRandom(SEED);
    while (silent.size() < devices.size() / 3) {
      silent.add(random.nextInt(devices.size()));
    }
    Files.write(plan.silent(), silent.stream().map(index -> devices.get(index).name()).toList());
    long lastOfAll = (long) (plan.stopAfterSeconds() * perSecond);
    try (HttpLoad load = load()) {
      return load.run(
          number -> {
            int index = (int) (number % devices.size());
            if (number >= lastOfAll && silent.contains(index)) {
              return null;
            }
            return devices
                .get(index)
                .request(
                    HEARTBEAT_PATH,
                    Bodies.heartbeat(number / devices.size(), plan.intervalSeconds()),
                    Instant.now());
          },
          HttpLoad.Answers.IGNORED,
          Long.MAX_VALUE,
          perSecond,
          nanos(plan.warmUpSeconds()),
          nanos(plan.seconds()),
          window());
    }
  }

  private LoadResult messages() throws Exception {
    List<Device> devices = plan.isSigned() ? registered() : named();
    SplittableRandom random = new SplittableRandom(SEED);
    Instant now = Instant.now();
    MqttLoad.Message[] messages = new MqttLoad.Message[prepared()];
    for (int i = 0; i < messages.length; i++) {
      Device device = devices.get(i % devices.size());
      String topic = "lastfix/v1/" + device.name() + "/records/json";
      byte[] body = body(device, i, now, random);
      messages[i] =
          MqttLoad.Message.of(
              topic, plan.isSigned() ? device.properties(topic, body, now) : Map.of(), body);
    }
    long each = plan.count() / plan.connections();
    List<MqttLoad> connections = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(plan.connections());
    try {
      for (int i = 0; i < plan.connections(); i++) {
        connections.add(new MqttLoad(plan.host(), plan.port()));
      }
      long began = System.nanoTime();
      out.println(BEGINS);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < connections.size(); i++) {
        int offset = i;
        MqttLoad connection = connections.get(i);
        all.add(
            threads.submit(
                () -> {
                  connection.publish(
                      number ->
                          messages[
                              (int) ((number * plan.connections() + offset) % messages.length)],
                      each,
                      plan.perSecond() / plan.connections());
                  return null;
                }));
      }
      for (Future<?> future : all) {
        future.get();
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      out.println(ENDS);
      long acknowledged = connections.stream().mapToLong(MqttLoad::acknowledged).sum();
      long refused = connections.stream().mapToLong(MqttLoad::refused).sum();
      return new LoadResult(
          acknowledged,
          seconds,
          Map.of(200, acknowledged, 500, refused),
          0,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN);
    } catch (ExecutionException e) {
      throw new IOException("publishing failed: " + RootCause.message(e), e.getCause());
    } finally {
      threads.shutdownNow();
      for (MqttLoad connection : connections) {
        connection.close();
      }
    }
  }

  /** Devices that sign nothing. */
  private List<Device> named() {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < plan.devices(); i++) {
      devices.add(Device.unsigned("%032x".formatted(i)));
    }
    return devices;
  }
}
