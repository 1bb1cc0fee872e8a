package io.lastfix.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that two programs could understand differently. */
class StrictRequestsTest {
  private static final String HOST = "Host: localhost\r\n";
  private static final String CLOSE = "Connection: close\r\n\r\n";
  private static final String GET = "GET /osmand?id=strict&lat=1&lon=2 ";

  private final RecordingSender sender = new RecordingSender();

  private String status(TestGateway gateway, String request) throws IOException {
    return RawClient.exchange(gateway.port(), request).lines().findFirst().orElse("nothing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "identity",
        "gzip",
        "gzip, chunked",
        "chunked, chunked",
        "xchunked",
        "chunked;q=1",
        "chunked\r\nTransfer-Encoding: chunked",
        // The server itself refuses this one, in its own words.
        "chunked\r\nTransfer-Encoding: identity"
      })
  void anUnknownTransferCodingIs400AndWhatFollowsIsNoRequest(String codings) throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      String answer =
          RawClient.exchange(
              gateway.port(),
              "POST /osmand HTTP/1.1\r\n%sTransfer-Encoding: %s\r\n\r\n".formatted(HOST, codings)
                  + GET
                  + "HTTP/1.1\r\n"
                  + HOST
                  + "\r\n");

      assertThat(answer).startsWith("HTTP/1.1 400 ");
      if (!codings.endsWith("\nTransfer-Encoding: identity")) {
        assertThat(answer).contains("Transfer-Encoding: chunked");
      }
    }
    assertThat(sender.records()).isEmpty();
  }

  @Test
  void oneChunkedBodyIsTaken() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      for (String chunked : List.of("chunked", "Chunked", " chunked ")) {
        assertThat(
                status(
                    gateway,
                    "POST /v1/records/json HTTP/1.1\r\n%sTransfer-Encoding: %s\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
                        .formatted(HOST, chunked)))
            .startsWith("HTTP/1.1 202");
      }
    }
    assertThat(sender.records()).hasSize(3);
  }

  @Test
  void http11NeedsOneHostAndHttp10NeedsNone() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(RawClient.exchange(gateway.port(), GET + "HTTP/1.1\r\n\r\n"))
          .startsWith("HTTP/1.1 400 ")
          .contains("Send one header Host.");
      assertThat(status(gateway, GET + "HTTP/1.1\r\n" + HOST + HOST + "\r\n"))
          .startsWith("HTTP/1.1 400 ");
      assertThat(sender.records()).isEmpty();

      assertThat(status(gateway, GET + "HTTP/1.1\r\n" + HOST + CLOSE)).contains(" 200 ");
      assertThat(status(gateway, GET + "HTTP/1.0\r\n" + CLOSE)).contains(" 200 ");
      assertThat(
              status(
                  gateway, "POST /osmand HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
          .as("HTTP/1.0 has no transfer codings")
          .contains(" 400 ");
    }
    assertThat(sender.records()).hasSize(2);
  }

  @Test
  void aLaterRequestOfAConnectionIsNoMoreTrusted() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      String answers =
          RawClient.exchange(
              gateway.port(), GET + "HTTP/1.1\r\n" + HOST + "\r\n" + GET + "HTTP/1.1\r\n\r\n");

      assertThat(answers)
          .startsWith("HTTP/1.1 200 ")
          .contains("HTTP/1.1 400 ", "Send one header Host.");
    }
    assertThat(sender.records()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConnectionThatUpgradesToHttp2IsStrictFromThenOn(boolean isRepeated) throws Exception {
    try (TestGateway gateway = TestGateway.start(sender);
        Socket socket = RawClient.connect(gateway.port())) {
      OutputStream out = socket.getOutputStream();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      String upgrade =
          "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n";
      out.write((GET + "HTTP/1.1\r\n" + HOST + upgrade).getBytes(US_ASCII));
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.readUnsignedByte());
      }
      assertThat(head).startsWith("HTTP/1.1 101 ");

      List<String> headers = new ArrayList<>(List.of(METHOD, SCHEME, PATH, AUTHORITY));
      if (isRepeated) {
        headers.add(":path /osmand?id=other&lat=1&lon=2");
      }
      writeHttp2(out, 3, headers);

      assertThat(answer(in, 3)).isEqualTo(isRepeated ? "400" : "200");
    }
    assertThat(sender.records()).hasSize(isRepeated ? 1 : 2);
  }

  @Test
  void aRequestThatComesByteByByteIsTheSame() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender);
        Socket socket = RawClient.connect(gateway.port())) {
      socket.setTcpNoDelay(true);
      for (byte one : (GET + "HTTP/1.1\r\n\r\n").getBytes(US_ASCII)) {
        socket.getOutputStream().write(one);
      }
      assertThat(RawClient.read(socket)).startsWith("HTTP/1.1 400 ");
    }
  }

  private static final String METHOD = ":method GET";
  private static final String SCHEME = ":scheme http";
  private static final String PATH = ":path /osmand?id=strict&lat=1&lon=2";
  private static final String AUTHORITY = ":authority localhost";

  @Test
  void pseudoHeadersOfHttp2AreThereOnce() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      for (List<String> malformed :
          List.of(
              List.of(METHOD, SCHEME, PATH, ":path /osmand?id=other&lat=1&lon=2", AUTHORITY),
              List.of(METHOD, SCHEME, PATH, PATH, AUTHORITY),
              List.of(METHOD, METHOD, SCHEME, PATH, AUTHORITY),
              List.of(METHOD, SCHEME, SCHEME, PATH, AUTHORITY),
              List.of(METHOD, SCHEME, PATH, AUTHORITY, ":authority elsewhere"),
              List.of(METHOD, SCHEME, AUTHORITY),
              List.of(METHOD, PATH, AUTHORITY),
              List.of(":method CONNECT", AUTHORITY),
              List.of(SCHEME, PATH, AUTHORITY))) {
        assertThat(http2Status(gateway, malformed)).as("%s", malformed).isEqualTo("400");
      }
      assertThat(sender.records()).isEmpty();
      assertThat(http2Status(gateway, List.of(METHOD, SCHEME, PATH, AUTHORITY))).isEqualTo("200");
    }
    assertThat(sender.records()).hasSize(1);
  }

  /** With the log as it ships. */
  @Test
  void malformedHttp2IsNoStackTraceInTheLog() throws Exception {
    List<LogEvent> traces = new CopyOnWriteArrayList<>();
    AbstractAppender appender =
        new AbstractAppender("traces", null, null, true, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            if (event.getThrown() != null) {
              traces.add(event.toImmutable());
            }
          }
        };
    appender.start();
    LoggerContext context = (LoggerContext) LogManager.getContext(false);
    context.setConfigLocation(StrictRequestsTest.class.getResource("/gateway-log4j2.xml").toURI());
    context.getRootLogger().addAppender(appender);
    try (TestGateway gateway = TestGateway.start(sender)) {
      LogManager.getLogger("test").warn("the appender listens", new IllegalStateException());
      assertThat(traces).hasSize(1);
      for (List<String> broken :
          List.of(
              List.of(METHOD, SCHEME, PATH, AUTHORITY, ":status 200"),
              List.of(METHOD, SCHEME, PATH, AUTHORITY, ":unknown x"),
              List.of(METHOD, SCHEME, PATH, AUTHORITY, "Upper case"),
              List.of(METHOD, SCHEME, PATH, AUTHORITY, "connection close"),
              List.of(METHOD, SCHEME, PATH, AUTHORITY, "content-length x"),
              List.of(METHOD, SCHEME, ":path  ", AUTHORITY),
              List.of(METHOD, SCHEME, PATH, ":authority :a:b:"),
              List.of("x y", METHOD, SCHEME, PATH, AUTHORITY),
              List.of(METHOD, SCHEME, AUTHORITY))) {
        assertThat(http2Status(gateway, broken)).as("%s", broken).isNotEqualTo("500");
      }
      for (int type = 0; type < 10; type++) {
        try (Socket socket = RawClient.connect(gateway.port())) {
          OutputStream out = socket.getOutputStream();
          out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
          out.write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
          out.write(new byte[] {0, 0, 3, (byte) type, 0, 0, 0, 0, 9, 1, 2, 3});
          // A ping, whose answer is the last one that comes if the connection has no error.
          out.write(new byte[] {0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8});
          out.flush();
          assertThat(answer(new DataInputStream(socket.getInputStream()), 1)).isEqualTo("none");
        }
      }
    } finally {
      context.setConfigLocation(null);
    }
    assertThat(traces).hasSize(1);
  }

  /** The status of the answer to a GET with these headers; {@code none} if there is no answer. */
  private static String http2Status(TestGateway gateway, List<String> headers) throws Exception {
    try (Socket socket = RawClient.connect(gateway.port())) {
      writeHttp2(socket.getOutputStream(), 1, headers);
      return answer(new DataInputStream(socket.getInputStream()), 1);
    }
  }

  private static void writeHttp2(OutputStream out, int stream, List<String> headers)
      throws IOException {
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    out.write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
    byte[] block = block(headers);
    // Ends the headers and the stream.
    out.write(
        new byte[] {
          0, (byte) (block.length >> 8), (byte) block.length, 1, 5, 0, 0, 0, (byte) stream
        });
    out.write(block);
    out.flush();
  }

  /** Literals without an index, and without Huffman's code (RFC 7541, 6.2.2). */
  private static byte[] block(List<String> headers) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (String header : headers) {
      int blank = header.indexOf(' ');
      block.write(0);
      for (String text : List.of(header.substring(0, blank), header.substring(blank + 1))) {
        block.write(text.length());
        block.writeBytes(text.getBytes(US_ASCII));
      }
    }
    return block.toByteArray();
  }

  /** What follows an answer of another stream is read, too. */
  private static String answer(DataInputStream in, int stream) throws Exception {
    DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();
    while (true) {
      byte[] head = new byte[9];
      try {
        in.readFully(head);
      } catch (IOException e) {
        return "none";
      }
      byte[] payload = new byte[(head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | (head[2] & 0xff)];
      in.readFully(payload);
      boolean isHeaders = head[3] == 1;
      boolean isEnd = head[3] == 3 || head[3] == 6 || head[3] == 7;
      if (isEnd) {
        return "none";
      }
      if (isHeaders) {
        Http2Headers answered = decoder.decodeHeaders(head[8], Unpooled.wrappedBuffer(payload));
        if (head[8] == stream && answered.status() != null) {
          return answered.status().toString();
        }
      }
    }
  }
}
