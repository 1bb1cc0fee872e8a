/**
 * Erasure and pseudonyms: the list of those who were forgotten, the sink that stores nothing of
 * them, and the keyed hash that may stand for a user id. Of MongoDB it knows the list alone.
 */
@NullMarked
package io.lastfix.privacy;

import org.jspecify.annotations.NullMarked;
