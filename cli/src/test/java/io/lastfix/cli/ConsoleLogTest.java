package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.console.Main;
import java.net.URI;
import java.util.Objects;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.ConfigurationFactory;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The form of the console's log; its own module cannot see the classes of Log4j. */
class ConsoleLogTest {
  private static final String USER = "490154203237518";

  @ParameterizedTest
  @CsvSource({
    "[http://localhost/v1/where/490154203237518#GET] failed, /v1/where/... failed",
    "/v1/history/490154203237518?limit=1 failed, /v1/history/... failed",
    "/v1/near?lat=37.1&lon=-122.4 failed, /v1/near/... failed",
    "/v1/health failed, /v1/health failed"
  })
  void aRequestIsLoggedWithoutTheDeviceOrThePlaceThatItNames(String message, String logged)
      throws Exception {
    String text = log(message, new IllegalStateException("of /v1/stays/" + USER));

    assertThat(text)
        .contains(logged, "IllegalStateException: of /v1/stays/...", "\tat ")
        .doesNotContain(USER, "37.1");
  }

  private static String log(String message, Throwable thrown) throws Exception {
    URI file = Objects.requireNonNull(Main.class.getResource("/console-log4j2.xml")).toURI();
    try (LoggerContext context = new LoggerContext("console")) {
      Configuration configuration =
          ConfigurationFactory.getInstance().getConfiguration(context, "console", file);
      configuration.initialize();
      return configuration
          .getAppender("console")
          .getLayout()
          .toSerializable(
              Log4jLogEvent.newBuilder()
                  .setLoggerName("x")
                  .setLevel(Level.WARN)
                  .setMessage(new SimpleMessage(message))
                  .setThrown(thrown)
                  .build())
          .toString();
    }
  }
}
