package io.lastfix.audit;

/** Where a tower stands, or a document says that a device was: WGS 84, in degrees. */
record Place(double lon, double lat) {}
