package math;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

/**
 * Proves: FitSlicer's Fig. 1 ends as its Fig. 2: the upper tail and the checks go; loop, try and handler stay.
 *
 * After an example of Apache Commons Math in the paper.
 */
public class NormalDistributionTest {
    private Object getDistribution() {
        return new NormalDistribution();
    }

    @Test
    public void testExtremeValues() throws Exception {
        NormalDistribution distribution = (NormalDistribution) getDistribution();
        distribution.setMean(0);
        distribution.setStandardDeviation(1);
        for (int i = 0; i < 100; i += 5) { // ensure no convergence exception
            try {
                double lowerTail = distribution.cumulativeProbability((double) -i);
                double upperTail = distribution.cumulativeProbability((double) i);
                if (i < 10) { // make sure not top-coded
                    assertTrue(lowerTail > 0.0d);
                    assertTrue(upperTail < 1.0d);
                } else { // make sure top coding not reversed
                    assertTrue(lowerTail < 0.00001);
                    assertTrue(upperTail > 0.99999);
                }
            } catch (Exception e) {
                throw new RuntimeException(e.getMessage());
            }
        }
    }
}
