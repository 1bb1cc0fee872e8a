package io.lastfix.audit;

/** A program that holds a database open until its standard input ends; it prints the folder. */
public final class ScratchDatabaseHolder {
  private ScratchDatabaseHolder() {}

  /** Accepts no arguments. */
  public static void main(String... none) throws Exception {
    try (ScratchDatabase scratch = new ScratchDatabase()) {
      scratch.execute("CREATE TABLE numbers (n)");
      System.out.println(scratch.folder());
      // The input ends with the process that started this one.
      System.in.readAllBytes();
    }
  }
}
