package paring;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What statements of JDBC do to tables, as far as their SQL tells. The database is the URL that it was connected to; a table without a
 * name stands for all of a database.
 */
final class Databases {
    private static final String NAME = "((?:[\\w$]+|\"[^\"]+\"|`[^`]+`|\\[[^]]+])(?:\\s*\\.\\s*(?:[\\w$]+|\"[^\"]+\"|`[^`]+`|\\[[^]]+]))*)";
    private static final Pattern FIRST = Pattern.compile("^[\\s(]*(\\w+)");
    private static final Pattern MADE = Pattern.compile("^\\s*(?:create|drop|alter|truncate)\\b.*?\\btable\\s+(?:if\\s+(?:not\\s+)?exists\\s+)?" + NAME, Pattern.DOTALL);
    private static final Pattern TRUNCATED = Pattern.compile("^\\s*truncate\\s+(?:table\\s+)?" + NAME);
    private static final Pattern CHANGED = Pattern.compile("^\\s*(?:insert\\s+(?:or\\s+\\w+\\s+)?into|replace\\s+into|merge\\s+into|update(?:\\s+or\\s+\\w+)?|delete\\s+from)\\s+" + NAME);
    private static final Pattern USED = Pattern.compile("\\b(?:from|join|into|update|references)\\s+" + NAME);
    private static final Set<String> QUERIES = Set.of("select", "values", "with", "explain");
    private static final Set<String> CHANGES = Set.of("insert", "update", "delete", "merge", "replace");
    private static final Set<String> DEFINITIONS = Set.of("create", "drop", "alter", "truncate");

    private final BiConsumer<Resource, Resource.How> told;
    /** Of connections and statements, what they were made by or from. */
    private final Map<Object, List<Object>> origins = new IdentityHashMap<>();
    /** Tables that were touched, by database. */
    private final Map<String, Set<Resource>> tables = new LinkedHashMap<>();

    Databases(BiConsumer<Resource, Resource.How> told) {
        this.told = told;
    }

    void made(Object what, Object origin) {
        if (what != null && origin != null && what != origin && isOfSql(what) && (origin instanceof String || isOfSql(origin))) {
            origins.computeIfAbsent(what, key -> new ArrayList<>()).add(origin);
        }
    }

    void touched(Object what, Object sql) {
        if (!isOfSql(what)) {
            return;
        }
        List<Object> all = new ArrayList<>(List.of(what));
        for (int i = 0; i < all.size(); i++) {
            all.addAll(origins.getOrDefault(all.get(i), List.of()));
        }
        String url = "";
        List<String> texts = new ArrayList<>();
        for (Object each : all) {
            if (each instanceof String && ((String) each).startsWith("jdbc:")) {
                url = (String) each;
            } else if (each instanceof String) {
                texts.add((String) each);
            }
        }
        if (sql instanceof String) {
            // What a statement is told counts, not what it was prepared with.
            texts = List.of((String) sql);
            made(what, sql);
        }
        if (texts.isEmpty()) {
            // All that it did so far, and what it has in store.
            whole(url);
        }
        for (String text : texts) {
            statement(url, text);
        }
    }

    private void statement(String url, String sql) {
        String text = sql.replaceAll("--[^\\n]*|/\\*.*?\\*/", " ").replaceAll("'(?:[^']|'')*'", "''").toLowerCase(Locale.ROOT).trim();
        Matcher first = FIRST.matcher(text);
        String verb = first.find() ? first.group(1) : "";
        Matcher made = DEFINITIONS.contains(verb) ? MADE.matcher(text) : CHANGED.matcher(text);
        if (verb.equals("truncate")) {
            made = TRUNCATED.matcher(text);
        }
        boolean isChange = CHANGES.contains(verb) || DEFINITIONS.contains(verb);
        boolean isKnown = isChange ? made.find() : QUERIES.contains(verb);
        // Several statements in one text, procedures, triggers: who knows what they do.
        if (!isKnown || text.replaceAll(";\\s*$", "").contains(";") || text.contains("trigger") || text.contains("foreign key")) {
            whole(url);
            return;
        }
        Set<String> used = new HashSet<>();
        for (Matcher names = USED.matcher(text); names.find(); ) {
            used.add(plain(names.group(1)));
        }
        if (isChange) {
            used.remove(plain(made.group(1)));
        }
        used.forEach(name -> tell(url, name, Resource.How.USE));
        if (isChange) {
            boolean isGone = verb.equals("create") || verb.equals("drop") || verb.equals("truncate");
            tell(url, plain(made.group(1)), isGone ? Resource.How.KILL : Resource.How.DEFINE);
        }
    }

    private static String plain(String name) {
        return name.replaceAll("[\\s\"`\\[\\]]", "").replaceAll(".*\\.", "");
    }

    private void tell(String url, String name, Resource.How how) {
        Resource table = Resource.table(url, name);
        tables.computeIfAbsent(url, key -> new LinkedHashSet<>()).add(table);
        // Whoever did something to the database as a whole did it to this one, too.
        told.accept(Resource.table(url, ""), Resource.How.USE);
        told.accept(table, how);
    }

    private void whole(String url) {
        tables.getOrDefault(url, Set.of()).forEach(table -> told.accept(table, Resource.How.DEFINE));
        told.accept(Resource.table(url, ""), Resource.How.DEFINE);
    }

    /** Without running any code of a driver: by the names of what it implements. */
    private static boolean isOfSql(Object thing) {
        return thing != null && implementsSql(thing.getClass());
    }

    private static boolean implementsSql(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Class<?> of : each.getInterfaces()) {
                if (of.getName().equals("java.sql.Statement") || of.getName().equals("java.sql.Connection") || implementsSql(of)) {
                    return true;
                }
            }
        }
        return false;
    }
}
