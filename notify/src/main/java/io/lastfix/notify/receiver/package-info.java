/** Where alerts go: webhooks, MQTT and Alertmanager, one attempt at a time. */
@NullMarked
package io.lastfix.notify.receiver;

import org.jspecify.annotations.NullMarked;
