/** Profiles: YAML files that say how a record is found in a message and what its fields mean. */
@NullMarked
package io.lastfix.parse.profile;

import org.jspecify.annotations.NullMarked;
