package io.lastfix.gateway.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.model.device.HeartbeatMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/records/PROFILE}: a body of that profile, plain or gzip. */
public final class RecordsRoute extends RecordRoute {
  /** The route's name, which is that of its key. */
  public static final String NAME = "records";

  private static final String DEVICE_HEADER = "lastfix-device";
  private static final byte[] NOTHING = {};

  public RecordsRoute() {
    super(
        NAME,
        "/v1/records/{profile}",
        "Who may write to /v1/records/PROFILE. 'closed': no client. 'unsigned': every client; the"
            + " header Lastfix-Device names the device. 'basic': the users of access.basic-users;"
            + " the device is the user. 'signed': registered devices; needs devices.enabled.");
  }

  @Override
  public String profile(ServiceRequestContext context) {
    return String.valueOf(context.pathParam("profile"));
  }

  @Override
  public boolean checksSdk() {
    return true;
  }

  @Override
  public @Nullable String claimedDevice(RequestHead head, byte[] body) {
    return head.text(DEVICE_HEADER);
  }

  /** Without an answer, the device would not learn that it has no presence, order or quota. */
  @Override
  public @Nullable String refuseClaim(RequestHead head) {
    List<String> values = head.values(DEVICE_HEADER);
    String device = claimedDevice(head, NOTHING);
    return values.isEmpty()
            || (values.size() == 1 && device != null && Authentication.isUsable(device))
        ? null
        : "Send one header Lastfix-Device with 1 to %d characters, or none."
            .formatted(HeartbeatMessage.MAX_DEVICE);
  }

  @Override
  public HttpResponse stored(Stored stored) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("topic", stored.topic());
    json.put("partition", stored.partition());
    json.put("offset", stored.offset());
    // Overland keeps its points until it reads this.
    json.put("result", "ok");
    return HttpResponse.of(HttpStatus.ACCEPTED, MediaType.JSON, json.toString());
  }
}
