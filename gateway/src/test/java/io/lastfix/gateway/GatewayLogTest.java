package io.lastfix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class GatewayLogTest {
  /** Its logger writes 5 kB of stack trace for each frame that a client sends wrongly. */
  private static final String BROKEN_CONNECTIONS =
      "com.linecorp.armeria.internal.common.AbstractHttp2ConnectionHandler";

  @Test
  void aConnectionThatAClientBreaksIsNoLineOfTheLog() throws Exception {
    Map<String, String> levels = new HashMap<>();
    try (InputStream file = GatewayLogTest.class.getResourceAsStream("/gateway-log4j2.xml")) {
      NodeList loggers =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file)
              .getElementsByTagName("Logger");
      for (int i = 0; i < loggers.getLength(); i++) {
        Element logger = (Element) loggers.item(i);
        levels.put(logger.getAttribute("name"), logger.getAttribute("level"));
      }
    }

    assertThat(levels).containsEntry(BROKEN_CONNECTIONS, "ERROR");
    assertThat(Class.forName(BROKEN_CONNECTIONS)).as("the class that logs").isNotNull();
  }
}
