/** What devices tell about themselves beside their records: signs of life, presence, usage. */
@NullMarked
package io.lastfix.model.device;

import org.jspecify.annotations.NullMarked;
