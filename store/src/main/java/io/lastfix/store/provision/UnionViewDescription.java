package io.lastfix.store.provision;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The required state of a view that shows the documents of several collections as one. The existing
 * collections decide which ones it shows.
 *
 * @param name name of the view
 * @param members selects the collections to show from the existing names, in the order of the view;
 *     it judges each name separately, but may leave out some if there are too many
 */
public record UnionViewDescription(String name, UnaryOperator<List<String>> members)
    implements Description {
  /** Returns a description that treats these collections as existing. */
  public UnionViewDescription with(List<String> collections) {
    return new UnionViewDescription(
        name,
        found ->
            members.apply(Stream.concat(found.stream(), collections.stream()).distinct().toList()));
  }
}
