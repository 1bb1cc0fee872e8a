package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import io.lastfix.privacy.ForgottenUnreadableException;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** What a failure to read the list of the forgotten means at submission. */
class StoreCheckTest {
  @Test
  void aRoleThatMayNotReadTheListIsRefusedWithWhatToDo() {
    MongoCommandException unauthorized =
        new MongoCommandException(
            BsonDocument.parse("{ok: 0, code: 13, errmsg: 'not authorized'}"), new ServerAddress());

    assertThatThrownBy(
            () ->
                StoreCheck.requireReadable(
                    () -> {
                      throw unauthorized;
                    }))
        .isInstanceOf(ForgottenUnreadableException.class)
        .hasMessageContaining("the job's role must let it find there")
        .hasMessageContaining("'lastfix provision'");
  }

  @Test
  void aServerThatDoesNotAnswerIsLeftToTheJob() {
    MongoTimeoutException noPrimary = new MongoTimeoutException("no primary");

    assertThatThrownBy(
            () ->
                StoreCheck.requireReadable(
                    () -> {
                      throw noPrimary;
                    }))
        .isSameAs(noPrimary);
  }

  @Test
  void aListThatAnswersIsAllRight() {
    assertThatCode(() -> StoreCheck.requireReadable(() -> 3)).doesNotThrowAnyException();
  }
}
