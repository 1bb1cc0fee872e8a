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
 * The parts of a job's configuration that an audit needs.
 *
 * @param topics the topics that the job reads, and that of its rejections
 * @param isCatalogGroup whether a consumer group of that name belongs to a submission of the job,
 *     which read the catalogue under it
 * @param profiles of the topics
 * @param limits by which the job rejects
 * @param locate the wait of records for their cell: its duration and the maximum number of records
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
    String erasureList) {}
