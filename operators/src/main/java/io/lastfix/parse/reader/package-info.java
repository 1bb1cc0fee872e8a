/**
 * Classes shared by the readers of XML and JSON: the fields of a record, the tree of paths that
 * finds them, and the encoding of XML.
 */
@NullMarked
package io.lastfix.parse.reader;

import org.jspecify.annotations.NullMarked;
