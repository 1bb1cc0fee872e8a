/** What an operator does: the commands, the archive, upgrades, alerts and security. */
@NullMarked
package io.lastfix.it.operate;

import org.jspecify.annotations.NullMarked;
