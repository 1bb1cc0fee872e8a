package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortsTest {
  /** Returns a port that is free, and that no {@link Ports} has assigned. */
  static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFreePreferredPortIsTaken() {
    int free = free();

    assertThat(new Ports().choose(free)).isEqualTo(free);
  }

  @Test
  void aPortThatIsAssignedIsNotAssignedAgain_AlsoWhileItsServerIsDown() {
    Ports first = new Ports();
    int port = first.choose(Ports.ANY);

    try {
      assertThat(new Ports().choose(port)).isNotEqualTo(port);
      assertThat(new Ports().chooseOwn(port)).as("a stack's own port").isEqualTo(port);
    } finally {
      Reference.reachabilityFence(first);
    }
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
