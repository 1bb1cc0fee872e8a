package io.lastfix.parse;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.SenderHeaders;
import io.lastfix.model.UserPatterns;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Compares the users of a message's records with its sender, as the message's {@link SenderHeaders}
 * name it. It trusts the headers: only gateways may write to the topic (docs/operate/secure.md).
 * {@code lastfix audit --signatures} finds forged signers. It counts users of HTTP Basic, for whom
 * there is no proof.
 *
 * <p>Set {@link #sender} for each message. Not thread-safe. It creates objects only if the sender
 * differs from that of the message before.
 */
public final class SenderCheck {
  private static final byte[] SIGNED = SenderHeaders.SIGNED.getBytes(UTF_8);
  private static final byte[] BASIC = SenderHeaders.BASIC.getBytes(UTF_8);
  private static final byte[] NOTHING = {};

  private static final String NOT_ITS_USER =
      "expected the device that sent the message, or a user that its group may speak for";
  private static final String NO_SENDER =
      "expected a message whose sender a gateway has proved (parse.check-users: all)";

  private final boolean requiresSender;

  private boolean isProved;
  private byte[] deviceBytes = NOTHING;
  private String device = "";
  private byte[] patternBytes = NOTHING;
  private UserPatterns patterns = UserPatterns.NONE;

  /**
   * A check by that rule.
   *
   * @param rule {@link UserRule#PROVED} or {@link UserRule#ALL}
   */
  public SenderCheck(UserRule rule) {
    requiresSender = rule == UserRule.ALL;
  }

  /** Takes over the sender of the next message. */
  public void sender(MessageHeaders headers) {
    byte[] auth = headers.last(SenderHeaders.AUTH);
    byte[] sender = headers.last(SenderHeaders.DEVICE);
    isProved = sender != null && (Arrays.equals(auth, SIGNED) || Arrays.equals(auth, BASIC));
    if (!isProved || sender == null) {
      return;
    }
    if (!Arrays.equals(sender, deviceBytes)) {
      deviceBytes = sender;
      device = new String(sender, UTF_8);
    }
    byte[] speaksFor = headers.last(SenderHeaders.SPEAKS_FOR);
    byte[] allowed = speaksFor == null ? NOTHING : speaksFor;
    if (!Arrays.equals(allowed, patternBytes)) {
      patternBytes = allowed;
      patterns = UserPatterns.ofHeader(new String(allowed, UTF_8));
    }
  }

  /**
   * Returns why the record must be rejected, without the user; null if it is accepted.
   *
   * @param text contains the user from {@code from} to before {@code to}; valid during this call
   */
  public @Nullable String refusal(char[] text, int from, int to) {
    if (!isProved) {
      return requiresSender ? NO_SENDER : null;
    }
    boolean isDevice = RecordAssembler.isSame(device, text, from, to - from);
    return isDevice || patterns.matches(text, from, to) ? null : NOT_ITS_USER;
  }
}
