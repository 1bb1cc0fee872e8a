package io.lastfix.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class LogTextTest {
  private static final String USER = "490154203237518";

  @Test
  void aRequestIsNamedWithoutItsDevice() {
    ServiceRequestContext context =
        ServiceRequestContext.builder(HttpRequest.of(HttpMethod.GET, "/v1/where/" + USER))
            .route(Route.builder().path("/v1/where/{user}").build())
            .build();

    assertThat(LogText.request(context)).isEqualTo("/v1/where/:user");
  }

  /** A server quotes the filter of the query that it refuses. */
  @Test
  void ofWhatMongoDbRefusesOnlyTheCodeIsLogged() {
    BsonDocument answer =
        BsonDocument.parse(
            "{ok: 0, code: 291, errmsg: 'no plan for user $eq \"%s\"'}".formatted(USER));

    assertThat(LogText.failure(new MongoCommandException(answer, new ServerAddress("db"))))
        .isEqualTo("com.mongodb.MongoCommandException with code 291");
  }

  @Test
  void aServerThatDoesNotAnswerIsNamed() {
    assertThat(LogText.failure(new MongoTimeoutException("no server at db:27017")))
        .contains("no server at db:27017");
  }

  @Test
  void aTraceHasTheClassesAndPlacesOfAllCausesAndNoMessage() {
    Throwable cause = new IllegalArgumentException(USER + " at lon=-122.4");

    assertThat(LogText.trace(new IllegalStateException(USER, cause)))
        .startsWith("java.lang.IllegalStateException\n\tat io.lastfix.console.http.LogTextTest")
        .contains("\nCaused by: java.lang.IllegalArgumentException\n\tat ")
        .doesNotContain(USER, "-122.4");
  }
}
