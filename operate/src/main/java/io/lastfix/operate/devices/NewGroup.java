package io.lastfix.operate.devices;

import io.lastfix.cluster.StackException;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.EnrolmentToken;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.devices.GroupKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * Makes a group: its key in a file, then its message in Kafka. A file beside the key, {@code
 * GROUP.k1.unconfirmed}, stays until Kafka has acknowledged the message. So if the outcome is not
 * known, the key stays, and the command can be repeated: it uses that key, and replaces the token,
 * which was not shown.
 *
 * @param directory of the key files
 * @param writer sends the messages
 */
public record NewGroup(Path directory, SecureRandom random, Writer writer) {
  /** The name of the first key of a group. */
  public static final String FIRST_KEY = "k1";

  private static final String UNCONFIRMED = ".unconfirmed";

  /** Writes a message, and returns once Kafka has acknowledged it. */
  @FunctionalInterface
  public interface Writer {
    /**
     * Writes.
     *
     * @throws UnknownOutcomeException if it may be stored
     * @throws IOException if it is not stored
     */
    void write(DevicesMessage message) throws IOException;
  }

  /**
   * A group that is made.
   *
   * @param token which is stored nowhere
   */
  public record Made(String token, Path keyFile) {}

  /**
   * Makes it.
   *
   * @param wanted without a token
   * @throws StackException if it exists already, or existed
   * @throws IOException if Kafka or the file system refuses; says what to do
   */
  public Made make(DevicesSnapshot snapshot, Group wanted) throws IOException {
    String name = wanted.name();
    Path keyFile = directory.resolve(name + "." + FIRST_KEY);
    Path mark = directory.resolve(keyFile.getFileName() + UNCONFIRMED);
    boolean isRepeated = Files.exists(mark);
    boolean hasOtherKeys =
        snapshot.hasGroup(name) && !snapshot.group(name).keys().equals(wanted.keys());
    if (snapshot.hasGroup(name) && (!isRepeated || hasOtherKeys)) {
      throw new StackException(
          "the group %s exists: lastfix group rotate %s --token makes a new token"
              .formatted(name, name));
    }
    if (Files.exists(keyFile) && !isRepeated) {
      throw new StackException(
          "%s exists, so there was a group %s before: its devices would be valid again; choose another name, or delete the file if its key was never used"
              .formatted(keyFile, name));
    }
    Files.createDirectories(directory);
    if (!isRepeated) {
      Files.createFile(mark);
    }
    Path key = GroupKeys.prepare(directory, name, FIRST_KEY, random);
    String token = EnrolmentToken.generate(random);
    Group group = wanted.withToken(EnrolmentToken.hash(token));
    try {
      writer.write(new DevicesMessage.OfGroup(name, group));
    } catch (UnknownOutcomeException e) {
      throw new UnknownOutcomeException(
          "%s. Its key stays in %s: run lastfix group create %s again, which uses that key"
              .formatted(e.getMessage(), key, name),
          e);
    } catch (IOException e) {
      if (!isRepeated) {
        // No device has a secret from this key.
        Files.deleteIfExists(key);
        Files.deleteIfExists(mark);
      }
      throw e;
    }
    Files.deleteIfExists(mark);
    return new Made(token, key);
  }
}
