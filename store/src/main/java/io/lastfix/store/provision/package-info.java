/**
 * Collections as they must be before the first write: inspects what exists, compares it with the
 * description, and applies the missing steps; on a standalone server, a replica set and a sharded
 * cluster.
 *
 * <p>Read it in this order: {@link io.lastfix.store.provision.CollectionDescription} says what must
 * be, {@code ServerInspection} reads what is, {@code Comparison} makes a {@link
 * io.lastfix.store.provision.CollectionPlan} of the two, {@link
 * io.lastfix.store.provision.Provisioner} applies it.
 */
@NullMarked
package io.lastfix.store.provision;

import org.jspecify.annotations.NullMarked;
