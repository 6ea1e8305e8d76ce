from message_format import ExtendedMessageFormat


def test_equals_hash_code():
    pattern = "Pattern: {0,testfmt}"
    first = ExtendedMessageFormat(pattern, "en_US")
    other_pattern = "X" + pattern  # different pattern
    second = ExtendedMessageFormat(other_pattern, "en_US")
    if first.hash_code() == second.hash_code():
        equal = True
    else:
        equal = False
    assert not equal, "pattern, hash_code()"
