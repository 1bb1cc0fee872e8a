/**
 * Provisioning: brings collections to their required state before the first write. It inspects what
 * exists, compares it with the description, and applies the missing steps, on a standalone server,
 * a replica set and a sharded cluster.
 *
 * <p>Reading order: {@link io.lastfix.store.provision.CollectionDescription} is the required state,
 * {@code ServerInspection} reads the existing one, {@code Comparison} creates a {@link
 * io.lastfix.store.provision.CollectionPlan} from both, {@link
 * io.lastfix.store.provision.Provisioner} applies it.
 */
@NullMarked
package io.lastfix.store.provision;

import org.jspecify.annotations.NullMarked;
