@Test
public void testEqualsHashCode() {
    boolean equal;
    String pattern = "Pattern: {0,testfmt}";
    ExtendedMessageFormat first;
    ExtendedMessageFormat second;
    first = new ExtendedMessageFormat(pattern, Locale.US);
    String otherPattern = "X" + pattern; // different pattern
    second = new ExtendedMessageFormat(otherPattern, Locale.US);
    if (first.hashCode() == second.hashCode()) {
        equal = true;
    } else {
        equal = false;
    }
    assertFalse("pattern, hashCode()", equal);
}
