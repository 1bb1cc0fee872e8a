/**
 * A second, simple implementation of reading messages: it builds a message's whole tree and walks
 * it. It shares only the profile's definition with the job's decoders. It may accept what the job
 * rejects, but must not reject what the job accepts.
 */
@NullMarked
package io.lastfix.audit.tree;

import org.jspecify.annotations.NullMarked;
