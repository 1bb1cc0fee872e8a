package io.lastfix.rules.judge;

/** Where a device is, as seen from a fence. */
enum Side {
  INSIDE,
  OUTSIDE,
  /** In the margin, or neither side is certain enough. It neither begins nor ends anything. */
  BETWEEN
}
