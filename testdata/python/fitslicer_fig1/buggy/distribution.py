"""A normal distribution; the fault: far out, the continued fraction is said not to converge."""
import math


class ConvergenceError(Exception):
    pass


class NormalDistribution:
    def __init__(self):
        self.mean = None
        self.deviation = None

    def set_mean(self, mean):
        self.mean = mean

    def set_standard_deviation(self, deviation):
        self.deviation = deviation

    def cumulative_probability(self, x):
        z = (x - self.mean) / self.deviation
        if z <= -40:
            raise ConvergenceError("maximum number of iterations (10,000) exceeded")
        return 0.5 * math.erfc(-z / math.sqrt(2))


def get_distribution():
    return NormalDistribution()
