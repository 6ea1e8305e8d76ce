package paring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as the protocol uses it: maps, lists, strings, numbers (as Long or Double), booleans, null. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Map<String, Object> object(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> parse(String text) {
        return (Map<String, Object>) new Json(text).value();
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private Object value() {
        skip();
        char c = text.charAt(at);
        switch (c) {
            case '{':
                return map();
            case '[':
                return list();
            case '"':
                return string();
            case 't':
                at += 4;
                return Boolean.TRUE;
            case 'f':
                at += 5;
                return Boolean.FALSE;
            case 'n':
                at += 4;
                return null;
            default:
                return number();
        }
    }

    private Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        at++;
        while (true) {
            skip();
            if (text.charAt(at) == '}') {
                at++;
                return map;
            }
            if (text.charAt(at) == ',') {
                at++;
                continue;
            }
            String key = string();
            skip();
            at++; // the colon
            map.put(key, value());
        }
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        at++;
        while (true) {
            skip();
            if (text.charAt(at) == ']') {
                at++;
                return list;
            }
            if (text.charAt(at) == ',') {
                at++;
                continue;
            }
            list.add(value());
        }
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        at++;
        while (true) {
            char c = text.charAt(at++);
            if (c == '"') {
                return out.toString();
            }
            out.append(c == '\\' ? escape() : c);
        }
    }

    private char escape() {
        char c = text.charAt(at++);
        switch (c) {
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'u':
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            default:
                return c;
        }
    }

    private Object number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        if (number.matches("-?[0-9]{1,18}")) {
            return Long.valueOf(number);
        }
        return Double.valueOf(number);
    }

    private void skip() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map) {
            char sign = '{';
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                out.append(sign);
                quote(entry.getKey().toString(), out);
                out.append(':');
                write(entry.getValue(), out);
                sign = ',';
            }
            out.append(sign == '{' ? "{}" : "}");
        } else if (value instanceof Iterable) {
            char sign = '[';
            for (Object each : (Iterable<?>) value) {
                out.append(sign);
                write(each, out);
                sign = ',';
            }
            out.append(sign == '[' ? "[]" : "]");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            quote(value.toString(), out);
        }
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == '\u2028' || c == '\u2029') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
