/**
 * What each address answers: records, heartbeats, registrations, devices, and the state of the
 * gateway.
 */
@NullMarked
package io.lastfix.gateway.service;

import org.jspecify.annotations.NullMarked;
