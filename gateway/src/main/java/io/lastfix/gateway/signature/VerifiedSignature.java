package io.lastfix.gateway.signature;

import java.time.Instant;

/**
 * A signature that is valid for a request's head. The request is authentic only if its content has
 * this digest, too.
 *
 * @param keyid whose secret it was made with
 * @param created when, by the signer's clock
 * @param digest what the content has to have
 * @param evidence what proves the signature later
 */
public record VerifiedSignature(
    String keyid, Instant created, ContentDigest digest, SignatureEvidence evidence) {}
