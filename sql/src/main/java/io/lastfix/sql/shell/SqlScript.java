package io.lastfix.sql.shell;

import java.io.PrintWriter;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.table.api.ResultKind;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.client.gateway.Executor;
import org.apache.flink.table.client.gateway.StatementResult;
import org.apache.flink.table.utils.print.PrintStyle;
import org.apache.flink.table.utils.print.RowDataToStringConverter;

/**
 * Runs statements and prints their results, and nothing else. Flink's client would print each
 * statement too, and end with 0 after a failure.
 */
record SqlScript(Executor executor, PrintWriter out) {
  private static final int MAX_WIDTH = 1_000;

  /** Of a text whose width is not known, because rows are printed as they come. */
  private static final int MAX_WIDTH_OF_STREAM = 40;

  /** The column of a plan, which is a text of several lines. */
  private static final List<String> PLAN = List.of("result");

  private static final Pattern HARMFUL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  /** Runs statements one after another; throws what the first that fails throws. */
  void run(List<String> statements) {
    for (String statement : statements) {
      try (StatementResult result = executor.executeStatement(statement)) {
        print(result);
      }
      out.flush();
    }
  }

  private void print(StatementResult result) {
    if (result.getResultKind() == ResultKind.SUCCESS) {
      return;
    }
    style(result).print(result, out);
  }

  private PrintStyle style(StatementResult result) {
    ResolvedSchema schema = result.getResultSchema();
    RowDataToStringConverter text = result.getRowDataToStringConverter();
    if (!result.isQueryResult() && schema.getColumnNames().equals(PLAN)) {
      return PrintStyle.rawContent(text);
    }
    RowDataToStringConverter converter =
        row -> Stream.of(text.convert(row)).map(SqlScript::printable).toArray(String[]::new);
    boolean isStream =
        result.isQueryResult()
            && executor.getSessionConfig().get(ExecutionOptions.RUNTIME_MODE)
                == RuntimeExecutionMode.STREAMING;
    return isStream
        ? PrintStyle.tableauWithTypeInferredColumnWidths(
            schema, converter, MAX_WIDTH_OF_STREAM, false, true)
        : PrintStyle.tableauWithDataInferredColumnWidths(
            schema, converter, MAX_WIDTH, false, false);
  }

  /** Devices choose their names: a character that commands the terminal is not printed. */
  static String printable(String cell) {
    return HARMFUL.matcher(cell).replaceAll("?");
  }
}
