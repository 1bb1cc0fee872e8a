package io.lastfix.gateway.clients;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import io.lastfix.gateway.http.FormText;
import io.lastfix.gateway.http.JsonText;
import io.lastfix.gateway.http.RecordRoute;
import io.lastfix.gateway.http.RequestHead;
import io.lastfix.gateway.kafka.Stored;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET}, {@code POST /osmand}: OsmAnd and Traccar Client. OsmAnd, and Traccar Client up to
 * release 8, send a query string (GET or POST), or the same as a form; Traccar Client from release
 * 9 sends JSON. As on a Traccar server, the query string counts if there is one. It goes to Kafka
 * without the rest of the URL, which is what the profile {@code osmand} reads. The clients expect
 * 200, and repeat anything else.
 */
public final class OsmandRoute extends RecordRoute {
  /**
   * The names in the profile, in its order: otherwise a record's device would differ from its user.
   */
  private static final String[] USER = {"id", "deviceid", "device_id"};

  public OsmandRoute() {
    super(
        "osmand",
        "/osmand",
        "Write access to /osmand: 'closed', 'unsigned' (the device is the parameter id) or"
            + " 'basic'. Traccar Client and OsmAnd can only do the former.");
  }

  @Override
  public boolean mayEndWithSlash() {
    return true;
  }

  @Override
  public Set<HttpMethod> methods() {
    return Set.of(HttpMethod.GET, HttpMethod.POST);
  }

  @Override
  public byte[] value(RequestHead head, byte[] body) {
    byte[] query = head.queryBytes();
    boolean isJson = isJson(head) && body.length > 0;
    return isJson || query.length == 0 ? body : query;
  }

  private static boolean isJson(RequestHead head) {
    String type = head.header("content-type");
    return type != null && type.toLowerCase(Locale.ROOT).startsWith("application/json");
  }

  @Override
  public @Nullable String claimedDevice(RequestHead head, byte[] body) {
    byte[] value = value(head, body);
    return JsonText.isJson(value) ? JsonText.findAny(value, USER) : FormText.find(value, USER);
  }

  @Override
  public HttpResponse stored(Stored stored) {
    return HttpResponse.of(ResponseHeaders.of(HttpStatus.OK));
  }
}
