package io.lastfix.workload;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Selects the next reporting user. By Zipf's law, the user of rank r reports in proportion to 1 /
 * r^exponent. With exponent 0, users are uniformly distributed; 1 is usual for people.
 */
final class UserActivity {
  private final int users;

  /** The cumulative share up to each rank; null if users are uniformly distributed. */
  private final double @Nullable [] shares;

  UserActivity(int users, double exponent) {
    this.users = users;
    shares = exponent == 0 ? null : cumulativeShares(users, exponent);
  }

  private static double[] cumulativeShares(int users, double exponent) {
    double[] sums = new double[users];
    double sum = 0;
    for (int i = 0; i < users; i++) {
      sum += StrictMath.pow(i + 1.0, -exponent);
      sums[i] = sum;
    }
    for (int i = 0; i < users; i++) {
      sums[i] /= sum;
    }
    return sums;
  }

  /** A user from 0, the most active, to one less than the number of users. */
  int next(SplittableRandom random) {
    if (shares == null) {
      return random.nextInt(users);
    }
    int found = Arrays.binarySearch(shares, random.nextDouble());
    return Math.min(users - 1, found >= 0 ? found + 1 : -found - 1);
  }
}
