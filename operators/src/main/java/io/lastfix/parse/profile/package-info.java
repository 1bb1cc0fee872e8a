/**
 * Profiles: YAML files that describe how to find records in a message and what their fields mean.
 */
@NullMarked
package io.lastfix.parse.profile;

import org.jspecify.annotations.NullMarked;
