/** Commands on devices and their groups, over the topic {@code lastfix.devices}. */
@NullMarked
package io.lastfix.cli.devices;

import org.jspecify.annotations.NullMarked;
