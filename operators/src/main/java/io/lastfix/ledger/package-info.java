/**
 * The ledger of a job: records in = stored + duplicates + erased + rejected + not records +
 * waiting, exact at each checkpoint.
 *
 * <p>Each operator that takes in, holds or ends records sends what it has counted before every
 * checkpoint barrier, as a {@link io.lastfix.ledger.LedgerEntry}. The {@link
 * io.lastfix.ledger.LedgerOperator}, of which a job has one subtask, adds them up and keeps the
 * sums in its state.
 */
@NullMarked
package io.lastfix.ledger;

import org.jspecify.annotations.NullMarked;
