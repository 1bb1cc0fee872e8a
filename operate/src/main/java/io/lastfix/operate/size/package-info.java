/**
 * What a fleet of devices needs: nodes, cores, disks and cost, computed from measured figures and
 * from assumptions. Both are in one file, {@code figures.yaml}, each with its source.
 */
@NullMarked
package io.lastfix.operate.size;

import org.jspecify.annotations.NullMarked;
