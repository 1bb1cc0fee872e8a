/** Whether devices are there, from their signs of life. */
@NullMarked
package io.lastfix.presence;

import org.jspecify.annotations.NullMarked;
