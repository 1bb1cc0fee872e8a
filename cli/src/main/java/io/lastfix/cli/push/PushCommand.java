package io.lastfix.cli.push;

import io.lastfix.catalogs.CellFile;
import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.common.TerminalProgress;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.operate.access.Servers;
import io.lastfix.workload.GeneratorOptions;
import io.lastfix.workload.Gzip;
import io.lastfix.workload.LocationGenerator;
import io.lastfix.workload.MessageFiles;
import io.lastfix.workload.MessageSender;
import io.lastfix.workload.OutgoingMessage;
import io.lastfix.workload.Pacer;
import io.lastfix.workload.PushException;
import io.lastfix.workload.PushSummary;
import io.lastfix.workload.StepProgress;
import io.lastfix.workload.SyntheticCells;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix push}: sends location messages from files or from the generator. */
@Command(
    name = "push",
    description = {
      "Sends location messages to Kafka: replays files, or generates devices that move between"
          + " neighbouring cells.",
      "Without --file and --dir the command generates messages. Options of the generator have no"
          + " effect on files. Name the files' profile with --profile."
    },
    footer = "  lastfix push --count 1000 --users 10 --format json")
public final class PushCommand extends JsonCommand {

  @Mixin private final GeneratorOptions.Builder generator = GeneratorOptions.builder();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Send this file, one message a line; plain or gzipped.")
  private @Nullable Path file;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Send the files of this folder, one message a file, in the order of names.")
  private @Nullable Path folder;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "Profile of the files' messages, such as osmand; they go to its topic (default: the"
              + " profile of --format).")
  private @Nullable String profile;

  @Option(
      names = "--cells",
      paramLabel = "FILE",
      description =
          "OpenCellID file of the cells that generated devices move over"
              + " (default: a made-up grid in network 1-1).")
  private @Nullable Path cells;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Records a second; of a file, messages a second (default: no limit).")
  private @Nullable Double rate;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "Topic to send to (default: lastfix.location.<profile>).")
  private @Nullable String topic;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Partitions of the topic if the command creates it (default:" + " ${DEFAULT-VALUE}).")
  private int partitions;

  @Mixin private final AccessOptions options = new AccessOptions();

  @Option(names = "--gzip", description = "Gzip each message.")
  private boolean gzip;

  /** Sends, then prints the summary. */
  @Override
  public Integer call() throws PushException, IOException {
    GeneratorOptions generated = checkedOptions();
    boolean generates = file == null && folder == null;
    Iterator<OutgoingMessage> messages = messages(generated);
    LocationJobConfig config = options.load(Servers.Kind.KAFKA);
    KafkaOptions kafka = config.kafka();
    String target = topic == null ? kafka.locationTopic(profile(generated)) : topic;
    warnIfUnread(target, config.profileNames().stream().map(kafka::locationTopic).toList());
    try (KafkaTopics topics = KafkaTopics.connect(kafka)) {
      topics.createMissing(List.of(target), partitions);
    }
    PushSummary summary;
    try (MessageSender sender =
            new MessageSender(
                MessageSender.newProducer(kafka.clientProperties()), message -> target);
        StepProgress progress =
            generates
                ? TerminalProgress.ofPush(" records", generated.count())
                : TerminalProgress.ofPush(" messages", -1)) {
      Pacer pacer = rate == null ? Pacer.unlimited() : Pacer.ofRate(rate);
      summary = sender.send(messages, pacer, progress::step);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    print(summary, List.of(summary.toLine() + ", to " + target));
    return 0;
  }

  private String profile(GeneratorOptions options) {
    return profile == null ? options.format().profile() : profile;
  }

  private void warnIfUnread(String target, List<String> readTopics) {
    if (!readTopics.contains(target)) {
      say(
          "No profile of the configuration reads the topic %s: expected one of %s. A job with"
              + " this configuration never sees these messages.",
          target, String.join(", ", readTopics));
    }
  }

  private GeneratorOptions checkedOptions() {
    if (file != null && folder != null) {
      throw usageError("--file and --dir: expected one of them, found both");
    }
    if (profile != null && file == null && folder == null) {
      throw usageError("--profile: expected --file or --dir; for generated messages use --format");
    }
    if (rate != null && !(rate > 0)) {
      throw usageError("--rate: expected more than 0 records a second, found " + rate);
    }
    requireAtLeast("--partitions", 1, partitions);
    try {
      return generator.build(InstantSource.system());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw usageError("--" + e.getMessage());
    }
  }

  private Iterator<OutgoingMessage> messages(GeneratorOptions options) throws IOException {
    Iterator<OutgoingMessage> plain;
    if (file != null) {
      plain = MessageFiles.lines(file, options.format());
    } else if (folder != null) {
      plain = MessageFiles.folder(folder, options.format());
    } else {
      plain =
          new LocationGenerator(
              options, cells == null ? SyntheticCells.grid() : CellFile.read(cells));
    }
    return gzip ? new GzippedMessages(plain) : plain;
  }

  /** Compresses each message when it is sent. */
  private record GzippedMessages(Iterator<OutgoingMessage> plain)
      implements Iterator<OutgoingMessage> {
    @Override
    public boolean hasNext() {
      return plain.hasNext();
    }

    @Override
    public OutgoingMessage next() {
      OutgoingMessage message = plain.next();
      return message.withValue(Gzip.compress(message.value()));
    }
  }
}
