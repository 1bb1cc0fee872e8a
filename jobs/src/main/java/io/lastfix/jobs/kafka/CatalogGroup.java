package io.lastfix.jobs.kafka;

import java.io.Serializable;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.flink.api.common.ExecutionConfig;

/**
 * The consumer group under which one submission of a job commits the catalogue's offsets: the job's
 * own group, {@code -cells-} and eight random hexadecimal digits. Each submission has its own, so
 * that nobody else's commits can stand for what is in this job's state; RATIONALE.md tells more.
 *
 * @param id such as {@code lastfix-location-cells-09af3c11}
 */
public record CatalogGroup(String id) implements Serializable {
  /** The job's parameter, as Flink shows it, that holds the id. */
  public static final String JOB_PARAMETER = "lastfix.catalog-group";

  private static final String INFIX = "-cells";
  private static final Pattern SUFFIX = Pattern.compile(INFIX + "-[0-9a-f]{8}");
  private static final int SUFFIX_LENGTH = INFIX.length() + 1 + 8;

  /**
   * One that nobody has used yet.
   *
   * @param groupId the job's own
   */
  public static CatalogGroup ofNewStart(String groupId) {
    return new CatalogGroup("%s%s-%08x".formatted(groupId, INFIX, new SecureRandom().nextInt()));
  }

  /**
   * The one that all starts of a job shared before each had its own, up to 0.1.0.
   *
   * @param groupId the job's own
   */
  public static CatalogGroup ofFormerRelease(String groupId) {
    return new CatalogGroup(groupId + INFIX);
  }

  /** Whether a group of that name is one start's, of whatever job. */
  public static boolean isOfOneStart(String name) {
    int end = name.length() - SUFFIX_LENGTH;
    return end > 0 && SUFFIX.matcher(name).region(end, name.length()).matches();
  }

  /**
   * Whether a group of that name is that of some start of a job, also of a former release.
   *
   * @param groupId the job's own
   */
  public static boolean isOfJob(String groupId, String name) {
    return name.equals(ofFormerRelease(groupId).id())
        || (isOfOneStart(name)
            && name.length() == groupId.length() + SUFFIX_LENGTH
            && name.startsWith(groupId));
  }

  /** Shows it with the job, beside what the user publishes, so that others can find it. */
  public void publish(ExecutionConfig job) {
    Map<String, String> parameters = new HashMap<>(job.getGlobalJobParameters().toMap());
    parameters.put(JOB_PARAMETER, id);
    job.setGlobalJobParameters(new Parameters(parameters));
  }

  /** Flink takes them in this shape only. */
  private static final class Parameters extends ExecutionConfig.GlobalJobParameters {
    private static final long serialVersionUID = 1L;

    private final HashMap<String, String> parameters;

    Parameters(Map<String, String> parameters) {
      this.parameters = new HashMap<>(parameters);
    }

    @Override
    public Map<String, String> toMap() {
      return parameters;
    }
  }
}
