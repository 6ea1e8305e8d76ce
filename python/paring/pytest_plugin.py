"""The pytest plugin: `pytest --pare` pares every failure after the run.

pytest loads this file in each of its runs, so it imports nothing until it is asked for: what it does then is in `_after_run.py`.
"""


def pytest_addoption(parser):
    group = parser.getgroup("paring", "paring: pare failing tests")
    group.addoption("--pare", action="store_true", default=False, help="pare every failing test after the run, and print it below its failure")
    group.addoption("--pare-apply", action="store_true", default=False, help="the same, and rewrite the tests in their files")
    group.addoption("--pare-out", metavar="DIR", default=None, help="the same, and write each pared test as a file of its own to DIR")
    group.addoption("--pare-max", metavar="N", type=int, default=10, help="how many failing tests to pare (default: 10)")
    group.addoption("--pare-budget", metavar="S", type=float, default=60.0, help="seconds for all of them together (default: 60)")


def pytest_configure(config):
    option = config.option
    if not (getattr(option, "pare", False) or getattr(option, "pare_apply", False) or getattr(option, "pare_out", None)):
        return
    # A worker of pytest-xdist: its controller pares.
    if hasattr(config, "workerinput"):
        return
    from paring._after_run import AfterRun

    config.pluginmanager.register(AfterRun(config), "paring-after-run")
