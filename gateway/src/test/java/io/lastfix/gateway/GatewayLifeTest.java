package io.lastfix.gateway;

import static io.lastfix.gateway.TestGateway.JSON_RECORD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lastfix.gateway.kafka.KafkaSender;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Starting, TLS, a producer that blocks, stopping. */
@Execution(ExecutionMode.CONCURRENT)
class GatewayLifeTest {
  private static final String PATH = "/v1/records/json";

  private final RecordingSender sender = new RecordingSender();

  private static CompletableFuture<HttpResponse<String>> postAsync(TestGateway gateway) {
    return HttpClient.newHttpClient()
        .sendAsync(
            gateway.request(PATH).POST(HttpRequest.BodyPublishers.ofString(JSON_RECORD)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aStopLetsOpenRequestsGetTheirAnswersAndClosesKafkaAfterThem() throws Exception {
    sender.holding();
    List<String> order = new ArrayList<>();
    TestGateway gateway =
        TestGateway.start(sender, () -> order.add("kafka closed"), "http.drain-timeout=20 s");
    CompletableFuture<HttpResponse<String>> open = postAsync(gateway);
    await().until(() -> sender.records().size() == 1);

    Thread stop = new Thread(gateway::close);
    stop.start();
    await()
        .untilAsserted(
            () -> assertThat(gateway.get("/ready").body()).contains("\"draining\":true"));
    assertThat(open).isNotDone();
    order.add("acknowledged");
    sender.acknowledge(0);

    assertThat(open.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(202);
    stop.join();
    assertThat(order).containsExactly("acknowledged", "kafka closed");
    assertThatThrownBy(() -> gateway.get("/health")).isInstanceOf(ConnectException.class);
  }

  /** Clients on kept connections, as a load balancer has them, that do not look at /ready. */
  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aStopUnderLoadTakesNothingNewAfterTheLameDuckAndEndsSoon(HttpClient.Version version)
      throws Exception {
    TestGateway gateway =
        TestGateway.start(sender, "http.lame-duck=1 s", "http.drain-timeout=30 s");
    HttpClient client = HttpClient.newBuilder().version(version).build();
    AtomicBoolean isStopped = new AtomicBoolean();
    Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread thread =
          new Thread(
              () -> {
                while (!isStopped.get()) {
                  String answer = answerTo(client, gateway);
                  answers.computeIfAbsent(answer, key -> new AtomicInteger()).incrementAndGet();
                }
              });
      thread.start();
      clients.add(thread);
    }
    // Eight clients that start at once take a busy machine a while.
    await().atMost(Duration.ofSeconds(60)).until(() -> sender.records().size() > 100);

    long begun = System.nanoTime();
    Thread stop = new Thread(gateway::close);
    stop.start();
    // Java's client may end all its requests with the first GOAWAY, and hear of no refusal.
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> answers.containsKey("503 draining") || !stop.isAlive());
    int stored = sender.records().size();
    stop.join();
    Duration taken = Duration.ofNanos(System.nanoTime() - begun);
    isStopped.set(true);
    for (Thread thread : clients) {
      thread.join();
    }

    assertThat(taken).as("far below http.drain-timeout").isLessThan(Duration.ofSeconds(20));
    assertThat(sender.records())
        .as("but for one of each client, whose body was on its way")
        .hasSizeLessThanOrEqualTo(stored + clients.size());
    assertThat(answers.keySet()).isSubsetOf("202", "202 close", "503 draining", "none");
    assertThat(
            answers.getOrDefault("202", new AtomicInteger()).get()
                + answers.getOrDefault("202 close", new AtomicInteger()).get())
        .as("a yes for each record, if its answer arrived")
        .isLessThanOrEqualTo(sender.records().size());
    if (version == HttpClient.Version.HTTP_1_1) {
      assertThat(answers).containsKey("202 close");
    }
  }

  private static String answerTo(HttpClient client, TestGateway gateway) {
    try {
      HttpResponse<String> answer =
          client.send(
              gateway.request(PATH).POST(HttpRequest.BodyPublishers.ofString(JSON_RECORD)).build(),
              HttpResponse.BodyHandlers.ofString());
      boolean isDraining = answer.body().contains("urn:lastfix:problem:draining");
      boolean isLast = answer.headers().firstValue("connection").orElse("").equals("close");
      return answer.statusCode() + (isDraining ? " draining" : isLast ? " close" : "");
    } catch (IOException e) {
      return "none";
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aStopWithoutRequestsKeepsThePortOpenUntilLoadBalancersHaveNoticed() throws Exception {
    TestGateway gateway = TestGateway.start(sender, "http.lame-duck=3 s");
    long begun = System.nanoTime();

    gateway.close();

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(3));
  }

  @Test
  void anOrderlyStopExitsWithZero() {
    AtomicInteger exit = new AtomicInteger(-1);
    TestGateway gateway = TestGateway.start(sender, () -> assertThat(exit).hasValue(-1));

    Main.stop(gateway.gateway(), exit::set);

    assertThat(exit).hasValue(0);
  }

  @Test
  void aStopEndsAlsoIfAnAnswerNeverComes() throws Exception {
    sender.holding();
    TestGateway gateway = TestGateway.start(sender, "http.drain-timeout=1 s");
    CompletableFuture<HttpResponse<String>> open = postAsync(gateway);
    await().until(() -> sender.records().size() == 1);

    gateway.close();

    HttpResponse<String> answer = open.get(10, TimeUnit.SECONDS);
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("urn:lastfix:problem:draining");
    assertThat(answer.headers().firstValue("retry-after")).isPresent();
  }

  /** Blocks in {@code send} until the test lets it go on, as without metadata. */
  private static final class BlockingProducer extends MockProducer<byte[], byte[]> {
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch metadata = new CountDownLatch(1);

    private BlockingProducer() {
      super(true, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      blocked.countDown();
      try {
        metadata.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.send(record, callback);
    }
  }

  @Test
  void aProducerThatBlocksBlocksNoOtherRequest() throws Exception {
    BlockingProducer producer = new BlockingProducer();
    KafkaSender blocking = new KafkaSender(producer, Duration.ofSeconds(20), System::nanoTime);
    try (TestGateway gateway = TestGateway.start(blocking, blocking)) {
      List<CompletableFuture<HttpResponse<String>>> open = new ArrayList<>();
      // More than the server has event loops.
      for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
        open.add(postAsync(gateway));
      }
      assertThat(producer.blocked.await(10, TimeUnit.SECONDS)).isTrue();

      for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
        assertThat(
                HttpClient.newHttpClient()
                    .send(
                        gateway.request("/health").timeout(Duration.ofSeconds(5)).build(),
                        HttpResponse.BodyHandlers.discarding())
                    .statusCode())
            .as("on one connection after the other, each of another event loop")
            .isEqualTo(200);
      }
      assertThat(open).noneMatch(CompletableFuture::isDone);
      producer.metadata.countDown();

      for (CompletableFuture<HttpResponse<String>> one : open) {
        assertThat(one.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(202);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void tlsIsSpokenFromFiles(HttpClient.Version version, @TempDir Path directory) throws Exception {
    KeyStore keys = selfSigned(directory);
    Path certificate = directory.resolve("certificate.pem");
    Path key = directory.resolve("key.pem");
    Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate("it").getEncoded()));
    Files.writeString(
        key, pem("PRIVATE KEY", keys.getKey("it", "changeit".toCharArray()).getEncoded()));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("it", keys.getCertificate("it"));
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);

    try (TestGateway gateway =
        TestGateway.start(sender, "http.tls.certificate=" + certificate, "http.tls.key=" + key)) {
      URI uri = gateway.uri(PATH);
      assertThat(uri.getScheme()).isEqualTo("https");
      HttpResponse<String> response =
          HttpClient.newBuilder()
              .version(version)
              .sslContext(context)
              .build()
              .send(
                  HttpRequest.newBuilder(uri)
                      .expectContinue(true)
                      .POST(HttpRequest.BodyPublishers.ofString(JSON_RECORD))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());

      assertThat(response.statusCode()).isEqualTo(202);
      assertThat(response.version()).isEqualTo(version);
    }
  }

  @Test
  void aKeyOfAnotherCertificateIsSaid(@TempDir Path directory) throws Exception {
    KeyStore keys = selfSigned(directory);
    KeyStore others = selfSigned(Files.createDirectory(directory.resolve("others")));
    Path certificate = directory.resolve("certificate.pem");
    Path key = directory.resolve("key.pem");
    Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate("it").getEncoded()));
    Files.writeString(
        key, pem("PRIVATE KEY", others.getKey("it", "changeit".toCharArray()).getEncoded()));

    assertThatThrownBy(
            () ->
                TestGateway.start(
                    sender, "http.tls.certificate=" + certificate, "http.tls.key=" + key))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "http.tls.key %s is not the key of the first certificate in http.tls.certificate %s"
                .formatted(key, certificate));
  }

  private static KeyStore selfSigned(Path directory) throws Exception {
    Path store = directory.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=ip:127.0.0.1,dns:localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    return KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
  }

  private static String pem(String type, byte[] content) {
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(
            type, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content), type);
  }

