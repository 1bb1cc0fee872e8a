package io.lastfix.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.AuditReport.Demanded;
import io.lastfix.cli.Lastfix;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditCommandTest {
  @ParameterizedTest
  @CsvSource({"audit, DEFAULT", "audit --strict, STRICT", "audit --lenient, LENIENT"})
  void theOptionsSayWhatTheExitCodeDemands(String line, Demanded demanded) {
    AuditCommand command =
        Lastfix.commandLine()
            .parseArgs(line.split(" ", -1))
            .subcommand()
            .commandSpec()
            .commandLine()
            .getCommand();

    assertThat(command.demanded()).isEqualTo(demanded);
  }
}
