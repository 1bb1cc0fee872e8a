package io.lastfix.jobs.kafka.topics;

import java.io.Serializable;
import java.security.SecureRandom;
import java.util.regex.Pattern;
import org.apache.flink.api.common.ExecutionConfig;

/**
 * The consumer group under which one submission of a job commits the catalogue's offsets: the job's
 * own group, {@code -cells-} and eight random hexadecimal digits. Each submission has its own
 * group, so that the commits of another cannot stand for this job's state; see
 * docs/decisions/jobs.md.
 *
 * @param id such as {@code lastfix-location-cells-09af3c11}
 */
public record CatalogGroup(String id) implements Serializable {
  /** The job parameter in Flink that holds the id. */
  public static final String JOB_PARAMETER = "lastfix.catalog-group";

  private static final String INFIX = "-cells-";
  private static final Pattern SUFFIX = Pattern.compile(INFIX + "[0-9a-f]{8}");
  private static final int SUFFIX_LENGTH = INFIX.length() + 8;

  /**
   * A new group.
   *
   * @param groupId the job's own
   */
  public static CatalogGroup ofNewStart(String groupId) {
    return new CatalogGroup("%s%08x".formatted(prefix(groupId), new SecureRandom().nextInt()));
  }

  /**
   * Returns the prefix of the groups of all submissions.
   *
   * @param groupId the job's own
   */
  public static String prefix(String groupId) {
    return groupId + INFIX;
  }

  /** Returns whether the name is that of one submission's group, of any job. */
  public static boolean isOfOneStart(String name) {
    int end = name.length() - SUFFIX_LENGTH;
    return end > 0 && SUFFIX.matcher(name).region(end, name.length()).matches();
  }

  /**
   * Returns whether the name is that of a submission's group of this job.
   *
   * @param groupId the job's own
   */
  public static boolean isOfJob(String groupId, String name) {
    return isOfOneStart(name)
        && name.length() == groupId.length() + SUFFIX_LENGTH
        && name.startsWith(groupId);
  }

  /**
   * Adds the id to the job's parameters, beside those of the user, so that other programs find it.
   */
  public void publish(ExecutionConfig job) {
    JobParameters.add(job, JOB_PARAMETER, id);
  }
}
