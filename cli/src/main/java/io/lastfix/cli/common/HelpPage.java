package io.lastfix.cli.common;

import picocli.CommandLine.Command;

/**
 * The base class of all commands, also of those that only group others: what the help of each one
 * has. Each command gives its example as the first line of its {@code footer}, and its exit codes
 * if they mean something else.
 */
@Command(
    versionProvider = BuildVersion.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:failed", "2:wrong usage"},
    footerHeading = "%nExample:%n")
public abstract class HelpPage {}
