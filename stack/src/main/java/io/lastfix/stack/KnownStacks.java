package io.lastfix.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  private KnownStacks(Optional<Path> directory, StackHome own) {
    this.directory = directory;
    this.own = own;
  }

  /**
   * The stacks, seen from one of them.
   *
   * @param environment for a user without a home directory, no other stack is known
   */
  static KnownStacks seenFrom(StackHome own, Map<String, String> environment) {
    Path given = Path.of(environment.getOrDefault(STATE_VARIABLE, ""));
    Path home = Path.of(StackHome.userHome(environment));
    Optional<Path> state =
        given.isAbsolute()
            ? Optional.of(given)
            : Optional.of(home.resolve(".local").resolve("state")).filter(Path::isAbsolute);
    return new KnownStacks(state.map(it -> it.resolve("lastfix")), own);
  }

  /**
   * Does the work, which chooses ports and writes them into the own state, while no other stack
   * chooses any. Then the own stack is on the list.
   *
   * @param warning gets a line if the list cannot be written; the work is done nevertheless
   */
  <T> T whileNoOtherChooses(Consumer<String> warning, Supplier<T> work) {
    if (directory.isEmpty()) {
      return work.get();
    }
    try {
      Files.createDirectories(directory.get());
    } catch (IOException e) {
      warning.accept(unlisted(e));
      return work.get();
    }
    LockFile.Held held = lock().acquire(PATIENCE);
    try {
      T done = work.get();
      try {
        Set<String> homes = homes();
        if (homes.add(own.root().toString())) {
          write(homes);
        }
      } catch (IOException e) {
        warning.accept(unlisted(e));
      }
      return done;
    } finally {
      held.close();
    }
  }

  private String unlisted(IOException e) {
    return "another local stack may take this one's ports: cannot write the list of stacks in %s: %s"
        .formatted(directory.orElseThrow(), e);
  }

  /** Takes the own stack from the list; it has no ports any more. */
  void forget() {
    if (directory.isEmpty() || !Files.exists(list())) {
      return;
    }
    LockFile.Held held = lock().acquire(PATIENCE);
    try {
      Set<String> homes = homes();
      if (homes.remove(own.root().toString())) {
        write(homes);
      }
    } catch (IOException e) {
      throw new StackException("cannot change the list of local stacks " + list() + ": " + e, e);
    } finally {
      held.close();
    }
  }

  /**
   * The ports of other stacks that are up.
   *
   * @throws StackException if the list cannot be read
   */
  Set<Integer> portsOfOthers() {
    Set<Integer> ports = new HashSet<>();
    try {
      for (String home : homes()) {
        StackHome other = new StackHome(Path.of(home));
        if (!other.equals(own)) {
          ports.addAll(portsOf(other));
        }
      }
    } catch (IOException e) {
      throw new StackException("cannot read the list of local stacks " + list() + ": " + e, e);
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

  /** Of stacks that still have a state. */
  private Set<String> homes() throws IOException {
    Set<String> homes = new HashSet<>();
    if (directory.isPresent() && Files.exists(list())) {
      for (String home : Files.readAllLines(list())) {
        if (Files.exists(Path.of(home).resolve("stack.json"))) {
          homes.add(home);
        }
      }
    }
    return homes;
  }

  private void write(Set<String> homes) throws IOException {
    List<String> lines = new ArrayList<>(homes);
    lines.sort(null);
    Path next = list().resolveSibling("stacks.next");
    Files.write(next, lines);
    Files.move(next, list(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private Path list() {
    return directory.orElseThrow().resolve("stacks");
  }

  private LockFile lock() {
    return new LockFile(
        directory.orElseThrow().resolve("stacks.lock"), "another lastfix up or down");
  }
}
