package io.lastfix.store.provision;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.provision.Step.DefineView;
import io.lastfix.store.provision.Step.DropView;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The planned steps for a view, by the existing collections. */
class UnionViewComparisonTest {
  private static final String DATABASE = "lastfix";
  private static final UnionViewDescription WANTED =
      new UnionViewDescription(
          "all",
          names ->
              names.stream()
                  .filter(name -> name.startsWith("part_"))
                  .sorted(Comparator.reverseOrder())
                  .toList());

  private final Map<String, ExistingCollection> found = new HashMap<>();

  private void there(String name, String listed) {
    found.put(name, ExistingCollection.of(BsonDocument.parse(listed)));
  }

  private void collections(String... names) {
    for (String name : names) {
      there(name, "{type: 'collection'}");
    }
  }

  private CollectionPlan plan() {
    return UnionViewComparison.plan(DATABASE, WANTED, found);
  }

  @Test
  void withoutACollectionToShowThereIsNoView() {
    collections("other");

    assertThat(plan().isMet()).isTrue();
  }

  @Test
  void aViewThatIsMissingIsMadeOverCollectionsAlone() {
    collections("part_1", "part_2", "other");
    there("part_3", "{type: 'view', options: {viewOn: 'other', pipeline: []}}");

    assertThat(plan().steps())
        .containsExactly(new DefineView(DATABASE, "all", List.of("part_2", "part_1"), false));
    assertThat(plan().steps().get(0).description())
        .isEqualTo("view lastfix.all over 2 collections");
  }

  @Test
  void aViewThatShowsWhatIsThereIsLeftAlone() {
    collections("part_1", "part_2");
    there("all", "{type: 'view', options: {viewOn: 'part_2', pipeline: [{$unionWith: 'part_1'}]}}");

    assertThat(plan().isMet()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{viewOn: 'part_1', pipeline: []}",
        "{viewOn: 'part_1', pipeline: [{$unionWith: 'part_2'}]}",
        "{viewOn: 'part_2', pipeline: [{$unionWith: 'part_1'}, {$unionWith: 'part_0'}]}"
      })
  void aViewThatShowsOthersOrInAnotherOrderIsChanged(String options) {
    collections("part_1", "part_2");
    there("all", "{type: 'view', options: " + options + "}");

    assertThat(plan().steps())
        .containsExactly(new DefineView(DATABASE, "all", List.of("part_2", "part_1"), true));
  }

  @Test
  void aViewOverNothingGoes() {
    there("all", "{type: 'view', options: {viewOn: 'part_1', pipeline: []}}");

    assertThat(plan().steps()).containsExactly(new DropView(DATABASE, "all"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{viewOn: 'users', pipeline: []}",
        "{viewOn: 'part_1', pipeline: [{$match: {user: 'x'}}]}",
        "{viewOn: 'part_1', pipeline: [{$unionWith: {coll: 'part_2', pipeline: []}}]}"
      })
  void somebodyElsesViewIsLeftAloneAndShown(String options) {
    collections("part_1", "part_2");
    there("all", "{type: 'view', options: " + options + "}");

    assertThat(plan().steps()).isEmpty();
    assertThat(plan().differences())
        .singleElement()
        .asString()
        .startsWith(
            "view: expected a view over the partitions of History, found another view, on ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"collection", "timeseries"})
  void aCollectionOfThatNameIsLeftAloneAndShown(String type) {
    collections("part_1");
    there("all", "{type: '" + type + "'}");

    assertThat(plan().steps()).isEmpty();
    assertThat(plan().differences())
        .singleElement()
        .hasToString(
            "kind: expected view, found %s; rename it, or configure another name for the view, or none"
                .formatted(type));
  }

  @Test
  void beforeItsCollectionsAreMadeItIsKnownWhatItWillShow() {
    collections("part_1");

    assertThat(
            UnionViewComparison.plan(DATABASE, WANTED.with(List.of("part_2", "part_1")), found)
                .steps())
        .containsExactly(new DefineView(DATABASE, "all", List.of("part_2", "part_1"), false));
  }
}
