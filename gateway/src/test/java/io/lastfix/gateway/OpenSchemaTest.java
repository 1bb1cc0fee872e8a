package io.lastfix.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.annotations.SerializedName;
import io.lastfix.gateway.kafka.ByteBudget;
import io.lastfix.gateway.kafka.NotStored;
import io.lastfix.gateway.kafka.OutgoingRecord;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import okhttp3.Credentials;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import retrofit2.Call;
import retrofit2.Response;
import retrofit2.Retrofit;
import retrofit2.converter.gson.GsonConverterFactory;
import retrofit2.http.Body;
import retrofit2.http.POST;

/**
 * OpenSchema's SDK for Android (magma/openschema, commit 9e4cac0): its requests through its own
 * HTTP client, Retrofit with Gson, and what it does with the answers. The SDK itself needs Android.
 */
@Execution(ExecutionMode.CONCURRENT)
@SuppressWarnings("UnusedVariable") // Gson reads the fields of the requests.
class OpenSchemaTest {
  private static final String UUID = "6f1e7c1e-2f0b-4c51-9f0a-0d4cf5d2a111";

  /** As Gson writes it. */
  private static final String METRIC =
      "{\"metricName\":\"openschemaCellularSession\",\"metricsList\":["
          + "{\"first\":\"networkType\",\"second\":\"4G\"},{\"first\":\"cellId\",\"second\":\"20911362\"},"
          + "{\"first\":\"carrierName\"}],\"identifier\":{\"uuid\":\""
          + UUID
          + "\",\"clientType\":\"android\"},"
          + "\"timestamp\":{\"timestamp\":1795176601001,\"offsetMinutes\":-300}}";

  private final RecordingSender sender = new RecordingSender();

  /** The two calls of the SDK. */
  private interface Backend {
    @POST("register")
    Call<Message> register(@Body Registration registration);

    @POST("metrics/push")
    Call<Message> push(@Body Metric metric);
  }

  private static final class Message {
    @Nullable String message;
  }

  private static final class Registration {
    final String uuid;

    Registration(String uuid) {
      this.uuid = uuid;
    }
  }

  private static final class Pair {
    final String first;
    final @Nullable String second;

    Pair(String first, @Nullable String second) {
      this.first = first;
      this.second = second;
    }
  }

  private static final class Identifier {
    final String uuid = UUID;
    final String clientType = "android";
  }

  private static final class Timestamp {
    @SerializedName("timestamp")
    final long millis = 1795176601001L;

    final int offsetMinutes = -300;
  }

  private static final class Metric {
    final String metricName = "openschemaCellularSession";
    final List<Pair> metricsList =
        List.of(
            new Pair("networkType", "4G"),
            new Pair("cellId", "20911362"),
            new Pair("carrierName", null));
    final Identifier identifier = new Identifier();
    final Timestamp timestamp = new Timestamp();
  }

  private static Backend sdk(TestGateway gateway, String password, Protocol protocol) {
    String credentials = Credentials.basic("the-app", password);
    OkHttpClient client =
        new OkHttpClient.Builder()
            .protocols(List.of(protocol))
            .addInterceptor(
                chain ->
                    chain.proceed(
                        chain
                            .request()
                            .newBuilder()
                            .addHeader("Authorization", credentials)
                            .build()))
            .build();
    return new Retrofit.Builder()
        .baseUrl(gateway.uri("/").toString())
        .client(client)
        .addConverterFactory(GsonConverterFactory.create())
        .build()
        .create(Backend.class);
  }

  private static Backend sdk(TestGateway gateway) {
    return sdk(gateway, "secret-of-the-app", Protocol.HTTP_1_1);
  }

  /** The SDK fails, and keeps its metrics, if a success has no JSON object. */
  private static String message(Response<Message> response) {
    assertThat(response.isSuccessful()).as("status %s", response.code()).isTrue();
    Message body = response.body();
    assertThat(body).isNotNull();
    return String.valueOf(body.message);
  }

  private OutgoingRecord only() {
    assertThat(sender.records()).hasSize(1);
    return sender.records().get(0);
  }

