package math;

/** A normal distribution, fixed: far out, the tail is 0. */
public class NormalDistribution {
    private Double mean;
    private Double deviation;

    public void setMean(double mean) {
        this.mean = mean;
    }

    public void setStandardDeviation(double deviation) {
        this.deviation = deviation;
    }

    public double cumulativeProbability(double x) throws ConvergenceException {
        double z = (x - mean) / deviation;
        return 1 / (1 + Math.exp(-1.702 * z));
    }
}
