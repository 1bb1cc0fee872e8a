package io.lastfix.gateway.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.http.Problem;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Send plain bodies, or gzip with the header Content-Encoding: gzip."
            + " | Send plain bodies, or gzip with the user property content-encoding: gzip.",
        "A heartbeat may have 9 bytes. Records go to POST /v1/records/PROFILE."
            + " | A heartbeat may have 9 bytes. Records go to the topic lastfix/v1/DEVICE/records/PROFILE.",
      })
  void overMqttNoRefusalAdvisesWhatOnlyHttpHas(String overHttp, String overMqtt) {
    Problem problem = new Problem(413, "code", "title", overHttp, null, null, Map.of());

    assertThat(Admission.Refused.of("route", problem))
        .isEqualTo(new Admission.Refused("route", "code", overMqtt));
  }
}
