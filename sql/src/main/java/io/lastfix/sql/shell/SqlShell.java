package io.lastfix.sql.shell;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.client.cli.CliClient;
import org.apache.flink.table.client.cli.CliOptions.EmbeddedCliOptions;
import org.apache.flink.table.client.gateway.DefaultContextUtils;
import org.apache.flink.table.client.gateway.Executor;
import org.apache.flink.table.client.gateway.SingleSessionManager;
import org.apache.flink.table.client.gateway.SqlExecutionException;
import org.apache.flink.table.gateway.SqlGateway;
import org.apache.flink.table.gateway.api.endpoint.SqlGatewayEndpointFactoryUtils;
import org.apache.flink.table.gateway.rest.SqlGatewayRestEndpointFactory;
import org.apache.flink.table.gateway.rest.util.SqlGatewayRestOptions;
import org.apache.flink.table.gateway.service.context.DefaultContext;
import org.apache.flink.util.NetUtils;

/**
 * Starts Flink's SQL client. It replaces Flink's own {@code SqlClient}, which
 *
 * <ul>
 *   <li>needs the jar of Flink's Python API, 30 MB, to parse its options,
 *   <li>lets the gateway within it listen on all addresses of the machine, without a password,
 *   <li>would leave the file of statements that makes the tables, with its passwords, on the disk.
 * </ul>
 */
public final class SqlShell {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String SESSION = "lastfix";

  private SqlShell() {}

  /**
   * Runs statements, or the dialogue if there are none. The configuration of Flink is in the folder
   * that {@code FLINK_CONF_DIR} names.
   *
   * @param arguments a folder with {@code init.sql}, which is deleted once it is read, and perhaps
   *     {@code script.sql}; the file of the dialogue's history; then the jars of the connectors
   */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Path script = folder.resolve("script.sql");
    String init = Files.readString(folder.resolve("init.sql"));
    Files.delete(folder.resolve("init.sql"));
    List<URL> jars = new ArrayList<>();
    for (String jar : List.of(arguments).subList(2, arguments.length)) {
      jars.add(Path.of(jar).toUri().toURL());
    }
    int exitCode = 1;
    try {
      exitCode =
          run(
              init,
              Files.exists(script) ? Files.readString(script) : "",
              Path.of(arguments[1]),
              jars);
    } finally {
      // Threads of Flink's client may still run.
      System.exit(exitCode);
    }
  }

  private static int run(String init, String script, Path history, List<URL> jars)
      throws Exception {
    DefaultContext context =
        DefaultContextUtils.buildDefaultContext(
            new EmbeddedCliOptions(
                false,
                SESSION,
                null,
                null,
                null,
                null,
                jars,
                List.of(),
                new Configuration(),
                new Properties()));
    NetUtils.Port port = NetUtils.getAvailablePort();
    try {
      SqlGateway gateway =
          new SqlGateway(gatewayOf(context, port.getPort()), new SingleSessionManager(context));
      gateway.start();
      Executor executor =
          Executor.create(
              context, InetSocketAddress.createUnresolved(LOOPBACK, port.getPort()), SESSION);
      // Ends the query that runs, also after an interrupt.
      Thread end =
          new Thread(
              () -> {
                executor.close();
                gateway.stop();
              },
              "end-session");
      Runtime.getRuntime().addShutdownHook(end);
      return execute(executor, init, script, history);
    } finally {
      port.close();
    }
  }

  private static int execute(Executor executor, String init, String script, Path history) {
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    try {
      SqlStatements.of(init).forEach(executor::configureSession);
      if (script.isEmpty()) {
        try (CliClient client =
            new CliClient(CliClient.DEFAULT_TERMINAL_FACTORY, executor, history)) {
          client.executeInInteractiveMode();
        }
      } else {
        new SqlScript(executor, out).run(SqlStatements.of(script));
      }
      return 0;
    } catch (SqlExecutionException e) {
      out.flush();
      System.err.println("lastfix sql: " + FailureReason.of(e));
      return 1;
    }
  }

  private static Configuration gatewayOf(DefaultContext context, int port) {
    Configuration endpoint = new Configuration();
    endpoint.set(SqlGatewayRestOptions.ADDRESS, LOOPBACK);
    endpoint.set(SqlGatewayRestOptions.BIND_ADDRESS, LOOPBACK);
    endpoint.set(SqlGatewayRestOptions.PORT, port);
    Configuration all = context.getFlinkConfig().clone();
    all.addAll(
        endpoint,
        SqlGatewayEndpointFactoryUtils.getSqlGatewayOptionPrefix(
            SqlGatewayRestEndpointFactory.IDENTIFIER));
    return all;
  }
}
