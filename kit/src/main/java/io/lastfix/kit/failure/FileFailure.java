package io.lastfix.kit.failure;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Why a file could not be read or written, for a user who knows the file. Java's messages are the
 * names of its classes, or the file's name once more.
 */
public final class FileFailure {
  private FileFailure() {}

  /** Returns the reason, and what to do if that is always the same. */
  public static String reason(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (failure instanceof AccessDeniedException) {
      return "access is denied: check the owner and the rights of the file and its folder";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "it exists already";
    }
    if (failure instanceof NotDirectoryException) {
      return "it is no folder";
    }
    if (failure instanceof DirectoryNotEmptyException) {
      return "the folder is not empty";
    }
    if (failure instanceof CharacterCodingException) {
      return "it is not UTF-8 text";
    }
    String reason =
        failure instanceof FileSystemException system ? system.getReason() : failure.getMessage();
    return reason == null ? RootCause.of(failure).getClass().getSimpleName() : reason;
  }
}
