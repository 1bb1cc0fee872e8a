package io.lastfix.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import org.junit.jupiter.api.Test;

class ProblemErrorHandlerTest {
  /** Its users have the answer alone, and its operators the log alone. */
  @Test
  void aFailureOfTheConsoleNamesItsRequestInTheLog() {
    ServiceRequestContext context =
        ServiceRequestContext.of(HttpRequest.of(HttpMethod.GET, "/v1/health"));

    String answer =
        new ProblemErrorHandler()
            .onServiceException(context, new IllegalStateException("broken"))
            .aggregate()
            .join()
            .contentUtf8();

    assertThat(answer)
        .contains("\"status\":500", "under request " + context.id().shortText() + ".")
        .doesNotContain("broken");
  }
}
