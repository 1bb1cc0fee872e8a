/**
 * Reading and checking a job's configuration: all of it before the job is built, all problems in
 * one message.
 */
@NullMarked
package io.lastfix.jobs.config;

import org.jspecify.annotations.NullMarked;
