package io.lastfix.notify.config;

import io.lastfix.kit.poll.Backoff;
import java.time.Duration;

/**
 * How alerts are delivered, the same for each receiver.
 *
 * @param window alerts of a receiver that may be unfinished
 * @param maxInFlight attempts of a receiver at once
 * @param timeout of an attempt
 * @param retryFor how long after Kafka took an alert it is tried
 * @param backoff the pauses between two attempts
 * @param drainTimeout the longest wait for attempts at a stop
 */
public record DeliveryOptions(
    int window,
    int maxInFlight,
    Duration timeout,
    Duration retryFor,
    Backoff backoff,
    Duration drainTimeout) {}
