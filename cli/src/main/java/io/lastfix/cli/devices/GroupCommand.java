package io.lastfix.cli.devices;

import io.lastfix.cli.common.GroupPage;
import picocli.CommandLine.Command;

/** {@code lastfix group}: the group of commands on groups of devices. */
@Command(
    name = "group",
    subcommands = {
      GroupCreateCommand.class,
      GroupListCommand.class,
      GroupRotateCommand.class,
      GroupSpeaksForCommand.class
    },
    description = "Manages groups of devices, which share a key and an enrolment token.",
    footer = "  lastfix group list")
public final class GroupCommand extends GroupPage {}
