package io.lastfix.store.provision;

/** The required state of a collection or a view. */
public sealed interface Description permits CollectionDescription, UnionViewDescription {
  /** Returns the name of the collection or view. */
  String name();
}
