package io.lastfix.server.flink;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as browsers send them, to a Flink that has the guard on its class path. */
class WebGuardTest {
  private static final int ANSWER_MILLIS = 5000;

  @TempDir private static Path folder;

  private static MiniCluster flink;
  private static RestClusterClient<String> client;
  private static int port;
  private static JobID job;

  @BeforeAll
  static void startFlink() throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.BIND_PORT, "0");
    configuration.set(RestOptions.ADDRESS, "127.0.0.1");
    configuration.set(JobManagerOptions.ADDRESS, "jobmanager");
    configuration.set(WebGuardFactory.HOSTS, List.of("flink.example.org", "Other.Example.Org"));
    configuration.set(WebOptions.UPLOAD_DIR, folder.toString());
    flink =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumSlotsPerTaskManager(2)
                .build());
    flink.start();
    port = flink.getRestAddress().get().getPort();
    configuration.set(RestOptions.PORT, port);
    client = new RestClusterClient<>(configuration, "test");
    job = client.submitJob(IdleTask.job()).get();
    await().until(() -> client.getJobStatus(job).get() == JobStatus.RUNNING);
  }

  @AfterAll
  static void stopFlink() throws Exception {
    client.close();
    flink.close();
  }

  /** Sends a request as it is, with {@code PORT} replaced, and returns all that is answered. */
  private static String answer(String requestLine, String... fields) throws IOException {
    return answerTo("", requestLine, fields);
  }

  private static String answerTo(String body, String requestLine, String... fields)
      throws IOException {
    StringBuilder request = new StringBuilder(requestLine).append("\r\n");
    Stream.concat(
            Stream.of(fields), Stream.of("Connection: close", "Content-Length: " + body.length()))
        .forEach(field -> request.append(field).append("\r\n"));
    request.append("\r\n").append(body);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(ANSWER_MILLIS);
      socket
          .getOutputStream()
          .write(request.toString().replace("PORT", "" + port).getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private static String own(String method, String path, String... fields) throws IOException {
    return answer(
        method + " " + path + " HTTP/1.1",
        Stream.concat(Stream.of("Host: 127.0.0.1:PORT"), Stream.of(fields)).toArray(String[]::new));
  }

  private static void assertRuns() throws Exception {
    assertThat(client.getJobStatus(job).get()).isEqualTo(JobStatus.RUNNING);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:PORT",
        "localhost.evil.example:PORT",
        "127.0.0.1.evil.example:PORT",
        "evil.example:PORT:PORT",
        "[evil.example]:PORT",
        "[::1:PORT",
        "jobmanager.evil.example",
        "10-rest",
        "",
      })
  void anotherHostIsRefused(String host) throws IOException {
    assertThat(answer("GET /jobs/overview HTTP/1.1", "Host: " + host))
        .startsWith("HTTP/1.1 403 ")
        .contains("{\"errors\":[\"the request is for another host;")
        .contains("lastfix.rest.hosts")
        .doesNotContain("jid");
  }

  @Test
  void aRequestWithoutAHostOrWithTwoIsRefused() throws IOException {
    assertThat(answer("GET /jobs/overview HTTP/1.1")).startsWith("HTTP/1.1 403 ");
    assertThat(answer("GET /jobs/overview HTTP/1.0")).startsWith("HTTP/1.1 403 ");
    assertThat(own("GET", "/jobs/overview", "Host: evil.example")).startsWith("HTTP/1.1 403 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:PORT",
        "LOCALHOST",
        "localhost.:PORT",
        "127.0.0.1",
        "10.1.2.3:8081",
        "[::1]:PORT",
        "jobmanager:8081",
        "flink.example.org",
        "other.example.org:443",
      })
  void aNameOfTheServerIsServed(String host) throws IOException {
    assertThat(answer("GET /jobs/overview HTTP/1.1", "Host: " + host))
        .startsWith("HTTP/1.1 200 ")
        .contains(job.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: http://evil.example",
        "Origin: https://evil.example",
        "Origin: null",
        "Origin: http://127.0.0.1",
        "Origin: http://127.0.0.1:1",
        "Origin: http://localhost:PORT",
        "Origin: http://127.0.0.1:PORT.evil.example",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
      })
  void whatAPageOfAnotherOriginSendsIsRefused(String field) throws Exception {
    assertThat(own("PATCH", "/jobs/" + job + "?mode=cancel", field)).startsWith("HTTP/1.1 403 ");
    assertThat(own("GET", "/jobs/overview", field))
        .startsWith("HTTP/1.1 403 ")
        .contains("{\"errors\":[\"the request is from a page of another ")
        .doesNotContain("jid");
    assertRuns();
  }

  @Test
  void anImageCancelsNoJob() throws Exception {
    for (String path : List.of("/jobs/", "/v1/jobs/")) {
      for (String end :
          List.of("/yarn-cancel", "/yarn-stop", "/yarn-cancel/", "/yarn%2Dcancel?a=b#c")) {
        // Of a browser, and of one that sends no such fields, or not to a name like this.
        assertThat(
                own(
                    "GET",
                    path + job + end,
                    "Sec-Fetch-Site: cross-site",
                    "Sec-Fetch-Mode: no-cors",
                    "Sec-Fetch-Dest: image"))
            .startsWith("HTTP/1.1 403 ");
        assertThat(own("GET", path + job + end))
            .startsWith("HTTP/1.1 403 ")
            .contains("PATCH /jobs/:jobid");
        // A link, or a window that a page opens.
        assertThat(
                own(
                    "GET",
                    path + job + end,
                    "Sec-Fetch-Site: cross-site",
                    "Sec-Fetch-Mode: navigate",
                    "Sec-Fetch-Dest: document"))
            .startsWith("HTTP/1.1 403 ");
      }
    }
    assertRuns();
  }

  @Test
  void aFrameAndAFormOfAnotherSiteAreRefusedAndALinkIsFollowed() throws Exception {
    String[] frame = {
      "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"
    };
    String[] visit = {
      "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"
    };

    assertThat(own("GET", "/", frame)).startsWith("HTTP/1.1 403 ");
    assertThat(own("POST", "/jobs/" + job + "/stop", visit)).startsWith("HTTP/1.1 403 ");
    assertThat(own("GET", "/", visit)).startsWith("HTTP/1.1 200 ").contains("</html>");
    assertRuns();
  }

  @Test
  void theFileOfARefusedUploadIsNotStored() throws IOException {
    String body =
        String.join(
            "\r\n",
            "--x",
            "Content-Disposition: form-data; name=\"jarfile\"; filename=\"evil.jar\"",
            "Content-Type: application/x-java-archive",
            "",
            "evil",
            "--x--",
            "");

    assertThat(
            answerTo(
                body,
                "POST /jars/upload HTTP/1.1",
                "Host: 127.0.0.1:PORT",
                "Origin: http://evil.example",
                "Content-Type: multipart/form-data; boundary=x"))
        .startsWith("HTTP/1.1 403 ");
    assertThat(
            answerTo(
                body,
                "POST /jobs HTTP/1.1",
                "Host: 127.0.0.1:PORT",
                "Origin: null",
                "Content-Type: multipart/form-data; boundary=x"))
        .startsWith("HTTP/1.1 403 ");

    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
  }

  /** Flink itself leaves such a request without an answer. */
  @Test
  void aMalformedRequestIsRefused() throws Exception {
    assertThat(own("GET", "/jobs/" + job + "/yarn-cancel", "X: " + "x".repeat(9000)))
        .startsWith("HTTP/1.1 400 ")
        .contains("{\"errors\":[\"malformed HTTP: ");
    assertThat(own("GET", "/jobs?" + "x".repeat(4096))).startsWith("HTTP/1.1 400 ");
    assertThat(own("GET", "/jobs/%zz")).startsWith("HTTP/1.1 400 ");
    assertRuns();
  }

  /** Without the field, a browser gives no answer to a page of another origin. */
  @Test
  void noOtherOriginMayReadAnAnswerNorShowIt() throws IOException {
    for (String path : List.of("/", "/config", "/jobs/overview", "/jobs/none", "/nothing")) {
      assertThat(own("GET", path).toLowerCase(Locale.ROOT))
          .startsWith("http/1.1 ")
          .doesNotContain("access-control-allow-")
          .contains("x-frame-options: sameorigin");
    }
  }

  @Test
  void theOwnPageAndClientsSubmitAndCancelJobs() throws Exception {
    JobID ofPage = client.submitJob(IdleTask.job()).get();
    assertThat(
            own(
                "PATCH",
                "/jobs/" + ofPage + "?mode=cancel",
                "Origin: http://127.0.0.1:PORT",
                "Sec-Fetch-Site: same-origin",
                "Sec-Fetch-Mode: cors",
                "Sec-Fetch-Dest: empty"))
        .startsWith("HTTP/1.1 202 ");
    assertThat(client.requestJobResult(ofPage).get().getApplicationStatus().name())
        .isEqualTo("CANCELED");
    assertThat(own("GET", "/", "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"))
        .startsWith("HTTP/1.1 200 ");

    JobID ofClient = client.submitJob(IdleTask.job()).get();
    client.cancel(ofClient).get();
    assertThat(client.requestJobResult(ofClient).get().getApplicationStatus().name())
        .isEqualTo("CANCELED");
    assertRuns();
  }
}
