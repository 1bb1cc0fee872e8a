package io.lastfix.console.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves ranges of a large file. A request names one range, {@code bytes=0-16383}, of up to 1 MB;
 * all else is refused. At most 32 requests are answered at once, so that slow readers cannot fill
 * the memory; others get 503. A file that is replaced gets another {@code ETag}.
 */
public final class RangeFile implements HttpService {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{1,18})");
  private static final long GREATEST = 1024 * 1024;
  private static final int MOST_ANSWERS = 32;

  private final Path file;
  private final Semaphore answers = new Semaphore(MOST_ANSWERS);

  /**
   * A file.
   *
   * @throws IllegalStateException if it cannot be read; says what to do
   */
  public RangeFile(Path file) {
    if (!Files.isReadable(file) || !Files.isRegularFile(file)) {
      throw new IllegalStateException(
          "cannot read the map %s: check the name and the rights of the file".formatted(file));
    }
    this.file = file;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    String range = request.headers().get(HttpHeaderNames.RANGE);
    if (!answers.tryAcquire()) {
      return HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE);
    }
    // Until the last byte has left.
    var unused = context.log().whenComplete().thenRun(answers::release);
    return HttpResponse.of(() -> answer(range), context.blockingTaskExecutor());
  }

  private HttpResponse answer(@Nullable String range) {
    Matcher asked = RANGE.matcher(range == null ? "" : range);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      if (!asked.matches()) {
        return refused(size);
      }
      long from = Long.parseLong(asked.group(1));
      long to = Math.min(Long.parseLong(asked.group(2)), size - 1);
      if (from > to || to - from >= GREATEST) {
        return refused(size);
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) (to - from + 1));
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, from + bytes.position()) < 0) {
          throw new EOFException(file.toString());
        }
      }
      return HttpResponse.of(
          ResponseHeaders.builder(HttpStatus.PARTIAL_CONTENT)
              .contentType(MediaType.OCTET_STREAM)
              .set(HttpHeaderNames.CONTENT_RANGE, "bytes %d-%d/%d".formatted(from, to, size))
              .set(HttpHeaderNames.ACCEPT_RANGES, "bytes")
              .set(
                  HttpHeaderNames.ETAG,
                  "\"%x-%x\"".formatted(size, Files.getLastModifiedTime(file).toMillis()))
              .set(HttpHeaderNames.CACHE_CONTROL, "no-cache")
              .build(),
          HttpData.wrap(bytes.array()));
    } catch (IOException e) {
      return Problem.notFound().toResponse();
    }
  }

  private static HttpResponse refused(long size) {
    return HttpResponse.of(
        ResponseHeaders.builder(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
            .contentType(MediaType.PLAIN_TEXT_UTF_8)
            .set(HttpHeaderNames.CONTENT_RANGE, "bytes */" + size)
            .build(),
        HttpData.ofUtf8("Expected one range of up to 1 MB within the file: bytes=0-16383"));
  }
}
