package io.lastfix.jobs.config;

import io.lastfix.presence.PresenceOptions;
import io.lastfix.store.presence.PresenceCollection;
import java.io.Serializable;

/**
 * The topics and the collection of the devices job, and how it judges presence.
 *
 * @param heartbeatsTopic topic of signs of life and ticks
 * @param presenceTopic topic of changes
 * @param usageTopic topic of groups and devices, which gets the devices' usage, too
 * @param collection collection with one document per device
 * @param presence how presence is judged
 */
public record DevicesOptions(
    String heartbeatsTopic,
    String presenceTopic,
    String usageTopic,
    PresenceCollection collection,
    PresenceOptions presence)
    implements Serializable {}
