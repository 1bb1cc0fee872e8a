/** What an audit reads from a running job. */
@NullMarked
package io.lastfix.operate.audit;

import org.jspecify.annotations.NullMarked;
