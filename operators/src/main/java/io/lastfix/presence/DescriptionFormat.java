package io.lastfix.presence;

import static io.lastfix.serialization.BinaryFormat.readText;
import static io.lastfix.serialization.BinaryFormat.writeText;

import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.HeartbeatMessage;
import java.io.IOException;
import java.util.HexFormat;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/** Layout: text class, text sdk (empty: absent), 1 byte 0, or 1 and the 32 bytes of the hash. */
final class DescriptionFormat {
  private DescriptionFormat() {}

  static void write(DeviceDescription description, DataOutputView target) throws IOException {
    writeOptional(description.deviceClass(), target);
    writeOptional(description.sdk(), target);
    String manifest = description.manifest();
    target.writeBoolean(manifest != null);
    if (manifest != null) {
      target.write(HexFormat.of().parseHex(manifest));
    }
  }

  static DeviceDescription read(DataInputView source) throws IOException {
    String deviceClass = readOptional(source);
    String sdk = readOptional(source);
    String manifest = null;
    if (source.readBoolean()) {
      byte[] hash = new byte[HeartbeatMessage.MANIFEST_BYTES];
      source.readFully(hash);
      manifest = HexFormat.of().formatHex(hash);
    }
    return new DeviceDescription(deviceClass, sdk, manifest);
  }

  private static void writeOptional(@Nullable String text, DataOutputView target)
      throws IOException {
    writeText(text == null ? "" : text, target);
  }

  private static @Nullable String readOptional(DataInputView source) throws IOException {
    String text = readText(source);
    return text.isEmpty() ? null : text;
  }
}
