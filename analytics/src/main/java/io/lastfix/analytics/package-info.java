/** Numbers over located records, by the same operators in a stream and over History. */
@NullMarked
package io.lastfix.analytics;

import org.jspecify.annotations.NullMarked;
