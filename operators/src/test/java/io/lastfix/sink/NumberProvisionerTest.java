package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.ProvisionMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which collections of numbers are created again. */
class NumberProvisionerTest {
  private static final NumberCollections TRIPS =
      NumberCollections.ofUsers("trips", PartitionPeriod.MONTH);
  private static final HistoryRetention KEPT_FOR_31_DAYS =
      HistoryRetention.of(PartitionPeriod.MONTH, Duration.ofDays(31), Duration.ZERO);

  private final List<CollectionDescription> ensured = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-20T12:00:00Z");

  private NumberProvisioner provisioner(@Nullable HistoryRetention retention) {
    return new NumberProvisioner(TRIPS, ensured::add, true, retention, () -> now);
  }

  @Test
  void aCollectionIsCreatedWithItsIndexes() throws Exception {
    provisioner(null).provision("trips_2026_11");

    assertThat(ensured).containsExactly(TRIPS.description("trips_2026_11"));
  }

  @Test
  void onlyAnExpiredCollectionMayBeGone() {
    NumberProvisioner provisioner = provisioner(KEPT_FOR_31_DAYS);

    assertThat(provisioner.mayBeGone("trips_2026_09")).isTrue();
    assertThat(provisioner.mayBeGone("trips_2026_10")).isFalse();
  }

  @Test
  void aCollectionIsInspectedOnceAMinute() throws Exception {
    NumberProvisioner provisioner = provisioner(KEPT_FOR_31_DAYS);

    provisioner.provision("trips_2026_09");
    assertThat(provisioner.mayBeGone("trips_2026_09")).isFalse();
    now = now.plusSeconds(60);

    assertThat(provisioner.mayBeGone("trips_2026_09")).isTrue();
  }

  /** Rules may be newer than a record that is late, and lastfix provision creates no past one. */
  @ParameterizedTest
  @CsvSource({"AUTO, alerts_2026_10 alerts_2026_11", "CHECK, alerts_2026_11"})
  void ifTheJobMayCreateNoneAlertsOfAPastPeriodNeedNoCollection(ProvisionMode mode, String expected)
      throws Exception {
    NumberProvisioner provisioner =
        NumberSink.ofAlerts(
                new NumberSink.Server(
                    MongoOptions.defaults("mongodb://nowhere.example/", "lastfix"),
                    new BulkOptionsBuilder().build(),
                    mode,
                    null),
                NumberCollections.ofAlerts(PartitionPeriod.MONTH))
            .preparation(ensured::add, () -> now);

    provisioner.provision("alerts_2026_10");
    provisioner.provision("alerts_2026_11");

    assertThat(ensured)
        .extracting(CollectionDescription::name)
        .containsExactly(expected.split(" ", -1));
  }

  /** The location job, which drops, may have one. */
  @Test
  void withoutARetentionWhatEndedAPeriodAgoMayBeGone() {
    NumberProvisioner provisioner = provisioner(null);

    assertThat(provisioner.mayBeGone("trips_2026_09")).isTrue();
    assertThat(provisioner.mayBeGone("trips_2026_10")).isFalse();
    assertThat(provisioner.mayBeGone("trips_2026_11")).isFalse();
  }
}
