package io.lastfix.audit;

/** The position of a tower or in a document: WGS 84, in degrees. */
record Place(double lon, double lat) {}
