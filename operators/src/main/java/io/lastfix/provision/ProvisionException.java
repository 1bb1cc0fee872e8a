package io.lastfix.provision;

import java.util.ArrayList;
import java.util.List;

/**
 * Collections are not as they must be, and nobody but a person can change it. The message has a
 * line for each thing, says what to do, and holds no contents of documents.
 */
public final class ProvisionException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Makes all that a job needs when it starts, and brings older partitions up to date. */
  static final String PROVISION = "lastfix provision";

  private ProvisionException(String message) {
    super(message);
  }

  /** What is missing or disagrees, of plans of which at least one is not met. */
  public static ProvisionException of(List<CollectionPlan> plans) {
    return of(plans, PROVISION);
  }

  /**
   * The same, of what not {@code lastfix provision} makes.
   *
   * @param command that makes what is missing
   */
  static ProvisionException of(List<CollectionPlan> plans, String command) {
    List<String> lines = new ArrayList<>();
    boolean isAnythingMissing = false;
    for (CollectionPlan plan : plans) {
      plan.differences().forEach(found -> lines.add(plan.namespace() + ": " + found));
      plan.steps().forEach(step -> lines.add("missing: " + step.description()));
      isAnythingMissing |= !plan.steps().isEmpty();
    }
    if (isAnythingMissing) {
      lines.add(
          ("What is missing is made by: %s, with the job's configuration; or by the job itself with"
                  + " provision: auto")
              .formatted(command));
    }
    return new ProvisionException(
        "MongoDB is not as the configuration says: " + String.join("\n", lines));
  }

  static ProvisionException forbidden(String namespace, String action) {
    return new ProvisionException(
        ("MongoDB does not let this user %s for %s: bring its role up to date as config/mongodb has it (lastfix"
                + " provision as an administrator, or create-roles.js; on a sharded cluster it needs lastfixSharding"
                + " too), or let somebody else provision and set provision: off")
            .formatted(action, namespace));
  }
}
