/**
 * Collections as they must be before anything is written to them: what is there, what differs, and
 * the steps that mend it, on a standalone server, a replica set and a sharded cluster.
 *
 * <p>Read it in this order: {@link io.lastfix.provision.CollectionDescription} says what must be,
 * {@code ServerLook} reads what is, {@code Comparison} makes a {@link
 * io.lastfix.provision.CollectionPlan} of the two, {@link io.lastfix.provision.Provisioner} carries
 * it out.
 */
@NullMarked
package io.lastfix.provision;

import org.jspecify.annotations.NullMarked;
