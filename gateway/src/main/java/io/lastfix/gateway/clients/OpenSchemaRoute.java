package io.lastfix.gateway.clients;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import io.lastfix.gateway.http.JsonText;
import io.lastfix.gateway.http.RecordRoute;
import io.lastfix.gateway.http.RequestHead;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.gateway.service.OpenSchemaRegistrationService;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /metrics/push}: OpenSchema's SDK for Android, one metric a request. All metrics go to
 * Kafka unchanged; the profile {@code openschema} picks those that say where a device was.
 *
 * <p>The SDK fails without a JSON object in the answer. It deletes its metrics after any answer,
 * and repeats all of them if it gets none. Its user and password are those of the app, the same on
 * all devices.
 */
public final class OpenSchemaRoute extends RecordRoute {
  public OpenSchemaRoute() {
    super(
        OpenSchemaRegistrationService.NAME,
        "/metrics/push",
        "Write access to /register and /metrics/push, of OpenSchema's SDK: 'closed', 'unsigned' or"
            + " 'basic' (user and password of the app, the same on all devices). The device is"
            + " what identifier/uuid says, with 'basic' too.");
  }

  /** The member {@code identifier/uuid}, which the SDK makes up at its first start. */
  @Override
  public @Nullable String claimedDevice(RequestHead head, byte[] body) {
    return JsonText.find(body, "/identifier/uuid");
  }

  @Override
  public boolean isUserTheDevice() {
    return false;
  }

  @Override
  public boolean repeatsOnlyWithoutAnswer() {
    return true;
  }

  @Override
  public HttpResponse stored(Stored stored) {
    return HttpResponse.of(HttpStatus.OK, MediaType.JSON, "{\"message\":\"The metric is stored\"}");
  }
}
