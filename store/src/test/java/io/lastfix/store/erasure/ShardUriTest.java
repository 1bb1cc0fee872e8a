package io.lastfix.store.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardUriTest {
  @ParameterizedTest
  @CsvSource({
    "mongodb://r1:1/, mongodb://a:1/?replicaSet=s",
    "mongodb://r1, mongodb://a:1/?replicaSet=s",
    "'mongodb://r1,r2/', mongodb://a:1/?replicaSet=s",
    "mongodb://u:p%40s@r1:1/admin?tls=true, mongodb://u:p%40s@a:1/admin?tls=true&replicaSet=s",
    "mongodb://r1/?directConnection=true&loadBalanced=true&w=1, mongodb://a:1/?w=1&replicaSet=s",
    "mongodb+srv://u:p@r/?srvMaxHosts=2, mongodb://u:p@a:1/?replicaSet=s&tls=true",
    "mongodb+srv://r/?tls=false, mongodb://a:1/?tls=false&replicaSet=s"
  })
  void theShardsHostsComeInThePlaceOfTheRouters(String routers, String shard) {
    assertThat(ShardUri.of(routers, "s/a:1")).isEqualTo(shard);
    assertThat(new ConnectionString(shard).getHosts()).containsExactly("a:1");
  }
}
