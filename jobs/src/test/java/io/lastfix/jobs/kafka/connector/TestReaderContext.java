package io.lastfix.jobs.kafka.connector;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.UserCodeClassLoader;

/** The context of a source reader without Flink; keeps the events. */
public class TestReaderContext implements SourceReaderContext {
  public final List<SourceEvent> sent = new ArrayList<>();

  @Override
  public SourceReaderMetricGroup metricGroup() {
    return UnregisteredMetricsGroup.createSourceReaderMetricGroup();
  }

  @Override
  public Configuration getConfiguration() {
    return new Configuration();
  }

  @Override
  public String getLocalHostName() {
    return "here";
  }

  @Override
  public int getIndexOfSubtask() {
    return 0;
  }

  @Override
  public void sendSplitRequest() {}

  @Override
  public void sendSourceEventToCoordinator(SourceEvent event) {
    sent.add(event);
  }

  @Override
  public UserCodeClassLoader getUserCodeClassLoader() {
    throw new UnsupportedOperationException();
  }
}
