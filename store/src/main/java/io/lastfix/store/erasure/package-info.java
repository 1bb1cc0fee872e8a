/**
 * The list of erased users, the deletion of their documents, and pseudonyms that stand for user
 * ids.
 */
@NullMarked
package io.lastfix.store.erasure;

import org.jspecify.annotations.NullMarked;
