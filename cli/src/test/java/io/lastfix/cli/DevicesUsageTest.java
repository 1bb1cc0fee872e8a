package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The messages of {@code group}, {@code device} and {@code audit --signatures} before they query
 * any server.
 */
class DevicesUsageTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "group create | group create Fleet | group: expected 1 to 64 of a-z, 0-9 and dashes inside",
        "group create | group create       | Missing required parameter: 'GROUP'",
        "group create | group create a --speaks-for=a*b | speaks-for: expected a user, or the beginning of users and '*', such as 35000*; without blanks, and with no other '*'",
        "group speaks-for | group speaks-for a --users=35*,*5 | speaks-for: expected a user, or the beginning of users and '*', such as 35000*; without blanks, and with no other '*'",
        "group speaks-for | group speaks-for a --users=35* --no-other | Error: --users=USERS, --no-other are mutually exclusive (specify only one)",
        "audit        | audit --signatures --lenient | --signatures: expected without --from, --to and --lenient",
        "audit        | audit --signatures --group-keys=/no/such | --group-keys: /no/such is no directory",
        "group rotate | group rotate a --token --prepare | Error: --prepare, --token are mutually exclusive (specify only one)",
        "device enrol | device enrol --group a | Missing required option: '--class=CLASS'",
        "device enrol | device enrol --group a --class a/b | class: expected 1 to 64 of A-Z, a-z, 0-9, dot, dash and underscore, the first a letter or digit",
        "device revoke | device revoke 12  | Invalid value for positional parameter at index 0 (DEVICE): device: expected 32 hexadecimal digits in lower case, as the registration returned; lastfix devices shows those that are not registered, too",
        "device show  | device show        | Missing required parameter: 'DEVICE'",
      })
  void whatCannotBeMeantIsRefusedInOneLine(String command, String line, String message) {
    StringWriter err = new StringWriter();

    assertThat(
            Lastfix.commandLine().setErr(new PrintWriter(err, true)).execute(line.split(" ", -1)))
        .isEqualTo(2);
    assertThat(err.toString().strip())
        .isEqualTo("lastfix %s: %s (see lastfix %s --help)".formatted(command, message, command));
  }
}
