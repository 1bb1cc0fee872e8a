/**
 * Messages for Lastfix's location topics: made by a seeded generator, read from files, or taken
 * from the sample that ships; and the {@code push} command that sends them.
 *
 * <p>An {@link io.lastfix.cli.push.OutgoingMessage} knows the records it holds, so what ought to be
 * stored can be worked out from the same input without parsing anything.
 */
@NullMarked
package io.lastfix.cli.push;

import org.jspecify.annotations.NullMarked;
