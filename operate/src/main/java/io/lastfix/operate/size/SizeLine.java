package io.lastfix.operate.size;

/**
 * One line of a size.
 *
 * @param part whose need it is: the load, a server, or the total
 * @param what is needed
 * @param value in the unit
 * @param unit such as cores
 * @param basis begins with "given", "measured" or "assumed". "measured" names the files, and means
 *     that nothing else is in the value. "assumed" names the assumptions, and then the files of
 *     what is measured
 */
public record SizeLine(String part, String what, double value, String unit, String basis) {}
