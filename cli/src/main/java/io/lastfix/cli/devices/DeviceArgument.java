package io.lastfix.cli.devices;

import io.lastfix.gateway.devices.DeviceId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a device's id. */
final class DeviceArgument implements ITypeConverter<DeviceId> {
  @Override
  public DeviceId convert(String text) {
    try {
      return DeviceId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          e.getMessage() + "; lastfix devices shows those that are not registered, too");
    }
  }
}
