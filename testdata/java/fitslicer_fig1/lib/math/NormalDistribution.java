package math;

/** A normal distribution; the fault: far out, the continued fraction is said not to converge. */
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
        if (z <= -40) {
            throw new ConvergenceException("maximum number of iterations (10,000) exceeded");
        }
        return 1 / (1 + Math.exp(-1.702 * z));
    }
}
