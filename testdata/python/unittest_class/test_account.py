"""Proves: unittest ids, setUp, inherited helpers and subTest; pared through pytest and by unittest's own ids."""
import unittest


class Account:
    def __init__(self):
        self.balance, self.log = 0, []

    def deposit(self, amount):
        self.balance += amount
        self.log.append(amount)

    def withdraw(self, amount):
        # The fault: the log is kept and the balance is not.
        self.log.append(-amount)


class Base(unittest.TestCase):
    def setUp(self):
        self.account = Account()
        self.other = Account()
        self.names = ["a", "b"]

    def check_balance(self, expected):
        self.assertEqual(self.account.balance, expected)


class AccountTest(Base):
    def test_withdraw(self):
        self.account.deposit(10)
        self.other.deposit(5)
        self.assertEqual(len(self.names), 2)
        self.account.withdraw(3)
        self.assertEqual(self.account.log, [10, -3])
        self.check_balance(7)

    def test_sub_tests(self):
        self.account.deposit(10)
        for amount in (0, 1, 2):
            with self.subTest(amount=amount):
                self.account.withdraw(amount)
                self.assertEqual(self.account.balance, 10 - amount)
                self.account.deposit(amount)
