/**
 * Reads messages by building their whole tree and walking it: the plain second way to the same
 * records as the job's decoders, with which it shares nothing but the profile's definition. It may
 * take what the job rejects, never the other way round.
 */
@NullMarked
package io.lastfix.audit.tree;

import org.jspecify.annotations.NullMarked;
