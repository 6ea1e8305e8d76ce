package text;

import java.util.Locale;

/** A message format; the fault: all patterns have one hash code. */
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
        return locale.hashCode();
    }
}
