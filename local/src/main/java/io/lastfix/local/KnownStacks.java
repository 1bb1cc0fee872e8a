package io.lastfix.local;

import io.lastfix.cluster.LockFile;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackLock;
import io.lastfix.cluster.StackState;
import io.lastfix.kit.failure.FileFailure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
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
record KnownStacks(Optional<Path> directory, StackHome own, Consumer<String> warning) {
  private static final String STATE_VARIABLE = "XDG_STATE_HOME";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * The stacks, seen from one of them.
   *
   * @param environment for a user without a home directory, or with one whose name is no path in
   *     this locale, no other stack is known
   * @param warning gets a line if the list cannot be read or written; that hinders no stack
   */
  static KnownStacks seenFrom(
      StackHome own, Map<String, String> environment, Consumer<String> warning) {
    Optional<Path> home =
        path(environment.getOrDefault("HOME", ""))
            .or(() -> path(System.getProperty("user.home", "")));
    Optional<Path> state =
        path(environment.getOrDefault(STATE_VARIABLE, ""))
            .or(() -> home.map(it -> it.resolve(".local").resolve("state")));
    return new KnownStacks(state.map(it -> it.resolve("lastfix")), own, warning);
  }

  /**
   * Does the work, which chooses ports and writes them into the own state, while no other stack
   * chooses any. Then the own stack is on the list.
   */
  <T> T whileNoOtherChooses(Supplier<T> work) {
    return holdingLock(work, homes -> homes.add(own.root().toString()));
  }

  /** Takes the own stack from the list; it has no ports any more. */
  void forget() {
    if (directory.isPresent() && Files.exists(list())) {
      var unused = holdingLock(() -> true, homes -> homes.remove(own.root().toString()));
    }
  }

  /** Does the work, and then changes the list if it can be used. */
  private <T> T holdingLock(Supplier<T> work, Consumer<Set<String>> change) {
    Optional<LockFile.Held> held = lock();
    try {
      T done = work.get();
      held.ifPresent(it -> change(change));
      return done;
    } finally {
      held.ifPresent(LockFile.Held::close);
    }
  }

  /** Empty if the list cannot be used, or another stack holds its lock for too long: it is said. */
  private Optional<LockFile.Held> lock() {
    if (directory.isEmpty()) {
      return Optional.empty();
    }
    try {
      Files.createDirectories(directory.get());
      requireWritable();
      return Optional.of(new LockFile(lockFile(), "another lastfix up or down").acquire(PATIENCE));
    } catch (IOException | StackException e) {
      warn("write", e);
      return Optional.empty();
    }
  }

  /** For example, they are root's after a {@code sudo lastfix up}. */
  private void requireWritable() throws IOException {
    Path folder = directory.orElseThrow();
    if (!Files.isWritable(folder)) {
      throw new AccessDeniedException(folder.toString());
    }
    for (Path file : List.of(lockFile(), list())) {
      if (Files.exists(file) && !(Files.isRegularFile(file) && Files.isWritable(file))) {
        throw new AccessDeniedException(file.toString());
      }
    }
  }

  private void warn(String what, Exception e) {
    String reason = e instanceof IOException failure ? FileFailure.reason(failure) : e.getMessage();
    warning.accept(
        "another local stack may take this one's ports, or the reverse: cannot %s the list of stacks in %s: %s; make it this user's, or delete it"
            .formatted(what, directory.orElseThrow(), reason));
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
            .filter(other -> !isOwn(other))
            .ifPresent(other -> ports.addAll(portsOf(other)));
      }
    } catch (IOException e) {
      warn("read", e);
    }
    return ports;
  }

  /** Also by another path: of a link. */
  private boolean isOwn(StackHome other) {
    try {
      return other.equals(own)
          || (Files.exists(own.root()) && Files.isSameFile(own.root(), other.root()));
    } catch (IOException e) {
      // It is gone.
      return false;
    }
  }

  private static Set<Integer> portsOf(StackHome other) {
    try {
      Optional<StackState> state = StackState.read(other);
      // Nothing is made in a folder that another process may be deleting.
      if (state.isEmpty() || !Files.exists(other.root().resolve("lock"))) {
        return Set.of();
      }
      boolean isUp = state.get().anyRuns() || StackLock.ifFree(other, () -> true).isEmpty();
      return isUp ? Set.copyOf(state.get().ports().values()) : Set.of();
    } catch (StackException e) {
      // Its own commands report what is wrong with it, and this stack starts nevertheless.
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

  private Path lockFile() {
    return directory.orElseThrow().resolve("stacks.lock");
  }
}
