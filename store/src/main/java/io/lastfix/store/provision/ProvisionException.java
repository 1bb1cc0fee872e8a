package io.lastfix.store.provision;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collections are not as they must be, and nobody but a person can change it. The message has a
 * line for each thing, with the first of the collections that it is true of and the number of the
 * others; it says what to do, and holds no contents of documents.
 */
public final class ProvisionException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Makes all that a job needs when it starts, and brings older partitions up to date. */
  static final String PROVISION = "lastfix provision";

  /** Of collections that disagree in the same way: a message is to be read by a person. */
  private static final int MOST_NAMED = 3;

  private static final int MOST_MISSING = 9;

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
    List<String> lines = new ArrayList<>(differences(plans));
    List<String> missing =
        plans.stream()
            .flatMap(plan -> plan.steps().stream())
            .map(step -> "missing: " + step.description())
            .toList();
    lines.addAll(missing.subList(0, Math.min(missing.size(), MOST_MISSING)));
    if (missing.size() > MOST_MISSING) {
      lines.add(
          "missing: %,d more; %s --dry-run names all"
              .formatted(missing.size() - MOST_MISSING, PROVISION));
    }
    if (!missing.isEmpty()) {
      lines.add(
          ("What is missing is made by: %s, with the job's configuration; or by the job itself with"
                  + " provision: auto")
              .formatted(command));
    }
    return new ProvisionException(
        "MongoDB is not as the configuration says: " + String.join("\n", lines));
  }

  /** One line for collections that disagree in the same way, such as all partitions of a year. */
  private static List<String> differences(List<CollectionPlan> plans) {
    Map<List<String>, List<Difference>> alike = new LinkedHashMap<>();
    Map<List<String>, List<String>> namespaces = new LinkedHashMap<>();
    for (CollectionPlan plan : plans) {
      for (Difference found : plan.differences()) {
        List<String> kind = List.of(found.what(), found.expected(), found.found());
        alike.computeIfAbsent(kind, none -> new ArrayList<>()).add(found);
        namespaces.computeIfAbsent(kind, none -> new ArrayList<>()).add(plan.namespace());
      }
    }
    List<String> lines = new ArrayList<>();
    alike.forEach(
        (kind, found) -> {
          boolean sameRemedy = found.stream().map(Difference::remedy).distinct().count() == 1;
          lines.add(
              names(namespaces.get(kind))
                  + ": "
                  + found.get(0)
                  + (sameRemedy ? "" : "; the others likewise"));
        });
    return lines;
  }

  private static String names(List<String> namespaces) {
    int more = namespaces.size() - MOST_NAMED;
    String named =
        String.join(", ", namespaces.subList(0, Math.min(namespaces.size(), MOST_NAMED)));
    return more <= 0 ? named : "%s and %,d more collections".formatted(named, more);
  }

  /** It cannot be seen whether History has partitions of another period. */
  public static ProvisionException unlisted(String database) {
    return new ProvisionException(
        ("MongoDB does not let this user list the collections of %s, which may have partitions of another"
                + " history.period: grant it listCollections there, as config/mongodb has it; or, with provision: off, set"
                + " history.on-other-period: continue")
            .formatted(database));
  }

  static ProvisionException forbidden(String namespace, String action) {
    return new ProvisionException(
        ("MongoDB does not let this user %s for %s: bring its role up to date as config/mongodb has it (lastfix"
                + " provision as an administrator, or create-roles.js; on a sharded cluster it needs lastfixSharding"
                + " too), or let somebody else provision and set provision: off")
            .formatted(action, namespace));
  }
}
