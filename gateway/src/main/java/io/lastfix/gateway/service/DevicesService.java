package io.lastfix.gateway.service;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ServerCacheControl;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.devices.Registration;
import io.lastfix.gateway.devices.RegistrationAnswer;
import io.lastfix.gateway.http.BodyService;
import io.lastfix.gateway.http.Problem;
import io.lastfix.gateway.http.RecordChecks;
import io.lastfix.gateway.http.RecordServices;
import io.lastfix.gateway.http.RequestHead;
import io.lastfix.gateway.http.SdkCheck;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/devices}: registers a device with its group's token. */
public final class DevicesService extends BodyService {
  /** The path of the route, for the server. */
  public static final String PATH = "/v1/devices";

  /** The route's name in metrics. */
  private static final String NAME = "devices";

  private final Registration registration;

  /** Serves registrations. */
  public DevicesService(Registration registration, RecordServices services) {
    super(NAME, null, services);
    this.registration = registration;
  }

  @Override
  protected @Nullable Problem refuseHead(
      ServiceRequestContext context, RequestHead head, long contentLength) {
    // First of all: a client without a token must not hold memory that devices register with.
    RegistrationAnswer.Refused refused = registration.refuseEarly(head.header("authorization"));
    if (refused != null) {
      return services().problems().ofRegistration(refused);
    }
    Problem sdk = services().sdk().check(head.header(SdkCheck.HEADER));
    if (sdk != null) {
      return sdk;
    }
    if (!RecordChecks.isPlain(head.joined("content-encoding"))) {
      return services().problems().plainOnly();
    }
    return contentLength > services().limits().maxBytes()
        ? services().problems().tooLarge(contentLength)
        : null;
  }

  @Override
  protected CompletionStage<HttpResponse> accept(
      ServiceRequestContext context, RequestHead head, byte[] body) {
    // Not on the event loop: a manifest is parsed and hashed, and a group's key may be in a file.
    return CompletableFuture.completedFuture(head.header("authorization"))
        .thenComposeAsync(
            authorization -> registration.register(authorization, body),
            context.blockingTaskExecutor())
        .thenApply(this::toResponse);
  }

  private HttpResponse toResponse(RegistrationAnswer answer) {
    if (answer instanceof RegistrationAnswer.Registered registered) {
      return HttpResponse.of(
          ResponseHeaders.builder(registered.status())
              .contentType(MediaType.JSON)
              .set(HttpHeaderNames.CACHE_CONTROL, ServerCacheControl.DISABLED.asHeaderValue())
              .build(),
          HttpData.wrap(registered.json()));
    }
    return refuse(services().problems().ofRegistration((RegistrationAnswer.Refused) answer));
  }
}
