package io.lastfix.audit;

import io.lastfix.locate.LocateOptions;
import io.lastfix.parse.profile.Profile;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.erasure.PseudonymKey;
import io.lastfix.store.history.HistoryOptions;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What an audit needs of a job's configuration.
 *
 * @param topics what the job reads and rejects
 * @param isCatalogGroup whether a consumer group of that name is one under which some start of the
 *     job read the catalogue
 * @param profiles of the topics
 * @param limits by which the job rejects
 * @param locate how long and in what number records wait for their cell
 * @param pseudonymKey null: users are stored under their own ids
 * @param historyMongo server and database of History
 * @param history its layout
 * @param lastKnownLocationMongo server and database of Last Known Location
 * @param lastKnownLocation its collection
 * @param erasureList the collection that lists erased users
 */
public record AuditedJob(
    AuditedTopics topics,
    Predicate<String> isCatalogGroup,
    List<Profile> profiles,
    JudgingLimits limits,
    LocateOptions locate,
    @Nullable PseudonymKey pseudonymKey,
    MongoOptions historyMongo,
    HistoryOptions history,
    MongoOptions lastKnownLocationMongo,
    String lastKnownLocation,
    String erasureList) {
  public AuditedJob {
    profiles = List.copyOf(profiles);
  }
}
