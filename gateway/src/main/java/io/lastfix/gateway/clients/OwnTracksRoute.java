package io.lastfix.gateway.clients;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.http.RecordRoute;
import io.lastfix.gateway.http.RequestHead;
import io.lastfix.gateway.kafka.Stored;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /pub}: OwnTracks in its HTTP mode. The app expects 200 and a JSON array: cards and
 * positions of friends, of which the gateway has none. It also sends messages without content,
 * which hold nothing to store. All types of messages go to Kafka unchanged; the profile {@code
 * owntracks} picks the positions.
 */
public final class OwnTracksRoute implements RecordRoute {
  /** The path of the route, for the server. */
  public static final String PATH = "/pub";

  private static final String USER_HEADER = "x-limit-u";

  @Override
  public String name() {
    return "owntracks";
  }

  @Override
  public String profile(ServiceRequestContext context) {
    return "owntracks";
  }

  @Override
  public boolean checksSdk() {
    return false;
  }

  /** The app names its user in a header; the Recorder's other clients do so in the query. */
  @Override
  public @Nullable String claimedDevice(RequestHead head, byte[] body) {
    String user = head.text(USER_HEADER);
    String query = head.query();
    return user != null || query == null ? user : QueryParams.fromQueryString(query).get("u");
  }

  /** The app's records have the user {@code owntracks/USER/DEVICE}. */
  @Override
  public String speaksFor(String device) {
    return "owntracks/" + device + "/*";
  }

  @Override
  public HttpResponse stored(Stored stored) {
    return emptyArray();
  }

  @Override
  public HttpResponse empty() {
    return emptyArray();
  }

  private static HttpResponse emptyArray() {
    return HttpResponse.of(HttpStatus.OK, MediaType.JSON, "[]");
  }
}
