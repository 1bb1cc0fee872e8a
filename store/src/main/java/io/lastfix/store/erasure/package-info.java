/** The erasure list, the deletion of erased users' documents, and the pseudonyms of user ids. */
@NullMarked
package io.lastfix.store.erasure;

import org.jspecify.annotations.NullMarked;
