/** Reading gzip of unknown origin. */
@NullMarked
package io.lastfix.model.gzip;

import org.jspecify.annotations.NullMarked;
