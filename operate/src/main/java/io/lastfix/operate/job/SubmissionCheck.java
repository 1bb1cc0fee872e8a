package io.lastfix.operate.job;

import io.lastfix.cluster.StackException;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.submission.SubmittedJob;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.JobParameters;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.jobs.kafka.topics.UnreadTopics;
import io.lastfix.operate.status.LocationReading;
import io.lastfix.operate.status.UncountedRecords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/**
 * What the submission of a stream may leave out by mistake.
 *
 * @param given what it is submitted with
 */
public record SubmissionCheck(StreamJobSettings given) {
  /**
   * Refuses profiles that are left out. Their topics may have no unread record now, but a gateway
   * would accept later records, and no job would read them.
   *
   * @throws StackException naming them, and the remedy
   */
  public void requireProfiles() {
    LocationJobConfig config = given.config();
    KafkaOptions kafka = config.kafka();
    if (given.settings().gives(LocationJobConfig.PROFILE_NAMES)) {
      return;
    }
    Set<String> lost;
    try (Admin admin = KafkaAdmin.connect(kafka)) {
      lost = new UnreadTopics(admin, kafka).readByGroup();
    }
    kafka.locationTopics(config.profileNames()).forEach(lost::remove);
    lost.removeAll(config.source().abandonedTopics());
    if (!lost.isEmpty()) {
      String names =
          lost.stream()
              .map(topic -> topic.substring(kafka.locationTopicPrefix().length()))
              .collect(Collectors.joining(","));
      throw new StackException(
          "the job was not started: group %s has read %s before, and this submission would not: give --set profiles.names=%s,%s as before, or leave the topics unread with --set source.abandon-topics=%s"
              .formatted(
                  kafka.groupId(),
                  String.join(", ", lost),
                  String.join(",", config.profileNames()),
                  names,
                  String.join(",", lost)));
    }
  }

  /**
   * Returns a line for each reason why a job that reads located records lacks what the location job
   * stores.
   *
   * @param flink the cluster
   * @param before the job of that name that was submitted last
   */
  public List<String> uncounted(FlinkRest flink, Optional<SubmittedJob> before) throws IOException {
    List<FlinkRest.Job> jobs = flink.jobs();
    String location = Jobs.LOCATION.nameIn(given.config());
    Optional<String> topic = Optional.ofNullable(given.config().locatedTopic());
    List<String> lines = new ArrayList<>();
    if (given.stream().equals(Jobs.LOCATION)) {
      for (Jobs.Job reader : UncountedRecords.readers()) {
        String name = reader.nameIn(given.config());
        UncountedRecords.problem(
                location,
                topic.or(() -> Optional.of(JobParameters.NO_TOPIC)),
                name,
                UncountedRecords.topic(flink, jobs, name))
            .ifPresent(lines::add);
        if (topic.isPresent() && jobs.stream().anyMatch(it -> it.isUnfinished(name))) {
          before.flatMap(it -> gap(it, name)).ifPresent(lines::add);
        }
      }
    } else if (UncountedRecords.readers().contains(given.stream())) {
      UncountedRecords.problem(
              location,
              UncountedRecords.topic(flink, jobs, location),
              given.stream().nameIn(given.config()),
              topic)
          .ifPresent(lines::add);
    }
    return lines;
  }

  /** Returns a line if the location job certainly wrote no located records before. */
  static Optional<String> gap(SubmittedJob before, String reader) {
    if (!before.submission().certainlyLacks("located.topic")) {
      return Optional.empty();
    }
    String what =
        reader.endsWith(Jobs.ANALYTICS.suffix())
            ? "the numbers of job %s lack what it stored then. Run lastfix analyze over that time"
            : "job %s makes no alert of what it stored then";
    return Optional.of(
        "Job %s was submitted without located.topic before: %s"
            .formatted(before.name(), what.formatted(reader)));
  }

  /**
   * Returns a line for each location topic with records that neither the new job nor another one
   * reads.
   */
  public List<String> unread(FlinkRest flink) throws IOException {
    LocationJobConfig config = given.config();
    LocationReading reading = LocationReading.of(flink, flink.jobs());
    // The new job may still be being set up, and have published nothing.
    Set<String> topics = new TreeSet<>(reading.topics());
    topics.addAll(config.kafka().locationTopics(config.profileNames()));
    try (Admin admin = KafkaAdmin.connect(config.kafka())) {
      return LocationReading.remedies(
          new LocationReading(topics, true)
              .unread(admin, config.kafka(), config.source().abandonedTopics()),
          config.kafka().locationTopicPrefix());
    } catch (IllegalStateException e) {
      return List.of("Topics that no job reads could not be searched for: " + e.getMessage());
    }
  }
}
