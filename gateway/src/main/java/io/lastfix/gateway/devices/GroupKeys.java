package io.lastfix.gateway.devices;

import io.lastfix.kit.failure.FileFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of groups, which secrets are derived from. They are never in Kafka. A key is the base64
 * of at least 32 random bytes, either in a file {@code <group>.<key>} of a directory, such as
 * {@code fleet-a.k1}, or in an environment variable, such as {@code LASTFIX_GROUP_KEY_FLEET_A_K1}.
 *
 * <p>A key is read when it is first needed, so a key may be added while a gateway runs. A key that
 * is absent is looked for again after five seconds at the earliest.
 */
public final class GroupKeys {
  private static final Logger LOG = LoggerFactory.getLogger(GroupKeys.class);
  private static final int MIN_BYTES = 32;
  private static final int MAX_CHARACTERS = 1_024;
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);
  private static final String INCOMPLETE = ".incomplete";
  private static final String VARIABLE_PREFIX = "LASTFIX_GROUP_KEY_";

  private final @Nullable Path directory;
  private final Map<String, String> environment;
  private final InstantSource clock;
  private final Map<String, byte[]> found = new ConcurrentHashMap<>();

  /** When a key was looked for and absent. */
  private final Map<String, Instant> absent = new ConcurrentHashMap<>();

  /**
   * Keys from these places.
   *
   * @param directory null: only the environment has keys
   */
  public GroupKeys(@Nullable Path directory, Map<String, String> environment, InstantSource clock) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
    this.clock = clock;
  }

  /**
   * The key; empty if it is in neither place.
   *
   * @throws IllegalArgumentException if it is there and is no key; says where it is, not what it
   *     is. For the next five seconds it counts as absent.
   */
  Optional<byte[]> find(String group, String key) {
    String name = Names.requireGroup(group) + "." + Names.requireKey(key);
    byte[] known = found.get(name);
    return known != null ? Optional.of(known) : Optional.ofNullable(lookUp(group, key, name));
  }

  private boolean isKnownAbsent(String name) {
    Instant looked = absent.get(name);
    return looked != null && !looked.plus(LOOK_AGAIN).isBefore(clock.instant());
  }

  /** One thread reads, the others wait for what it finds: until then the key is not absent. */
  private synchronized byte @Nullable [] lookUp(String group, String key, String name) {
    byte[] read = found.get(name);
    if (read != null || isKnownAbsent(name)) {
      return read;
    }
    try {
      read = read(group, key, name);
    } finally {
      if (read == null) {
        // Also if it cannot be read: one error in five seconds is enough.
        if (absent.put(name, clock.instant()) == null) {
          LOG.error(
              "The key {} of group {} is not here, so its devices cannot sign or register: put it into {}",
              key,
              group,
              places(group, key));
        }
      } else {
        found.put(name, read);
        absent.remove(name);
      }
    }
    return read;
  }

  /** The key; empty if it is in neither place, or is there and cannot be used, which is logged. */
  Optional<byte[]> findUsable(String group, String key) {
    try {
      return find(group, key);
    } catch (IllegalArgumentException e) {
      // Once in five seconds: until then the key counts as absent.
      LOG.error("The key {} of group {} cannot be used: {}", key, group, e.getMessage());
      return Optional.empty();
    }
  }

  /** Where a key is looked for, for messages. */
  String places(String group, String key) {
    String variable = variable(group, key);
    return directory == null
        ? "the variable " + variable
        : "the file %s or the variable %s"
            .formatted(directory.resolve(group + "." + key), variable);
  }

  private static String variable(String group, String key) {
    // Group names have no underscore, and every key's name is a letter and a number, so no two
    // keys have one variable.
    return (VARIABLE_PREFIX + group.replace('-', '_') + "_" + key).toUpperCase(Locale.ROOT);
  }

  private byte @Nullable [] read(String group, String key, String name) {
    String variable = variable(group, key);
    String text = environment.get(variable);
    if (text != null) {
      return decode(text, "the variable " + variable);
    }
    if (directory == null) {
      return null;
    }
    Path file = directory.resolve(name);
    if (!Files.isRegularFile(file)) {
      return null;
    }
    try {
      if (Files.size(file) > MAX_CHARACTERS) {
        throw noKey(file.toString());
      }
      return decode(Files.readString(file), file.toString());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%s cannot be read: %s".formatted(file, FileFailure.reason(e)), e);
    }
  }

  private static byte[] decode(String text, String place) {
    byte[] key;
    try {
      key = Base64.getDecoder().decode(text.strip());
    } catch (IllegalArgumentException e) {
      // Without the cause, whose message quotes the text.
      throw noKey(place);
    }
    if (key.length < MIN_BYTES) {
      throw noKey(place);
    }
    return key;
  }

  private static IllegalArgumentException noKey(String place) {
    return new IllegalArgumentException(
        "%s holds no group key: expected the base64 of %d bytes or more; lastfix group rotate makes one"
            .formatted(place, MIN_BYTES));
  }

  /**
   * Makes a new key and writes it to its file, which only its owner may read. The file appears
   * whole or not at all.
   *
   * @throws IOException if the file exists, or cannot be written
   */
  public static Path create(Path directory, String group, String key, SecureRandom random)
      throws IOException {
    byte[] bytes = new byte[MIN_BYTES];
    random.nextBytes(bytes);
    Files.createDirectories(directory);
    Path file = directory.resolve(Names.requireGroup(group) + "." + Names.requireKey(key));
    if (Files.exists(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    // Its name is of no group and key, so no gateway takes it for one.
    Path incomplete =
        Files.getFileStore(directory).supportsFileAttributeView("posix")
            ? Files.createTempFile(
                directory,
                file.getFileName() + "-",
                INCOMPLETE,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
            : Files.createTempFile(directory, file.getFileName() + "-", INCOMPLETE);
    try {
      // Synchronously, before its name: after a power cut the file is there whole, or not there.
      Files.writeString(
          incomplete,
          Base64.getEncoder().encodeToString(bytes) + System.lineSeparator(),
          StandardOpenOption.WRITE,
          StandardOpenOption.SYNC);
      // Fails if another process has created the file.
      return Files.move(incomplete, file);
    } finally {
      Files.deleteIfExists(incomplete);
    }
  }

  /**
   * Makes a new key as {@link #create} does, unless its file was prepared.
   *
   * @throws IOException if a prepared file holds no key, or none can be written; says what to do
   */
  public static Path prepare(Path directory, String group, String key, SecureRandom random)
      throws IOException {
    try {
      return create(directory, group, key, random);
    } catch (FileAlreadyExistsException e) {
      return requireKey(directory, group, key);
    }
  }

  /**
   * Checks the file of a key.
   *
   * @throws IOException if it is absent, cannot be read, or holds no key; says what to do
   */
  static Path requireKey(Path directory, String group, String key) throws IOException {
    Path file = directory.resolve(Names.requireGroup(group) + "." + Names.requireKey(key));
    try {
      if (new GroupKeys(directory, Map.of(), InstantSource.system()).find(group, key).isEmpty()) {
        throw new NoSuchFileException(file.toString());
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage() + "; remove the file if it was not complete", e);
    }
    return file;
  }
}
