from stack import Stack


def test_stack():
    stack = Stack()
    stack.push(1)
    assert stack.size() == 1
    stack.push(2)
    assert stack.pop() == 2
    stack.push(3)
    assert stack.peek() == 3
    assert stack.size() == 2
