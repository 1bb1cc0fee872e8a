/**
 * {@code lastfix audit --signatures} proves who sent the messages of the location topics. What a
 * signature proves is the gateway's part ({@link MessageProof}); here, the topics are read, the
 * users are compared with the senders, and everything is counted.
 */
@NullMarked
package io.lastfix.audit.signature;

import org.jspecify.annotations.NullMarked;
