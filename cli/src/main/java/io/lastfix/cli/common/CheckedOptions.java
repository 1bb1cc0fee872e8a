package io.lastfix.cli.common;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The base class of mixins that may reject their options. */
public abstract class CheckedOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** The exception for a wrong command line: throw it. */
  protected final ParameterException usageError(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
