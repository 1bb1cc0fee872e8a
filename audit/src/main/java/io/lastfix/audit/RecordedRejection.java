package io.lastfix.audit;

/**
 * One rejection as recorded in the rejected topic.
 *
 * @param records how many records it stands for
 */
record RecordedRejection(String reason, String detail, int records) {}
