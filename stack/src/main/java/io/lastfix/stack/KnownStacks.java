package io.lastfix.stack;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The local stacks of one user of this machine. A port of a stack that is up belongs to it also
 * while the server is down: a server of another stack there would get the records of this one's
 * jobs, because all stacks have the same names of databases, topics and replica sets.
 *
 * <p>A stack is up while one of its processes runs, or a command starts or stops it. The list of
 * the stacks' homes is in {@code XDG_STATE_HOME}, else in {@code ~/.local/state}. What ports they
 * have is in the homes themselves.
 */
final class KnownStacks {
  private static final String STATE_VARIABLE = "XDG_STATE_HOME";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Optional<Path> directory;
  private final StackHome own;
  private final Consumer<String> warning;

  private KnownStacks(Optional<Path> directory, StackHome own, Consumer<String> warning) {
    this.directory = directory;
    this.own = own;
    this.warning = warning;
  }

  /**
   * The stacks, seen from one of them.
   *
   * @param environment for a user without a home directory, no other stack is known
   * @param warning gets a line if the list cannot be read or written; that hinders no stack
   */
  static KnownStacks seenFrom(
      StackHome own, Map<String, String> environment, Consumer<String> warning) {
    Path given = Path.of(environment.getOrDefault(STATE_VARIABLE, ""));
    Path home = Path.of(StackHome.userHome(environment));
    Optional<Path> state =
        given.isAbsolute()
            ? Optional.of(given)
            : Optional.of(home.resolve(".local").resolve("state")).filter(Path::isAbsolute);
    return new KnownStacks(state.map(it -> it.resolve("lastfix")), own, warning);
  }

  /**
   * Does the work, which chooses ports and writes them into the own state, while no other stack
   * chooses any. Then the own stack is on the list.
   */
  <T> T whileNoOtherChooses(Supplier<T> work) {
    if (directory.isEmpty()) {
      return work.get();
    }
    try {
      Files.createDirectories(directory.get());
    } catch (IOException e) {
      warn("write", e);
      return work.get();
    }
    if (!Files.isWritable(directory.get())) {
      warn("write", new AccessDeniedException(directory.get().toString()));
      return work.get();
    }
    LockFile.Held held = lock().acquire(PATIENCE);
    try {
      T done = work.get();
      change(homes -> homes.add(own.root().toString()));
      return done;
    } finally {
      held.close();
    }
  }

  /** Takes the own stack from the list; it has no ports any more. */
  void forget() {
    if (directory.isEmpty() || !Files.exists(list()) || !Files.isWritable(directory.get())) {
      return;
    }
    LockFile.Held held = lock().acquire(PATIENCE);
    try {
      change(homes -> homes.remove(own.root().toString()));
    } finally {
      held.close();
    }
  }

  private void warn(String what, IOException e) {
    warning.accept(
        "another local stack may take this one's ports, or the reverse: cannot %s the list of stacks in %s: %s"
            .formatted(what, directory.orElseThrow(), e));
  }

  /** Also takes those from the list that are gone. */
  private void change(Consumer<Set<String>> change) {
    try {
      Set<String> before = lines();
      Set<String> homes = new TreeSet<>(before);
      homes.removeIf(KnownStacks::isGone);
      change.accept(homes);
      if (!homes.equals(before)) {
        Path next = list().resolveSibling("stacks.next");
        Files.write(next, homes);
        Files.move(
            next, list(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      warn("write", e);
    }
  }

  /** The ports of other stacks that are up. */
  Set<Integer> portsOfOthers() {
    Set<Integer> ports = new HashSet<>();
    try {
      for (String line : lines()) {
        path(line)
            .map(StackHome::new)
            .filter(other -> !other.equals(own))
            .ifPresent(other -> ports.addAll(portsOf(other)));
      }
    } catch (IOException e) {
      warn("read", e);
    }
    return ports;
  }

  private static Set<Integer> portsOf(StackHome other) {
    try {
      StackState state = StackState.read(other).orElse(StackState.empty());
      boolean isUp = state.isAnyRunning("") || StackLock.ifFree(other, () -> true).isEmpty();
      return isUp ? Set.copyOf(state.ports().values()) : Set.of();
    } catch (StackException e) {
      // Its own commands say what is wrong with it, and this stack starts nevertheless.
      return Set.of();
    }
  }

  private Set<String> lines() throws IOException {
    return directory.isPresent() && Files.exists(list())
        ? new TreeSet<>(Files.readAllLines(list()))
        : Set.of();
  }

  /** Empty if it can be no path here: a name with an umlaut is none in the locale C. */
  private static Optional<Path> path(String line) {
    try {
      return Optional.of(Path.of(line)).filter(Path::isAbsolute);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static boolean isGone(String line) {
    return path(line).filter(home -> !Files.exists(home.resolve("stack.json"))).isPresent();
  }

  private Path list() {
    return directory.orElseThrow().resolve("stacks");
  }

  private LockFile lock() {
    return new LockFile(
        directory.orElseThrow().resolve("stacks.lock"), "another lastfix up or down");
  }
}
