package io.lastfix.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.MessageDigest;
import java.util.HexFormat;

/** What no decent client sends. */
final class RawClient {
  static final int LIMIT_MILLIS = 20_000;

  private RawClient() {}

  /** A connection whose reads end after some seconds, so that no test waits for ever. */
  static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(LIMIT_MILLIS);
    return socket;
  }

  /** Sends text, and returns the first part of what comes back. */
  static String exchange(int port, String text) throws IOException {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(text.getBytes(UTF_8));
      socket.getOutputStream().flush();
      return read(socket);
    }
  }

  /** An answer's head and the first part of its body, or what came before the connection's end. */
  static String read(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder answer = new StringBuilder();
    byte[] buffer = new byte[8192];
    int count = in.read(buffer);
    while (count >= 0) {
      answer.append(new String(buffer, 0, count, UTF_8));
      int end = answer.indexOf("\r\n\r\n");
      // The server keeps a connection open for seconds after an answer without a body.
      if (end >= 0
          && (answer.length() > end + 4 || answer.indexOf("\r\ncontent-length: 0\r\n") >= 0)) {
        break;
      }
      count = in.read(buffer);
    }
    return answer.toString();
  }

  /** Whether the server has closed a connection, or does so before the limit, without a byte. */
  static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() == -1;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  static String sha256(String text) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
  }
}
