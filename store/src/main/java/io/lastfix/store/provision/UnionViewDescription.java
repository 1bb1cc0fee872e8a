package io.lastfix.store.provision;

import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A view that shows the documents of several collections as those of one, as it must be: which they
 * are depends on the collections that are there.
 *
 * @param name of the view
 * @param members of the names of collections those whose documents it shows, in the order in which
 *     it shows them; it looks at each name by itself, but may leave out some where there are too
 *     many
 */
public record UnionViewDescription(String name, UnaryOperator<List<String>> members) {
  public UnionViewDescription {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(members, "members");
  }

  /** As it will be when these collections are there too. */
  public UnionViewDescription with(List<String> collections) {
    return new UnionViewDescription(
        name,
        found ->
            members.apply(Stream.concat(found.stream(), collections.stream()).distinct().toList()));
  }
}
