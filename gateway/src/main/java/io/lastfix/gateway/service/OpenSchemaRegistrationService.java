package io.lastfix.gateway.service;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.http.BodyService;
import io.lastfix.gateway.http.JsonText;
import io.lastfix.gateway.http.OpenedSize;
import io.lastfix.gateway.http.RecordServices;
import io.lastfix.gateway.http.RefusedException;
import io.lastfix.gateway.http.RequestHead;
import io.lastfix.gateway.http.RouteAccess;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@code POST /register} of OpenSchema's SDK: {@code {"uuid": …}}. Nothing is stored: the SDK gets
 * no secret, and each metric names the UUID again. It repeats the request until it is a success.
 */
public final class OpenSchemaRegistrationService extends BodyService {
  /** The path of the route, for the server. */
  public static final String PATH = "/register";

  /** Of the SDK's routes, in metrics and in {@code access.NAME}. */
  public static final String NAME = "openschema";

  /** Serves registrations. */
  public OpenSchemaRegistrationService(RouteAccess access, RecordServices services) {
    super(NAME, access, services);
  }

  @Override
  protected CompletionStage<HttpResponse> accept(
      ServiceRequestContext context, RequestHead head, byte[] body) {
    if (OpenedSize.isGzip(body) || JsonText.find(body, "/uuid") == null) {
      throw new RefusedException(
          services().problems().badRequest("expected {\"uuid\": \"…\"}, plain"));
    }
    return CompletableFuture.completedFuture(
        HttpResponse.of(
            HttpStatus.OK, MediaType.JSON, "{\"message\":\"Push metrics with this UUID\"}"));
  }
}
