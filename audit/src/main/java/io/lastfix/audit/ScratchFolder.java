package io.lastfix.audit;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.UserPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A flat folder for a command's data that does not fit into memory. It is deleted when it is closed
 * or the process is stopped. The folder of a killed process is deleted when the same user opens the
 * next one.
 *
 * <p>A process has one folder at a time: on POSIX systems, testing a lock that the process itself
 * holds would release it.
 */
final class ScratchFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScratchFolder.class);
  private static final String PREFIX = "lastfix-audit";

  /** Locked during the life of the process; a process id would not be certain. */
  private static final String LOCK = "lastfix-audit.lock";

  private final Path path;
  private final Thread deletion = new Thread(this::deleteAtTheEnd, "delete-scratch");
  private final FileLock lock;

  /** Creates it in that folder. */
  ScratchFolder(Path parent) throws IOException {
    path = Files.createTempDirectory(parent, PREFIX);
    deleteAbandoned(parent, Files.getOwner(path, NOFOLLOW_LINKS));
    Runtime.getRuntime().addShutdownHook(deletion);
    lock = lock(path);
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(deletion);
    } catch (IllegalStateException e) {
      // The process is being stopped, and deletes the folder.
      return;
    }
    try {
      delete(path);
    } finally {
      lock.acquiredBy().close();
    }
  }

  /**
   * The lock's file is moved into place only after it is locked; the lock follows the moved file.
   */
  private static FileLock lock(Path folder) throws IOException {
    Path unlocked = folder.resolve("new-" + LOCK);
    FileLock lock = FileChannel.open(unlocked, CREATE_NEW, WRITE).lock();
    Files.move(unlocked, folder.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
    return lock;
  }

  /** Best effort: a failure does not keep this process from its work. */
  private static void deleteAbandoned(Path parent, UserPrincipal user) {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path folder : folders) {
        try {
          if (Files.getOwner(folder, NOFOLLOW_LINKS).equals(user)
              && isAbandoned(folder.resolve(LOCK))) {
            delete(folder);
          }
        } catch (IOException e) {
          LOG.debug("{} stays: another process has deleted it or will", folder, e);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.debug("Files of dead audits stay in {}", parent, e);
    }
  }

  private static boolean isAbandoned(Path lock) throws IOException {
    if (!Files.isRegularFile(lock, NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(lock, WRITE, NOFOLLOW_LINKS)) {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private void deleteAtTheEnd() {
    try {
      delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }

  /**
   * Deletes the lock last, so that the rest of an interrupted deletion still counts as abandoned.
   */
  private static void delete(Path folder) throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, file -> !file.endsWith(LOCK))) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder.resolve(LOCK));
    Files.deleteIfExists(folder);
  }
}
