/**
 * The layout of the collections of density, flows, stays and trips: results, their documents, and
 * the removal of those that are not found again.
 */
@NullMarked
package io.lastfix.store.timeline;

import org.jspecify.annotations.NullMarked;
