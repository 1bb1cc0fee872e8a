/**
 * Compact binary forms of what crosses the network between tasks and sits in keyed state, without
 * Kryo.
 *
 * <p>Every savepoint names the {@code Snapshot} class of the serializers it was written with, so
 * these classes keep their names. To change a layout: raise the serializer's {@code VERSION}, let
 * its {@code read} branch on the version it is given, and keep the fixtures of the older ones.
 */
@NullMarked
package io.lastfix.serialization;

import org.jspecify.annotations.NullMarked;
