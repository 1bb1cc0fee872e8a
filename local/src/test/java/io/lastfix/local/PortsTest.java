package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void aFreePreferredPortIsTaken() {
    int free = new Ports().choose(Ports.ANY);

    assertThat(new Ports().choose(free)).isEqualTo(free);
  }

  @Test
  void aBusyPreferredPortGivesAnotherThatIsFree() throws Exception {
    try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int chosen = new Ports().choose(busy.getLocalPort());

      assertThat(chosen).isNotEqualTo(busy.getLocalPort());
      assertThat(Ports.isFree(chosen)).isTrue();
    }
  }

  @Test
  void anyPortIsBelowThoseThatLinuxGivesToOutgoingConnections() {
    assertThat(new Ports().choose(Ports.ANY)).isBetween(1_024, 32_767);
  }

  @Test
  void noPortIsHandedOutTwice() {
    Ports ports = new Ports();
    int first = ports.choose(Ports.ANY);

    assertThat(ports.choose(first)).isNotEqualTo(first);
  }
}
