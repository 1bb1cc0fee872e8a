package io.lastfix.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lastfix.gateway.devices.Devices;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.EnrolmentToken;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.devices.GroupKeys;
import io.lastfix.gateway.devices.RegisteredDevices;
import io.lastfix.model.SenderHeaders;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Signers that share no code with ours: the examples of {@code docs/devices/try.md} and {@code
 * signing-examples.md}, which register a device and push a record, run as they are against a
 * gateway.
 */
class DocumentedSignersTest {
  private static final Path PAGES = Path.of("..", "docs", "devices");
  private static final String TOKEN = "lfe1.token-of-fleet-a";
  private static final long LIMIT_SECONDS = 60;

  /** What each example pushes; Python writes it with blanks, and compressed. */
  private static final String RECORD =
      "{\"user\":\"350000000007919\","
          + "\"position\":{\"lon\":-122.416,\"lat\":37.777},\"ts\":1795176061001}";

  private final RecordingSender sender = new RecordingSender();
  private TestGateway gateway;

  @BeforeEach
  void start() {
    Devices devices = new Devices();
    devices.apply(
        new DevicesMessage.OfGroup(
            "fleet-a",
            new Group(
                "fleet-a", List.of("k1"), List.of(EnrolmentToken.hash(TOKEN)), Instant.now())));
    String key =
        Base64.getEncoder().encodeToString("a key of the group: 32 characters".getBytes(UTF_8));
    gateway =
        TestGateway.start(
            sender,
            RegisteredDevices.of(
                devices,
                new GroupKeys(
                    null, Map.of("LASTFIX_GROUP_KEY_FLEET_A_K1", key), InstantSource.system()),
                message -> CompletableFuture.completedFuture(null),
                Duration.ofMinutes(5),
                InstantSource.system(),
                Optional::empty,
                () -> 0,
                () -> {}));
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  @Test
  void theExampleInPythonRegistersAndPushes() throws Exception {
    requirePrograms("python3");

    assertThat(run("python3", "-c", example("python"))).isEqualTo("202\n");
    assertStored();
  }

  @Test
  void theExampleWithCurlAndOpensslRegistersAndPushes() throws Exception {
    requirePrograms("bash", "curl", "openssl", "od", "sed");

    assertThat(run("bash", "-eu", "-c", example("bash"))).contains("\"offset\":0");
    assertStored();
    assertThat(new String(sender.records().get(0).value(), UTF_8)).isEqualTo(RECORD);
  }

  @Test
  void theExampleInJavaIsOfJava8AsAndroidHasItAndRegistersAndPushes(@TempDir Path folder)
      throws Exception {
    Path source = Files.writeString(folder.resolve("Device.java"), example("java"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    assertThat(
            compiler.run(null, said, said, "--release", "8", "-Xlint:-options", source.toString()))
        .as(said.toString(UTF_8))
        .isZero();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    assertThat(run(java, "-cp", folder.toString(), "Device")).contains("\"offset\":0");
    assertStored();
    assertThat(new String(sender.records().get(0).value(), UTF_8)).isEqualTo(RECORD);
  }

  /** Else the tests above could not fail. */
  @Test
  void theExampleInPythonWithAnotherBodyThanItSignedIsRefused() throws Exception {
    requirePrograms("python3");

    // After the signature was made.
    String example =
        example("python").replace("with send(", "request.data += b' '\n    with send(");
    assertThat(runFailing("python3", "-c", example))
        .contains("HTTP Error 401", "urn:lastfix:problem:wrong-digest");
    assertThat(sender.records()).isEmpty();
    assertThat(
            gateway.metric(
                "lastfix_gateway_refused_total{problem=\"wrong-digest\",route=\"records\"}"))
        .isEqualTo(1);
  }

  @Test
  void anExampleThatIsRefusedShowsTheGatewaysReasonAndStops() throws Exception {
    requirePrograms("python3", "bash", "curl", "openssl", "od", "sed");
    String reason = "urn:lastfix:problem:unknown-token";

    assertThat(runFailing("bash", "-c", "TOKEN=wrong\n" + example("bash")))
        .contains(reason)
        .doesNotContain("malformed");
    assertThat(
            runFailing(
                "python3", "-c", example("python").replace("os.environ[\"TOKEN\"]", "\"wrong\"")))
        .contains(reason)
        .doesNotContain("Traceback");
  }

  private void assertStored() {
    assertThat(sender.records())
        .singleElement()
        .satisfies(
            record ->
                assertThat(record.headers())
                    .containsEntry(SenderHeaders.AUTH, SenderHeaders.SIGNED)
                    .containsEntry(SenderHeaders.DEVICE, record.key())
                    .hasEntrySatisfying(
                        "signature-input",
                        input -> assertThat(input).contains("fleet-a." + record.key())));
  }

  /** The code block of that language; there is one. */
  private static String example(String language) throws IOException {
    List<String> blocks =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(
                Files.readString(PAGES.resolve("try.md"))
                    + Files.readString(PAGES.resolve("signing-examples.md")))
            .results()
            .map(block -> block.group(1))
            .toList();
    assertThat(blocks).as("blocks of %s", language).hasSize(1);
    return blocks.get(0);
  }

  private static void requirePrograms(String... names) {
    String[] directories = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator);
    for (String name : names) {
      assumeThat(Stream.of(directories))
          .as("%s is on the PATH", name)
          .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
    }
  }

  /** Runs a program and returns what it printed, to both streams. */
  private String run(String... command) throws IOException, InterruptedException {
    return run(true, command);
  }

  private String runFailing(String... command) throws IOException, InterruptedException {
    return run(false, command);
  }

  private String run(boolean succeeds, String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
    builder.environment().put("GATEWAY", gateway.gateway().endpoint());
    builder.environment().put("TOKEN", TOKEN);
    Process process = builder.start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue() == 0).as(output).isEqualTo(succeeds);
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
