package io.lastfix.audit;

/**
 * One rejection as the rejected topic has it.
 *
 * @param records how many records it stands for
 */
record RecordedRejection(String reason, String detail, int records) {}
