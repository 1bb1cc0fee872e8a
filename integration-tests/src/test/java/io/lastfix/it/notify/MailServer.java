package io.lastfix.it.notify;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.subethamail.smtp.server.SMTPServer;

/** A mail server on loopback, which keeps what it gets. */
final class MailServer implements AutoCloseable {
  private final List<String> mails = new CopyOnWriteArrayList<>();
  private final SMTPServer server;
  private final int port;

  MailServer() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    server =
        SMTPServer.port(port)
            .bindAddress(InetAddress.getLoopbackAddress())
            .messageHandler((context, from, to, mail) -> mails.add(new String(mail, UTF_8)))
            .build();
    server.start();
  }

  /** Host and port. */
  String address() {
    return "127.0.0.1:" + port;
  }

  /** With their headers, in order. */
  List<String> mails() {
    return mails;
  }

  @Override
  public void close() {
    server.stop();
  }
}
