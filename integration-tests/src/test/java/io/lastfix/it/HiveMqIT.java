package io.lastfix.it;

import io.lastfix.stack.MqttServer;
import io.lastfix.stack.ServerSite;

/** The contract with HiveMQ CE, which the build brings. */
class HiveMqIT extends MqttBrokerContract {
  @Override
  MqttServer broker(ServerSite site) {
    return MqttServer.hiveMq(site);
  }
}
