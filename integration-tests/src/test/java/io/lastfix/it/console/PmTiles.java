package io.lastfix.it.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/**
 * A map in the format of PMTiles 3: one raster tile, which is the whole world.
 *
 * @see <a href="https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md">PMTiles 3</a>
 */
final class PmTiles {
  private static final int HEADER_BYTES = 127;
  private static final int TILE_PIXELS = 256;
  private static final byte NO_COMPRESSION = 1;
  private static final byte PNG = 2;

  private PmTiles() {}

  /** Writes a world with one colour on each side of the meridian of Greenwich. */
  static Path write(Path file, Color west, Color east, String attribution) throws IOException {
    byte[] tile = tile(west, east);
    byte[] metadata = "{\"attribution\":\"%s\"}".formatted(attribution).getBytes(UTF_8);
    byte[] directory = directory(tile.length);
    int metadataAt = HEADER_BYTES + directory.length;
    int tileAt = metadataAt + metadata.length;
    ByteBuffer bytes = ByteBuffer.allocate(tileAt + tile.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put("PMTiles".getBytes(UTF_8)).put((byte) 3);
    bytes.putLong(HEADER_BYTES).putLong(directory.length);
    bytes.putLong(metadataAt).putLong(metadata.length);
    // No further directories.
    bytes.putLong(tileAt).putLong(0);
    bytes.putLong(tileAt).putLong(tile.length);
    // Addressed tiles, entries, contents.
    bytes.putLong(1).putLong(1).putLong(1);
    bytes.put((byte) 1).put(NO_COMPRESSION).put(NO_COMPRESSION).put(PNG);
    // The only zoom level, the world's bounds in 10^-7 degrees, and where to begin.
    bytes.put((byte) 0).put((byte) 0);
    bytes.putInt(-1_800_000_000).putInt(-850_000_000).putInt(1_800_000_000).putInt(850_000_000);
    bytes.put((byte) 0).putInt(0).putInt(0);
    bytes.put(directory).put(metadata).put(tile);
    return Files.write(file, bytes.array());
  }

  private static byte[] tile(Color west, Color east) throws IOException {
    BufferedImage image = new BufferedImage(TILE_PIXELS, TILE_PIXELS, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(west);
    graphics.fillRect(0, 0, TILE_PIXELS / 2, TILE_PIXELS);
    graphics.setColor(east);
    graphics.fillRect(TILE_PIXELS / 2, 0, TILE_PIXELS / 2, TILE_PIXELS);
    graphics.dispose();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "png", out);
    return out.toByteArray();
  }

  /** One entry: tile 0, as a run of one, its length, and its offset 0 plus 1. */
  private static byte[] directory(int tileBytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(1);
    out.write(0);
    out.write(1);
    int left = tileBytes;
    while (left > 0x7f) {
      out.write((left & 0x7f) | 0x80);
      left >>>= 7;
    }
    out.write(left);
    out.write(1);
    return out.toByteArray();
  }
}
