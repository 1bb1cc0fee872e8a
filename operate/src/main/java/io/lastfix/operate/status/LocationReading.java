package io.lastfix.operate.status;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.JobParameters;
import io.lastfix.jobs.kafka.topics.UnreadTopics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;

/**
 * What the jobs of a cluster read of the location topics. Records of a topic that none of them
 * reads are acknowledged by gateways, and never stored.
 *
 * @param topics that a running job reads
 * @param isKnown whether each running job has published its topics; one that is being set up has
 *     not
 */
public record LocationReading(Set<String> topics, boolean isKnown) {
  /** Copies the topics. */
  public LocationReading {
    topics = Collections.unmodifiableSet(new TreeSet<>(topics));
  }

  /** Queries the jobs that have not ended. */
  public static LocationReading of(FlinkRest flink, List<FlinkRest.Job> jobs) throws IOException {
    Set<String> topics = new TreeSet<>();
    boolean isKnown = true;
    for (FlinkRest.Job job : jobs) {
      if (!job.isOver()) {
        Map<String, String> parameters = flink.jobParameters(job.id());
        Optional<List<String>> published = JobParameters.locationTopics(parameters);
        published.ifPresent(topics::addAll);
        boolean isBeingSetUp = parameters.isEmpty() && !flink.progress(job.id()).isRunning();
        isKnown &= published.isPresent() || !isBeingSetUp;
      }
    }
    return new LocationReading(topics, isKnown);
  }

  /**
   * The topics with records that none of the jobs reads, and an upper bound of their number; none
   * if it is not known what the jobs read.
   *
   * @param abandoned topics whose records may be left unread
   */
  public SortedMap<String, Long> unread(
      Admin admin, KafkaOptions kafka, Collection<String> abandoned) {
    if (!isKnown) {
      return Collections.emptySortedMap();
    }
    List<String> known = new ArrayList<>(topics);
    known.addAll(abandoned);
    return new UnreadTopics(admin, kafka).find(known);
  }

  /**
   * Returns a line for each unread topic: what to do about it.
   *
   * @param unread by name, an upper bound of the records
   * @param prefix of the location topics
   */
  public static List<String> remedies(Map<String, Long> unread, String prefix) {
    return unread.entrySet().stream()
        .map(topic -> remedy(topic.getKey(), topic.getValue(), prefix))
        .toList();
  }

  private static String remedy(String topic, long records, String prefix) {
    return String.format(
        Locale.ROOT,
        "%s has up to %,d records that no running job reads: they are not stored. Resume the location job if it is stopped; otherwise submit it with profile %s in profiles.names, or name the topic in source.abandon-topics",
        topic,
        records,
        topic.substring(prefix.length()));
  }
}
