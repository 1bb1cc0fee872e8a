package io.lastfix.gateway.devices;

import java.io.IOException;
import java.nio.file.Files;
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

/**
 * The keys of groups, which secrets are derived from. They are never in Kafka. A key is the base64
 * of at least 32 random bytes, either in a file {@code <group>.<key>} of a directory, such as
 * {@code fleet-a.k1}, or in an environment variable, such as {@code LASTFIX_GROUP_KEY_FLEET_A_K1}.
 *
 * <p>A key is read when it is first needed, so a key may be added while a gateway runs. A key that
 * is absent is looked for again after five seconds at the earliest.
 */
public final class GroupKeys {
  private static final int MIN_BYTES = 32;
  private static final int MAX_CHARACTERS = 1_024;
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);
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
    if (known != null) {
      return Optional.of(known);
    }
    Instant looked = absent.get(name);
    if (looked != null && !looked.plus(LOOK_AGAIN).isBefore(clock.instant())) {
      return Optional.empty();
    }
    // Also if it cannot be read: one error in five seconds is enough.
    absent.put(name, clock.instant());
    byte[] read = read(group, key, name);
    if (read != null) {
      found.put(name, read);
      absent.remove(name);
    }
    return Optional.ofNullable(read);
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
          "%s cannot be read (%s): allow this process to read it"
              .formatted(file, e.getClass().getSimpleName()),
          e);
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
   * Makes a new key and writes it to its file, which only its owner may read.
   *
   * @throws IOException if the file exists, or cannot be written
   */
  public static Path create(Path directory, String group, String key, SecureRandom random)
      throws IOException {
    byte[] bytes = new byte[MIN_BYTES];
    random.nextBytes(bytes);
    Files.createDirectories(directory);
    Path file = directory.resolve(Names.requireGroup(group) + "." + Names.requireKey(key));
    boolean posix = Files.getFileStore(directory).supportsFileAttributeView("posix");
    if (posix) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else {
      Files.createFile(file);
    }
    Files.writeString(
        file,
        Base64.getEncoder().encodeToString(bytes) + System.lineSeparator(),
        StandardOpenOption.WRITE);
    return file;
  }
}
