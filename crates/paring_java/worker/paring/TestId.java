package paring;

/** A target's id in its parts: {@code pkg.Outer$Inner#method(String)[2]}. */
final class TestId {
    final String className;
    /** Null where a whole class is meant. */
    final String method;
    /** What stands behind the method's name: a case, with or without parameter types. */
    final String cases;

    TestId(String id) {
        int hash = id.indexOf('#');
        className = hash < 0 ? id : id.substring(0, hash);
        String rest = hash < 0 ? "" : id.substring(hash + 1);
        int end = 0;
        while (end < rest.length() && Character.isJavaIdentifierPart(rest.charAt(end))) {
            end++;
        }
        method = hash < 0 ? null : rest.substring(0, end);
        cases = rest.substring(end);
    }
}
