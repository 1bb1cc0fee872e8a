package io.lastfix.operate.audit;

import io.lastfix.audit.AuditedJob;
import io.lastfix.audit.AuditedTopics;
import io.lastfix.audit.JudgingLimits;
import io.lastfix.audit.signature.SignatureAudit;
import io.lastfix.gateway.devices.SignatureProof;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.workload.StepProgress;

/** Extracts from a job's configuration the parts that the audit needs. */
public final class Audited {
  private Audited() {}

  /** Returns the topics that an audit reads, of a job with that configuration. */
  public static AuditedTopics topics(LocationJobConfig config) {
    KafkaOptions kafka = config.kafka();
    return new AuditedTopics(
        kafka::clientProperties,
        () -> KafkaAdmin.connect(kafka),
        kafka.groupId(),
        kafka.locationTopicPrefix(),
        config.profileNames(),
        kafka.cellsTopic(),
        kafka.rejectedTopic());
  }

  /** Returns what an audit holds that job to. */
  public static AuditedJob job(LocationJobConfig config) {
    return new AuditedJob(
        topics(config),
        name -> CatalogGroup.isOfJob(config.kafka().groupId(), name),
        config.profiles(),
        new JudgingLimits(config.parse().decoderLimits(), config.parse().timestampLimits()),
        config.locate(),
        config.pseudonymKey(),
        config.historyMongo(),
        config.history(),
        config.lastKnownLocationMongo(),
        config.lastKnownLocation().collection(),
        config.erasureList().collection());
  }

  /** Returns the audit of who sent each message of that job's topics, by the gateway's proof. */
  public static SignatureAudit signatures(
      LocationJobConfig config, SignatureProof proof, int shown, StepProgress progress) {
    return new SignatureAudit(
        topics(config),
        config.profiles(),
        config.parse().decoderLimits(),
        new SignedMessages(proof),
        shown,
        progress);
  }
}
