package io.lastfix.store.provision;

import io.lastfix.store.provision.Step.DefineView;
import io.lastfix.store.provision.Step.DropView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Compares the description of one view with the existing one; without access to a server. */
final class UnionViewComparison {
  private static final String REMEDY = "rename it, or configure another name for the view, or none";
  private static final String UNION = "$unionWith";

  private UnionViewComparison() {}

  /**
   * Plans the steps. If there is no collection to show, the view must not exist.
   *
   * @param found all existing collections and views, by name
   */
  static CollectionPlan plan(
      String database, UnionViewDescription wanted, Map<String, ExistingCollection> found) {
    List<String> members =
        wanted
            .members()
            .apply(
                found.entrySet().stream()
                    .filter(entry -> entry.getValue().isCollection())
                    .map(Map.Entry::getKey)
                    .toList());
    ExistingCollection existing = found.get(wanted.name());
    List<Step> steps = new ArrayList<>();
    List<Difference> differences = new ArrayList<>();
    if (existing == null) {
      if (!members.isEmpty()) {
        steps.add(new DefineView(database, wanted.name(), members, false));
      }
    } else if (!existing.isView()) {
      differences.add(new Difference("kind", ExistingCollection.VIEW, existing.type(), REMEDY));
    } else {
      Optional<List<String>> shown = shown(existing.options());
      if (shown.isEmpty() || !wanted.members().apply(shown.get()).containsAll(shown.get())) {
        differences.add(
            new Difference(
                "view",
                "a view over the partitions of History",
                "another view, on "
                    + existing.options().getString("viewOn", new BsonString("nothing")).getValue(),
                REMEDY));
      } else if (members.isEmpty()) {
        steps.add(new DropView(database, wanted.name()));
      } else if (!members.equals(shown.get())) {
        steps.add(new DefineView(database, wanted.name(), members, true));
      }
    }
    return new CollectionPlan(database + "." + wanted.name(), steps, differences);
  }

  /** Returns the collections that a view shows; empty if the view does anything else. */
  private static Optional<List<String>> shown(BsonDocument options) {
    List<String> shown = new ArrayList<>();
    shown.add(options.getString("viewOn", new BsonString("")).getValue());
    for (BsonValue stage : options.getArray("pipeline", new BsonArray())) {
      if (stage.asDocument().size() != 1
          || !(stage.asDocument().get(UNION) instanceof BsonString member)) {
        return Optional.empty();
      }
      shown.add(member.getValue());
    }
    return Optional.of(shown);
  }

  /** Returns the stages that add all collections but the first. */
  static BsonArray pipeline(List<String> members) {
    BsonArray stages = new BsonArray();
    for (String member : members.subList(1, members.size())) {
      stages.add(new BsonDocument(UNION, new BsonString(member)));
    }
    return stages;
  }
}
