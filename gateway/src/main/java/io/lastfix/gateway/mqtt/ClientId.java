package io.lastfix.gateway.mqtt;

import io.lastfix.kit.digest.Sha256;
import io.lastfix.kit.failure.FileFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway's name at the broker, which is a secret: a client that connects with it takes over
 * the session, and the messages that the broker holds for it.
 *
 * @param file in which it is kept
 * @param value 1 to 128 characters
 */
record ClientId(Path file, String value) {
  private static final Logger LOG = LoggerFactory.getLogger(ClientId.class);

  /** What each broker has to accept (MQTT 5, 3.1.3.1): up to 23 characters of these. */
  private static final String CHARACTERS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  /** 131 bits. */
  private static final int LENGTH = 22;

  private static final int GREATEST_LENGTH = 128;
  private static final int NAME_LENGTH = 16;

  /**
   * Reads it; if the file is missing, draws one at random and writes it for its owner alone.
   *
   * @throws IllegalStateException for the user: the file cannot be read or written, or has no id
   */
  static ClientId of(Path file) {
    try {
      if (!Files.exists(file)) {
        write(file, draw());
      }
      String value = Files.readString(file).strip();
      if (value.isEmpty()
          || value.length() > GREATEST_LENGTH
          || value.chars().anyMatch(c -> Character.isISOControl(c) || Character.isWhitespace(c))) {
        throw new IllegalStateException(
            "mqtt.client-id-file %s has no client id: expected up to %d characters without blanks; without the file, a new id is drawn"
                .formatted(file, GREATEST_LENGTH));
      }
      if (mayOthersRead(file)) {
        LOG.warn(
            "each user of this machine may read mqtt.client-id-file {}, and take over this gateway's messages with it: chmod o= {}",
            file,
            file);
      }
      return new ClientId(file, value);
    } catch (IOException e) {
      throw new IllegalStateException(
          "mqtt.client-id-file %s cannot be used: expected a file that this gateway may read, in a folder where it may write (%s)"
              .formatted(file, FileFailure.reason(e)),
          e);
    }
  }

  /** Returns whether each user of the machine may; false where files have no such permissions. */
  static boolean mayOthersRead(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    return view != null
        && view.readAttributes().permissions().contains(PosixFilePermission.OTHERS_READ);
  }

  private static String draw() {
    SecureRandom random = new SecureRandom();
    StringBuilder id = new StringBuilder(LENGTH);
    while (id.length() < LENGTH) {
      id.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    return id.toString();
  }

  /** Whole or not at all: half an id would be another one. */
  private static void write(Path file, String id) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Files.createDirectories(folder);
    Path written =
        Files.createTempFile(
            folder,
            file.getFileName().toString(),
            "",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.writeString(written, id + "\n", StandardOpenOption.SYNC);
      // Not a move, which would replace the id that another process has drawn meanwhile.
      Files.createLink(file, written);
    } catch (FileAlreadyExistsException e) {
      LOG.debug("another process was faster: its client id counts", e);
    } catch (FileSystemException | UnsupportedOperationException e) {
      LOG.debug("no hard links in {}", folder, e);
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(written);
    }
  }

  /** Returns a public name, from which the id cannot be computed: 16 hexadecimal digits. */
  String publicName() {
    return Sha256.hex("probe " + value).substring(0, NAME_LENGTH);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "the client id in " + file;
  }
}
