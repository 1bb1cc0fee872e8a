/**
 * Erasing a user: the erasure list, the steps in MongoDB in their order ({@link
 * io.lastfix.store.erasure.UserErasure}), and the pseudonyms of user ids.
 */
@NullMarked
package io.lastfix.store.erasure;

import org.jspecify.annotations.NullMarked;
