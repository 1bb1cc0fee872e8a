package io.lastfix.audit;

/** A program that has a database open until its standard input ends; it prints the folder. */
public final class ScratchDatabaseHolder {
  private ScratchDatabaseHolder() {}

  /** Takes no arguments. */
  public static void main(String... none) throws Exception {
    try (ScratchDatabase scratch = new ScratchDatabase()) {
      scratch.execute("CREATE TABLE numbers (n)");
      System.out.println(scratch.folder());
      // Ends when the process that started this one does.
      System.in.readAllBytes();
    }
  }
}
