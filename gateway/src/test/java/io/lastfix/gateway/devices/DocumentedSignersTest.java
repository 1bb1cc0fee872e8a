package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lastfix.gateway.devices.RegistrationAnswer.Registered;
import io.lastfix.gateway.signature.RequestHead;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.gateway.signature.SignatureVerifier;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Signers that share no code with ours: the examples of {@code docs/DEVICES-signing.md}, run as
 * they are against an HTTP server of the JDK.
 */
class DocumentedSignersTest {
  private static final Path PAGE = Path.of("..", "docs", "DEVICES-signing.md");
  private static final long LIMIT_SECONDS = 60;

  private final Fleet fleet = new Fleet();
  private final Registered device = fleet.registered(Fleet.TOKEN_A, Fleet.phone(Fleet.UUID_1));
  private final SignedRequestAuthenticator authenticator =
      new SignedRequestAuthenticator(
          fleet.devices,
          fleet.keys,
          new SignatureVerifier(SignaturePolicy.OF_DEVICES, InstantSource.system()));
  private final List<Authentication> authentications = new CopyOnWriteArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] content = exchange.getRequestBody().readAllBytes();
      Authentication authentication =
          authenticator.authenticate(
              RequestHead.of(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI().toString(),
                  name -> exchange.getRequestHeaders().getOrDefault(name, List.of())),
              content,
              Instant.now());
      authentications.add(authentication);
      exchange.sendResponseHeaders(
          authentication instanceof Authentication.Refused refused
              ? refused.reason().status()
              : 202,
          -1);
    }
  }

  @Test
  void theExampleInPythonIsAccepted() throws Exception {
    requirePrograms("python3");

    assertThat(run("python3", "-c", example("python"))).isEqualTo("202\n");
    assertAccepted();
  }

  @Test
  void theExampleWithCurlAndOpensslIsAccepted() throws Exception {
    requirePrograms("bash", "curl", "openssl", "od");

    run("bash", "-eu", "-c", example("bash"));
    assertAccepted();
  }

  /** Else the tests above could not fail. */
  @Test
  void theExampleInPythonWithAnotherBodyThanItSignedIsRefused() throws Exception {
    requirePrograms("python3");

    run("python3", "-c", example("python").replace("data=body,", "data=body + b' ',"));
    assertThat(authentications)
        .singleElement()
        .extracting(answer -> ((Authentication.Refused) answer).reason().code())
        .isEqualTo("wrong-digest");
  }

  private void assertAccepted() {
    assertThat(authentications)
        .singleElement()
        .isInstanceOfSatisfying(
            Authentication.Authenticated.class,
            accepted -> assertThat(accepted.device()).isEqualTo(device.device()));
  }

  /** The code block of that language; there is one. */
  private static String example(String language) throws IOException {
    Matcher block =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    assertThat(block.find()).as("%s has a block of %s", PAGE, language).isTrue();
    return block.group(1);
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
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(List.of(command))).redirectErrorStream(true);
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
    builder.environment().put("GATEWAY", "http://127.0.0.1:" + server.getAddress().getPort());
    builder.environment().put("KEYID", device.keyid().toString());
    builder.environment().put("SECRET", device.secret());
    Process process = builder.start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
