/** Alerts of rules: their documents, and queries of them. */
@NullMarked
package io.lastfix.store.alerts;

import org.jspecify.annotations.NullMarked;
