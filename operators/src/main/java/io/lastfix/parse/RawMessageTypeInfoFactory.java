package io.lastfix.parse;

import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** Public because Flink makes it, named by the type's annotation. */
public final class RawMessageTypeInfoFactory extends TypeInfoFactory<RawMessage> {
  @Override
  public TypeInformation<RawMessage> createTypeInfo(
      Type type, Map<String, TypeInformation<?>> genericParameters) {
    return new MessageTypeInfo<>(RawMessage.class, RawMessageSerializer.INSTANCE);
  }
}
