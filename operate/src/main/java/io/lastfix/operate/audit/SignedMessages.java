package io.lastfix.operate.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.audit.signature.MessageProof;
import io.lastfix.gateway.devices.KeyId;
import io.lastfix.gateway.devices.SignatureProof;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** The gateway's proof, for the audit. */
record SignedMessages(SignatureProof proof) implements MessageProof {
  @Override
  public Proof judge(String profile, ConsumerRecord<byte @Nullable [], byte @Nullable []> message) {
    Map<String, String> headers = new HashMap<>();
    // The last one of a name counts, as in the job.
    for (Header header : message.headers()) {
      headers.put(header.key(), header.value() == null ? "" : new String(header.value(), UTF_8));
    }
    SignatureProof.Verdict verdict = proof.judge(profile, message.key(), message.value(), headers);
    KeyId keyid = verdict.keyid();
    return new Proof(
        switch (verdict.kind()) {
          case PROVED -> Kind.PROVED;
          case UNPROVED -> Kind.UNPROVED;
          case UNSIGNED -> Kind.UNSIGNED;
          case FORGED -> Kind.FORGED;
          case UNKNOWN_KEY -> Kind.UNKNOWN_KEY;
        },
        verdict.reason(),
        keyid == null ? "" : keyid.device().toString(),
        verdict.speaksFor());
  }
}
