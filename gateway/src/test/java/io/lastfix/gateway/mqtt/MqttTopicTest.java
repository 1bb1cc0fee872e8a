package io.lastfix.gateway.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MqttTopicTest {
  @Test
  void eachTopicOfADeviceIsKnown() {
    assertThat(MqttTopic.parse("lastfix/v1/d/records/json"))
        .isEqualTo(new MqttTopic.Records("d", "json"));
    assertThat(MqttTopic.parse("owntracks/jane/phone"))
        .isEqualTo(new MqttTopic.OwnTracks("owntracks/jane/phone"));
    assertThat(MqttTopic.parse("lastfix/v1/d/heartbeat")).isEqualTo(new MqttTopic.Heartbeat("d"));
    assertThat(MqttTopic.parse("lastfix/v1/d/bye")).isEqualTo(new MqttTopic.Bye("d"));
    assertThat(MqttTopic.parse("lastfix/v1/lastfix-probe/0123456789abcdef"))
        .isEqualTo(
            new MqttTopic.Probe("0123456789abcdef", "lastfix/probe/0123456789abcdef/lastfix"));
    assertThat(MqttTopic.parse("owntracks/lastfix-probe/0123456789abcdef"))
        .isEqualTo(
            new MqttTopic.Probe("0123456789abcdef", "lastfix/probe/0123456789abcdef/owntracks"));
    assertThat(MqttTopic.parse("owntracks/lastfix-probe/phone"))
        .isEqualTo(new MqttTopic.OwnTracks("owntracks/lastfix-probe/phone"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "lastfix/v1/d",
        "lastfix/v1//records/json",
        "lastfix/v2/d/records/json",
        "lastfix/v1/d/records",
        "lastfix/v1/d/records/json/more",
        "lastfix/v1/d/heartbeat/more",
        "lastfix/v1/d/bye/more",
        "lastfix/v1/d/other",
        "lastfix/v1/lastfix-probe/of-a-device",
        "lastfix/v1/d/lastfix-probe/0123456789abcdef",
        "lastfix/v1/d\n/records/json",
        "owntracks/jane",
        "owntracks//phone",
        "owntracks/jane/phone/cmd"
      })
  void anyOtherIsNot(String topic) {
    assertThat(MqttTopic.parse(topic)).isEqualTo(new MqttTopic.Unknown());
  }
}
