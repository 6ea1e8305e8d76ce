"""A normal distribution, fixed: far out, the tail is 0."""
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
        return 0.5 * math.erfc(-z / math.sqrt(2))


def get_distribution():
    return NormalDistribution()
