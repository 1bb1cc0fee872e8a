package io.lastfix.sink;

import java.io.Serializable;

/** The batching of a {@link NumberSink}, which travels with the job. */
interface NumberBatching<T> extends RecordBatching<T>, Serializable {}
