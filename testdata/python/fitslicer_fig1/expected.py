from distribution import get_distribution


def test_extreme_values():
    distribution = get_distribution()
    distribution.set_mean(0)
    distribution.set_standard_deviation(1)
    for i in range(0, 100, 5):  # ensure no convergence exception
        try:
            lower_tail = distribution.cumulative_probability(-i)
        except Exception as error:
            raise RuntimeError(str(error))
