/** What is measured, without the job: its database and topics, and loads that compare with it. */
@NullMarked
package io.lastfix.bench.servers;

import org.jspecify.annotations.NullMarked;
