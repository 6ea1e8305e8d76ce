@Test
public void testExtremeValues() throws Exception {
    NormalDistribution distribution = (NormalDistribution) getDistribution();
    distribution.setMean(0);
    distribution.setStandardDeviation(1);
    for (int i = 0; i < 100; i += 5) { // ensure no convergence exception
        try {
            double lowerTail = distribution.cumulativeProbability((double) -i);
        } catch (Exception e) {
            throw new RuntimeException(e.getMessage());
        }
    }
}
