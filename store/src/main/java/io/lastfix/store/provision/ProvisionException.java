package io.lastfix.store.provision;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collections differ from their descriptions, and only a person can change them. The message has
 * one line per difference, with the first collections it applies to and the number of the others.
 * It says what to do and contains no contents of documents.
 */
public final class ProvisionException extends Exception {
  /** Creates everything a job needs at its start, and updates older partitions. */
  static final String PROVISION = "lastfix provision";

  /**
   * Number of collections with the same difference that a message names before it counts the rest.
   */
  private static final int MOST_NAMED = 3;

  private static final int MOST_MISSING = 9;

  private ProvisionException(String message) {
    super(message);
  }

  /** Returns the exception for plans, at least one of which is not met. */
  public static ProvisionException of(List<CollectionPlan> plans) {
    return of(plans, PROVISION);
  }

  /**
   * Returns the exception for collections that {@code lastfix provision} does not create.
   *
   * @param command command that creates what is missing
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
          "missing: %,d more; %s --dry-run lists all"
              .formatted(missing.size() - MOST_MISSING, PROVISION));
    }
    if (!missing.isEmpty()) {
      lines.add(
          ("To create what is missing, run %s with the job's configuration, or set provision:"
                  + " auto for the job")
              .formatted(command));
    }
    return new ProvisionException(
        "MongoDB differs from the configuration: " + String.join("\n", lines));
  }

  /** Groups collections with the same difference, such as all partitions of a year, in one line. */
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

  /** The user may not list collections, so partitions of another period cannot be detected. */
  public static ProvisionException unlisted(String database) {
    return new ProvisionException(
        ("MongoDB does not let this user list the collections of %s, which may have"
                + " partitions of another history.period: grant it listCollections there, as the"
                + " roles of config/mongodb do; or, with provision: off, set history.on-other-period:"
                + " continue")
            .formatted(database));
  }

  /** The user may not see whether expired collections are numbers, so they were not dropped. */
  public static ProvisionException unread(List<String> collections) {
    return new ProvisionException(
        ("MongoDB does not let this user read %s, so it is not known whether Lastfix wrote them:"
                + " grant it the role lastfixReader of config/mongodb, too, or drop them as an"
                + " administrator")
            .formatted(names(collections)));
  }

  static ProvisionException forbidden(String namespace, String action) {
    return new ProvisionException(
        ("MongoDB does not let this user %s %s: update its role to that of config/mongodb"
                + " (lastfix provision as an administrator, or create-roles.js), or let an"
                + " administrator provision and set provision: off. On a sharded cluster the role"
                + " lastfixSharding is needed, too")
            .formatted(action, namespace));
  }
}
