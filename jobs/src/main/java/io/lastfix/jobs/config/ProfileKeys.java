package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.kit.failure.FileFailure;
import io.lastfix.model.ShippedProfiles;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.ProfileLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The keys {@code profiles.}: which record profiles the job runs. */
final class ProfileKeys {
  /** A profile's name is part of a topic's, in which Kafka allows these characters. */
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]+");

  static final Key<List<String>> NAMES =
      Key.list(
              LocationJobConfig.PROFILE_NAMES,
              String.join(", ", ShippedProfiles.names()),
              "Record profiles of the job, separated by commas; each has its topic. Name those of the"
                  + " gateways, or what devices push stays in Kafka unread.")
          .where(names -> !names.isEmpty(), "at least one name")
          .where(
              names -> names.stream().allMatch(name -> NAME.matcher(name).matches()),
              "names of letters, digits, '.', '_' and '-', with commas between them and without"
                  + " brackets")
          .where(names -> names.stream().distinct().count() == names.size(), "each name once");

  static final Key<Path> DIRECTORY =
      Key.anyText(
              "profiles.directory",
              null,
              "Folder with your own profiles, one NAME.yaml each. They take precedence over shipped"
                  + " profiles of the same name.")
          .as(text -> Path.of(text));

  private ProfileKeys() {}

  /** Loads the named profiles; reports one problem per invalid profile. */
  static List<Profile> load(SettingsReader reader, List<String> names) {
    Path directory = reader.getIfGiven(DIRECTORY);
    List<Profile> profiles = new ArrayList<>();
    for (String name : names) {
      try {
        profiles.add(ProfileLoader.load(name, directory));
      } catch (IllegalArgumentException e) {
        reader.problem(String.valueOf(e.getMessage()));
      } catch (IOException e) {
        reader.problem("profile %s cannot be read: %s".formatted(name, FileFailure.reason(e)));
      }
    }
    return profiles;
  }
}
