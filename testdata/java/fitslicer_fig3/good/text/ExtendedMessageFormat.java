package text;

import java.util.Locale;

/** A message format, fixed: the pattern is part of the hash code. */
public class ExtendedMessageFormat {
    private final String pattern;
    private final Locale locale;

    public ExtendedMessageFormat(String pattern, Locale locale) {
        this.pattern = pattern;
        this.locale = locale;
    }

    public String toPattern() {
        return pattern;
    }

    @Override
    public int hashCode() {
        return 31 * locale.hashCode() + pattern.hashCode();
    }
}
