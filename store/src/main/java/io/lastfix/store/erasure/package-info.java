/**
 * Erasing a user ({@link io.lastfix.store.erasure.Erasure}): the erasure list, the steps in MongoDB
 * ({@link io.lastfix.store.erasure.UserErasure}), and the pseudonyms of user ids.
 */
@NullMarked
package io.lastfix.store.erasure;

import org.jspecify.annotations.NullMarked;
