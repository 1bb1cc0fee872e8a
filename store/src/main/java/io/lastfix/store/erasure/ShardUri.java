package io.lastfix.store.erasure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The connection string of one shard: the routers' string with other hosts. */
final class ShardUri {
  private static final String SCHEME = "mongodb://";
  private static final String SRV_SCHEME = "mongodb+srv://";

  /** Options that select servers. They do not apply to a shard. */
  private static final List<String> OF_SERVERS =
      List.of("replicaset=", "directconnection=", "loadbalanced=", "srv");

  private ShardUri() {}

  /**
   * Replaces the routers' hosts by a shard's hosts.
   *
   * @param routers a connection string, as in {@code mongo.uri}
   * @param host the shard's host as in {@code config.shards}: {@code set/host:port,host:port}
   */
  static String of(String routers, String host) {
    boolean isSrv = routers.startsWith(SRV_SCHEME);
    String rest = routers.substring((isSrv ? SRV_SCHEME : SCHEME).length());
    int optionsBegin = rest.indexOf('?');
    String options = optionsBegin < 0 ? "" : rest.substring(optionsBegin + 1);
    String servers = optionsBegin < 0 ? rest : rest.substring(0, optionsBegin);
    int pathBegin = servers.indexOf('/');
    String path = pathBegin < 0 ? "/" : servers.substring(pathBegin);
    String authority = pathBegin < 0 ? servers : servers.substring(0, pathBegin);
    String user = authority.substring(0, authority.lastIndexOf('@') + 1);

    int setEnd = host.indexOf('/');
    List<String> kept = new ArrayList<>();
    for (String option : options.split("[&;]", -1)) {
      String name = option.toLowerCase(Locale.ROOT);
      if (!option.isEmpty() && OF_SERVERS.stream().noneMatch(name::startsWith)) {
        kept.add(option);
      }
    }
    if (setEnd >= 0) {
      kept.add("replicaSet=" + host.substring(0, setEnd));
    }
    boolean saysTls =
        kept.stream()
            .map(option -> option.toLowerCase(Locale.ROOT))
            .anyMatch(option -> option.startsWith("tls=") || option.startsWith("ssl="));
    if (isSrv && !saysTls) {
      // A mongodb+srv URI implies TLS.
      kept.add("tls=true");
    }
    return SCHEME + user + host.substring(setEnd + 1) + path + "?" + String.join("&", kept);
  }
}
