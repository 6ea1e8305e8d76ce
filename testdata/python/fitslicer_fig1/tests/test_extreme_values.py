"""Proves: FitSlicer's Fig. 1 ends as its Fig. 2: the upper tail and the checks go; loop, try and handler stay.

After an example of Apache Commons Math in the paper. Run with PYTHONPATH=buggy, and good for the fixed library.
"""
from distribution import get_distribution


def test_extreme_values():
    distribution = get_distribution()
    distribution.set_mean(0)
    distribution.set_standard_deviation(1)
    for i in range(0, 100, 5):  # ensure no convergence exception
        try:
            lower_tail = distribution.cumulative_probability(-i)
            upper_tail = distribution.cumulative_probability(i)
            if i < 10:  # make sure not top-coded
                assert lower_tail > 0.0
                assert upper_tail < 1.0
            else:  # make sure top coding not reversed
                assert lower_tail < 0.00001
                assert upper_tail > 0.99999
        except Exception as error:
            raise RuntimeError(str(error))