  @Test
  void filesThatAreNoCertificateStopTheStart(@TempDir Path directory) throws Exception {
    Path rubbish = Files.writeString(directory.resolve("rubbish.pem"), "rubbish");

    assertThatThrownBy(
            () ->
                TestGateway.start(
                    sender, "http.tls.certificate=" + rubbish, "http.tls.key=" + rubbish))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("http.tls.certificate " + rubbish)
        .hasMessageContaining("PEM");
  }

  @Test
  void aTakenPortStopsTheStart() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> TestGateway.start(sender, "http.port=" + taken.getLocalPort()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("cannot listen on 127.0.0.1 port " + taken.getLocalPort())
          .hasMessageContaining("http.port");
    }
  }

  @Test
  void withoutKafkaTheStartFailsWithOneLine() throws Exception {
    int free;
    try (ServerSocket probe = new ServerSocket(0)) {
      free = probe.getLocalPort();
    }
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int code =
        Main.run(
            new String[] {
              "--set", "kafka.bootstrap-servers=127.0.0.1:" + free,
              "--set", "kafka.start-timeout=1 s",
              "--set", "http.port=0"
            },
            new PrintStream(err, true, UTF_8));

    assertThat(code).isEqualTo(1);
    assertThat(err.toString(UTF_8).strip().lines())
        .singleElement()
        .asString()
        .startsWith(
            "lastfix gateway: Kafka at 127.0.0.1:"
                + free
                + " does not answer the request to list topics");
  }

  @Test
  void wrongUsageIsTwo() throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(err, true, UTF_8);

    assertThat(Main.run(new String[] {"--port", "1"}, print)).isEqualTo(2);
    assertThat(Main.run(new String[] {"--set", "http.prt=1"}, print)).isEqualTo(2);

    assertThat(err.toString(UTF_8))
        .contains("expected --config FILE and --set KEY=VALUE, found '--port'")
        .contains("--set: http.prt: unknown key");
    assertThat(Main.configuration(new String[] {"--set", "http.port=1"}))
        .extracting(GatewayConfig::http)
        .extracting("port")
        .isEqualTo(1);
  }
}
