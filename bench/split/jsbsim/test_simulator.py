"""Tests of JSBSim (the PyPI wheel) that check too much, for `paring split`.

Each test changes into a folder of its own. The files that it reads are written by the native core: no call of Python opens them for
writing.
"""
import csv
import os
import shutil
import socket
import subprocess
import tempfile
import unittest

import jsbsim

DIRECTIVE = """<?xml version="1.0"?>
<output name="{name}" type="{kind}" rate="{rate}"{more}>
  <property> position/h-sl-ft </property>
  <property> velocities/vt-fps </property>
</output>
"""


def simulation(model="ball", start="reset01"):
    fdm = jsbsim.FGFDMExec(None)
    fdm.set_debug_level(0)
    fdm.load_model(model)
    fdm.load_ic(start, True)
    return fdm


def directive(path, name, kind="CSV", rate=10, more=""):
    with open(path, "w") as file:
        file.write(DIRECTIVE.format(name=name, kind=kind, rate=rate, more=more))
    return os.path.abspath(path)


def run(fdm, n_steps):
    for _ in range(n_steps):
        fdm.run()


def rows(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


class Sandbox(unittest.TestCase):
    def setUp(self):
        self.before = os.getcwd()
        self.folder = tempfile.mkdtemp()
        os.chdir(self.folder)

    def tearDown(self):
        os.chdir(self.before)
        shutil.rmtree(self.folder)


class TestFiles(Sandbox):
    def test_two_simulations_write_two_files(self):
        slow = simulation()
        slow.set_output_directive(directive("slow.xml", "slow.csv", rate=10))
        fast = simulation()
        fast.set_output_directive(directive("fast.xml", "fast.csv", rate=120))
        slow.run_ic()
        run(slow, 24)
        fast.run_ic()
        run(fast, 24)
        self.assertEqual(len(rows("slow.csv")), 4)
        self.assertGreater(len(rows("fast.csv")), 20)

    def test_the_file_of_a_run_and_the_state_of_another(self):
        rising = simulation()
        rising.set_output_directive(directive("out.xml", "rise.csv"))
        rising.run_ic()
        run(rising, 60)
        heights = [float(row[1]) for row in rows("rise.csv")[1:]]
        self.assertEqual(heights, sorted(heights))
        other = simulation("c172x", "reset00")
        other.run_ic()
        self.assertAlmostEqual(other["position/h-agl-ft"], 0, delta=10)

    def test_the_outputs_of_models(self):
        ball = simulation()
        ball.run_ic()
        run(ball, 12)
        self.assertEqual(rows("BallOut.csv")[0][0], "Time")
        plane = jsbsim.FGFDMExec(None)
        plane.set_debug_level(0)
        plane.load_script("scripts/c1723.xml")
        plane.run_ic()
        run(plane, 12)
        self.assertIn("JSBout172B.csv", os.listdir("."))

    def test_tables_and_commas(self):
        tabular = simulation()
        tabular.set_output_directive(directive("table.xml", "table.txt", kind="TABULAR"))
        tabular.run_ic()
        run(tabular, 24)
        comma = simulation()
        comma.set_output_directive(directive("comma.xml", "comma.csv"))
        comma.run_ic()
        run(comma, 24)
        with open("table.txt") as file:
            self.assertIn("\t", file.read())
        with open("comma.csv") as file:
            self.assertNotIn("\t", file.read())

    def test_a_reset_begins_another_file(self):
        first = simulation()
        first.set_output_directive(directive("out.xml", "run.csv"))
        first.run_ic()
        run(first, 12)
        first.reset_to_initial_conditions(1)
        first.run_ic()
        run(first, 36)
        second = simulation()
        second.set_output_directive(directive("other.xml", "other.csv"))
        second.run_ic()
        self.assertTrue(os.path.exists("run_0.csv"))
        self.assertEqual(len(rows("other.csv")), 2)

    def test_output_can_be_turned_off(self):
        quiet = simulation()
        quiet.set_output_directive(directive("quiet.xml", "quiet.csv"))
        quiet.run_ic()
        quiet.disable_output()
        run(quiet, 60)
        loud = simulation()
        loud.set_output_directive(directive("loud.xml", "loud.csv"))
        loud.run_ic()
        run(loud, 60)
        self.assertEqual(len(rows("quiet.csv")), 2)
        self.assertEqual(len(rows("loud.csv")), 7)

    def test_a_file_is_given_another_name(self):
        named = simulation()
        named.set_output_directive(directive("out.xml", "first.csv"))
        named.set_output_filename(1, "second.csv")
        named.run_ic()
        run(named, 12)
        other = simulation()
        other.run_ic()
        run(other, 6)
        self.assertEqual(rows("second.csv")[0][1], "/fdm/jsbsim/position/h-sl-ft")
        self.assertFalse(os.path.exists("first.csv"))
        self.assertGreater(other.get_sim_time(), 0)


class TestProcesses(Sandbox):
    def test_another_process_copies_what_the_core_wrote(self):
        one = simulation()
        one.set_output_directive(directive("one.xml", "one.csv"))
        one.run_ic()
        run(one, 12)
        subprocess.run(["cp", "one.csv", "copy.csv"], check=True)
        two = simulation()
        two.set_output_directive(directive("two.xml", "two.csv"))
        two.run_ic()
        run(two, 24)
        self.assertEqual(len(rows("copy.csv")), 3)
        self.assertEqual(len(rows("two.csv")), 4)

    def test_another_process_counts_lines(self):
        short = simulation()
        short.set_output_directive(directive("short.xml", "short.csv"))
        short.run_ic()
        run(short, 12)
        long = simulation()
        long.set_output_directive(directive("long.xml", "long.csv"))
        long.run_ic()
        run(long, 60)
        count = subprocess.run(["wc", "-l", "short.csv"], check=True, capture_output=True, text=True)
        self.assertEqual(count.stdout.split()[0], "3")
        count = subprocess.run(["wc", "-l", "long.csv"], check=True, capture_output=True, text=True)
        self.assertEqual(count.stdout.split()[0], "7")


class TestSockets(Sandbox):
    def listener(self):
        receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(receiver.close)
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(10)
        return receiver

    def test_a_socket_hears_a_simulation(self):
        receiver = self.listener()
        port = receiver.getsockname()[1]
        sender = simulation()
        sender.set_output_directive(directive("out.xml", "127.0.0.1", "SOCKET", more=f' port="{port}" protocol="UDP"'))
        sender.run_ic()
        run(sender, 12)
        self.assertIn(b"<LABELS>", receiver.recv(4096))
        silent = simulation()
        silent.set_output_directive(directive("silent.xml", "silent.csv"))
        silent.run_ic()
        run(silent, 12)
        self.assertEqual(rows("silent.csv")[0][0], "Time")

    def test_two_sockets(self):
        left = self.listener()
        right = self.listener()
        first = simulation()
        more = f' port="{left.getsockname()[1]}" protocol="UDP"'
        first.set_output_directive(directive("left.xml", "127.0.0.1", "SOCKET", more=more))
        first.run_ic()
        second = simulation("c172x", "reset00")
        more = f' port="{right.getsockname()[1]}" protocol="UDP"'
        second.set_output_directive(directive("right.xml", "127.0.0.1", "SOCKET", more=more))
        second.run_ic()
        self.assertIn(b"h-sl-ft", left.recv(4096))
        self.assertIn(b"vt-fps", right.recv(4096))


class TestState(Sandbox):
    def test_initial_conditions(self):
        high = simulation("ball", "reset00")
        high.run_ic()
        low = simulation("ball", "reset01")
        low.run_ic()
        self.assertAlmostEqual(high["position/h-sl-ft"], 800000, delta=1)
        self.assertAlmostEqual(low["position/h-sl-ft"], 10000, delta=1)

    def test_time_and_step(self):
        fdm = simulation()
        fdm.run_ic()
        self.assertEqual(fdm.get_sim_time(), 0)
        run(fdm, 12)
        self.assertAlmostEqual(fdm.get_sim_time(), 12 * fdm.get_delta_t())
        other = simulation()
        other.set_dt(0.01)
        self.assertEqual(other.get_delta_t(), 0.01)
