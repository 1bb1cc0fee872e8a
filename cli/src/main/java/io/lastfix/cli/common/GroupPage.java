package io.lastfix.cli.common;

import picocli.CommandLine.Command;

/** The base class of the commands that only group others. */
@Command(mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND")
public abstract class GroupPage extends HelpPage {}