  @Test
  void aMetricIsStoredAsTheSdkSendsIt() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "access.openschema=unsigned")) {
      assertThat(message(sdk(gateway).push(new Metric()).execute()))
          .isEqualTo("The metric is stored");
    }
    assertThat(only().topic()).isEqualTo("lastfix.location.openschema");
    assertThat(only().value()).asString(UTF_8).isEqualTo(METRIC);
    assertThat(only().key()).isEqualTo(UUID);
    assertThat(only().headers())
        .containsEntry("device", UUID)
        .containsEntry("via", "openschema")
        .containsEntry("auth", "unsigned");
  }

  @Test
  void theSdkTakesItsRegistrationForASuccess() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "access.openschema=unsigned")) {
      assertThat(message(sdk(gateway).register(new Registration(UUID)).execute())).isNotEmpty();
      assertThat(gateway.post("/register", "{}").statusCode()).isEqualTo(400);
      assertThat(gateway.post("/register", "").statusCode()).isEqualTo(400);
    }
    assertThat(sender.records()).isEmpty();
    assertThat(sender.signs()).isEmpty();
  }

  @Test
  void thePasswordOfTheAppProvesNoDevice(@TempDir Path directory) throws Exception {
    Path users =
        Files.writeString(
            directory.resolve("users"), "the-app:" + RawClient.sha256("secret-of-the-app"));
    try (TestGateway gateway =
        TestGateway.start(sender, "access.openschema=basic", "access.basic-users=" + users)) {
      message(sdk(gateway).register(new Registration(UUID)).execute());
      message(sdk(gateway).push(new Metric()).execute());

      Backend other = sdk(gateway, "another", Protocol.HTTP_1_1);
      assertThat(other.register(new Registration(UUID)).execute().code()).isEqualTo(401);
      assertThat(other.push(new Metric()).execute().code()).isEqualTo(401);
    }
    assertThat(only().key()).as("not the app's user, which all devices share").isEqualTo(UUID);
    assertThat(only().headers()).containsEntry("auth", "unsigned").doesNotContainKey("speaks-for");
  }

  @Test
  void theRoutesAreClosedUntilTheConfigurationOpensThem() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(sdk(gateway).register(new Registration(UUID)).execute().code()).isEqualTo(403);
      assertThat(sdk(gateway).push(new Metric()).execute().code()).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"HTTP_1_1", "H2_PRIOR_KNOWLEDGE"})
  void whatMaySucceedLaterGetsNoAnswerBecauseTheSdkDeletesWhatIsAnswered(Protocol protocol)
      throws Exception {
    sender.holding();
    try (TestGateway gateway = TestGateway.start(sender, "access.openschema=unsigned")) {
      Backend sdk = sdk(gateway, "secret-of-the-app", protocol);
      Thread kafka =
          new Thread(
              () -> {
                // OkHttp itself repeats a request once if its connection was used before.
                for (int failed = 0; failed < 2; ) {
                  if (sender.records().size() > failed) {
                    sender.fail(failed++, NotStored.because("Kafka is away"));
                  }
                  Thread.onSpinWait();
                }
              });
      kafka.setDaemon(true);
      kafka.start();

      assertThatThrownBy(() -> sdk.push(new Metric()).execute()).isInstanceOf(IOException.class);
      assertThat(
              gateway.metric(
                  "lastfix_gateway_refused_total{problem=\"not-stored\",route=\"openschema\"}"))
          .isGreaterThanOrEqualTo(1);
    }
  }

  @Test
  void aGatewayWithoutRoomGivesNoAnswerEither() throws Exception {
    try (TestGateway gateway =
        TestGateway.start(
            sender, "access.openschema=unsigned", "limits.max-bytes=1 kb", "limits.budget=65 kb")) {
      ByteBudget.Share share = gateway.gateway().budget().share();
      assertThat(share.growTo(60 * 1024)).isTrue();
      assertThatThrownBy(() -> sdk(gateway).push(new Metric()).execute())
          .isInstanceOf(IOException.class);
      share.release();
      message(sdk(gateway).push(new Metric()).execute());
    }
    assertThat(sender.records()).hasSize(1);
  }

  @Test
  void aMetricThatDoesNotArriveInTimeGetsNoAnswerEither() throws Exception {
    try (TestGateway gateway =
            TestGateway.start(sender, "access.openschema=unsigned", "http.request-timeout=500 ms");
        Socket socket = RawClient.connect(gateway.port())) {
      socket
          .getOutputStream()
          .write(
              "POST /metrics/push HTTP/1.1\r\nhost: localhost\r\ncontent-length: 300\r\n\r\n{"
                  .getBytes(UTF_8));

      assertThat(RawClient.isClosed(socket)).as("OkHttp would take 408 for an answer").isTrue();
    }
  }

  @Test
  void whatCanNeverBeStoredIsAnswered() throws Exception {
    try (TestGateway gateway =
        TestGateway.start(
            sender,
            "access.openschema=unsigned",
            "quota.bytes-per-day=1 kb",
            "limits.max-bytes=1 kb")) {
      for (int i = 0; i < 1024 / METRIC.length(); i++) {
        message(sdk(gateway).push(new Metric()).execute());
      }
      assertThat(sdk(gateway).push(new Metric()).execute().code())
          .as("repeating all metrics until midnight would use up each day's quota")
          .isEqualTo(429);
      assertThat(gateway.post("/metrics/push", "x".repeat(2_000)).statusCode()).isEqualTo(413);
    }
  }
}
