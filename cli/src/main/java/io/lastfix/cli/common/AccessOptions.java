package io.lastfix.cli.common;

import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.local.EndpointOverrides;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.ServerAccess;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.job.StreamJobSettings;
import picocli.CommandLine.Mixin;

/** The options that name the user's own servers and the job's configuration; a mixin. */
public final class AccessOptions {
  @Mixin private final EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final SettingsOptions settings = new SettingsOptions();

  /** The servers that the command line names, else the environment. */
  public EndpointOverrides named() {
    return endpoints.named();
  }

  /** The settings of the command line. */
  public JobSettings settings() {
    return settings.settings();
  }

  /** The user's servers, and the running local stack. */
  public Servers servers() {
    return Servers.resolve(named());
  }

  /**
   * The configuration for {@link #servers}, see {@link JobSettings#load}.
   *
   * @param needed the servers that the command requires
   */
  public LocationJobConfig load(Servers.Kind... needed) {
    return settings().load(servers(), needed);
  }

  /** What the command line gives for a stream, with the configuration as for {@link #load}. */
  public StreamJobSettings given(Jobs.Job stream, Servers.Kind... needed) {
    Servers servers = servers();
    return new StreamJobSettings(stream, servers, settings(), settings().load(servers, needed));
  }

  /** The access to all servers with known addresses. */
  public ServerAccess access() {
    return settings().access(servers());
  }
}
