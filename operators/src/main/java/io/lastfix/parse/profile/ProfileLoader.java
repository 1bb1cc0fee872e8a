package io.lastfix.parse.profile;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.lastfix.model.ShippedProfiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds profiles and reads them from YAML. The syntax:
 *
 * <pre>{@code
 * format: xml                  # or json, or form (a query string, or JSON)
 * record: [pos, trl_pos]       # xml: the names of the elements that are records
 *                              # json: the path to the records; absent: the message's own value
 * error: poserr                # optional: a record that has this has no position
 * only:                        # optional: what has another value is no record
 *   path: _type
 *   values: [location]
 *   place: false               # optional: true: what has no cell and no position is none either
 * batch: [location, locations] # optional, JSON: an array here holds records, which also have what
 *                              # surrounds it; an element stands for the first, or for the record
 * pairs:                       # optional, JSON: a list of objects that are names and values;
 *   path: metrics              # the path metrics/lon then leads to the value of the name lon
 *   name: key
 *   value: val
 * user: subscriber/imei        # a path, or several of which the first that is given wins
 * cell:                        # one of the following, or several
 *   mcc: cell/mcc              # a cell by its parts
 *   mnc: cell/mnc
 *   area: cell/lac             # optional
 *   cid: cell/cid
 *   text: cell                 # instead of the parts: a text such as 234-10-4021-20911362
 *   radio: cell/radio          # optional
 *   constant-radio: LTE        # optional: the radio of all cells given by these paths
 * position:                    # beside or instead of cell: one of the following, or several
 *   lon: position/lon          # degrees of WGS 84
 *   lat: position/lat
 *   coordinates: coordinates   # instead of lon and lat: a JSON array of lon, lat and altitude
 *   shape: pd/shape            # instead of lon and lat: a shape of MLP
 *   accuracy: position/acc     # optional: metres
 *   accuracy-is: 68%           # optional: the probability of the accuracy; absent: 95%
 *   confidence: pd/lev_conf    # optional: path of that probability
 *   altitude: position/alt     # optional: metres
 *   source: position/source    # optional: gnss, network or mlp; another name is network
 *   sources: {gps: gnss}       # optional: the format's names of these
 *   default-source: gnss       # the source of a position that names none
 *   invalid:                   # optional: the device says that it has no position
 *     path: valid
 *     values: ["false", "0"]
 *   keep-shape: false          # optional: true: records keep the shape
 * timestamp:                   # one, or several
 *   path: pd/time
 *   format: yyyyMMddHHmmss     # iso8601, epoch-millis, epoch-seconds, auto, any or a pattern
 *   offset: pd/time/@utc_off   # optional: path of the offset from UTC; absent: UTC
 * }</pre>
 *
 * <p>A user may also be chosen among several elements of one path by an attribute:
 *
 * <pre>{@code
 * user:
 *   path: msid
 *   type: "@type"              # an attribute of that element
 *   default-type: MSISDN       # optional: the type of an element without it
 *   prefer: [MSISDN, IMSI]     # the best first; all other types come after
 * }</pre>
 */
public final class ProfileLoader {
  private static final YAMLMapper YAML =
      YAMLMapper.builder(
              YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .build();

  private ProfileLoader() {}

  /**
   * Returns the profile of that name: from the directory if it exists there, else a shipped one.
   *
   * @param directory directory that may contain {@code NAME.yaml}; null: shipped profiles only
   * @throws IllegalArgumentException if there is no such profile, or it is invalid; names every
   *     problem
   * @throws IOException if it cannot be read
   */
  public static Profile load(String name, @Nullable Path directory) throws IOException {
    if (!FieldPath.isName(name) || name.contains("\\") || name.startsWith(".")) {
      throw new IllegalArgumentException(
          "profile: expected the name of a file without .yaml, found '" + name + "'");
    }
    Path file = directory == null ? null : directory.resolve(name + ".yaml");
    if (file != null && Files.exists(file)) {
      try (InputStream yaml = Files.newInputStream(file)) {
        return read(name, file.toString(), yaml);
      }
    }
    try (InputStream yaml = ShippedProfiles.open(name)) {
      if (yaml == null) {
        throw new IllegalArgumentException(
            "profile: no profile has the name '"
                + name
                + "'; expected "
                + String.join(", ", ShippedProfiles.names())
                + (file == null ? "" : ", or a file " + file));
      }
      return read(name, "config/profiles/" + name + ".yaml", yaml);
    }
  }

  /**
   * Reads a profile.
   *
   * @param name name of the profile
   * @param source origin of the profile, for messages
   * @throws IllegalArgumentException if the profile is invalid; names every problem
   * @throws IOException if it cannot be read
   */
  public static Profile read(String name, String source, InputStream yaml) throws IOException {
    return new ProfileReader(name, source).read(tree(source, yaml.readAllBytes()));
  }

  private static JsonNode tree(String source, byte[] yaml) throws IOException {
    try {
      return YAML.readTree(yaml);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(source + ": not YAML: " + e.getMessage(), e);
    }
  }
}
