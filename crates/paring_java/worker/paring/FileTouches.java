package paring;

import java.io.File;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What hooks of files say, as uses and changes of paths.
 *
 * <p>Making or deleting an entry changes the entry, not its folder: whoever lists the folder uses all of its entries that were touched.
 * So what is done to two files of one folder stays apart. Whoever makes an entry uses the folder.
 */
final class FileTouches {
    /** Of the mode of a random file. */
    private static final int READ_ONLY = 1;

    private final BiConsumer<Resource, Resource.How> told;
    /** Real paths of those that were touched, and entries of folders among them. */
    private final Map<String, Resource> known = new HashMap<>();
    /** Where code of the run and the JDK comes from: reading it is no news, unless somebody wrote it. */
    private final List<String> code = new ArrayList<>();
    private final List<Resource> written = new ArrayList<>();

    FileTouches(Collection<Path> classpath, BiConsumer<Resource, Resource.How> told) {
        this.told = told;
        classpath.forEach(entry -> code.add(realPath(entry)));
        code.add(realPath(Path.of(System.getProperty("java.home"))));
        code.addAll(List.of("/dev", "/proc", "/sys"));
    }

    static Resource resource(String path) {
        return Resource.file(realPath(Path.of(path)));
    }

    void touched(Hook hook, Object first, Object second, int flag) {
        switch (hook) {
            case OPENED_TO_WRITE:
                opened(first, flag != 0 ? Resource.How.DEFINE : Resource.How.KILL);
                break;
            case OPENED_AT_RANDOM:
                opened(first, (flag & READ_ONLY) != 0 ? Resource.How.USE : Resource.How.DEFINE);
                break;
            case OPENED_CHANNEL:
                opened(first, how((Set<?>) second));
                break;
            case OPENED_TO_READ:
            case LOOKED_AT:
                tell(path(first), Resource.How.USE);
                break;
            case LISTED:
                listed(path(first));
                break;
            case READ:
                tell(pathOf(first), Resource.How.USE);
                break;
            case WRITTEN:
                tell(pathOf(first), Resource.How.DEFINE);
                break;
            case CHANGED:
                tell(path(first), Resource.How.DEFINE);
                break;
            case CREATED:
                opened(first, Resource.How.DEFINE);
                break;
            case DELETED:
                under(path(first)).forEach(path -> tell(path, Resource.How.USE));
                tell(path(first), Resource.How.KILL);
                break;
            case COPIED:
                tell(path(first), Resource.How.USE);
                opened(second, Resource.How.KILL);
                break;
            case MOVED:
                moved(path(first), path(second));
                break;
            case LINKED:
                tell(path(second), Resource.How.USE);
                opened(first, Resource.How.DEFINE);
                break;
            default:
                throw new IllegalArgumentException(hook.name());
        }
    }

    private static Resource.How how(Set<?> options) {
        boolean writes = options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
        return !writes ? Resource.How.USE : options.contains(StandardOpenOption.TRUNCATE_EXISTING) ? Resource.How.KILL : Resource.How.DEFINE;
    }

    /** What is made or changed needs the folder it is in. */
    private void opened(Object file, Resource.How how) {
        String path = path(file);
        if (path == null) {
            return;
        }
        if (how != Resource.How.USE && Path.of(path).getParent() != null) {
            tell(Path.of(path).getParent().toString(), Resource.How.USE);
        }
        tell(path, how);
    }

    private void listed(String folder) {
        tell(folder, Resource.How.USE);
        for (String path : List.copyOf(known.keySet())) {
            if (folder != null && folder.equals(String.valueOf(Path.of(path).getParent()))) {
                tell(path, Resource.How.USE);
            }
        }
    }

    /** A folder takes along all that is in it. */
    private void moved(String from, String to) {
        if (from == null || to == null) {
            return;
        }
        for (String path : under(from)) {
            tell(path, Resource.How.USE);
            tell(path, Resource.How.KILL);
            tell(to + path.substring(from.length()), Resource.How.KILL);
        }
        tell(from, Resource.How.USE);
        tell(from, Resource.How.KILL);
        opened(Path.of(to), Resource.How.KILL);
    }

    private List<String> under(String folder) {
        List<String> found = new ArrayList<>();
        for (String path : known.keySet()) {
            if (folder != null && path.startsWith(folder + File.separator)) {
                found.add(path);
            }
        }
        return found;
    }

    private void tell(String path, Resource.How how) {
        if (path == null) {
            return;
        }
        Resource resource = known.get(path);
        if (resource == null) {
            resource = Resource.file(path);
        }
        boolean isKnown = written.contains(resource);
        if (how == Resource.How.USE && !isKnown && code.stream().anyMatch(folder -> Path.of(path).startsWith(folder))) {
            return;
        }
        known.put(path, resource);
        if (how != Resource.How.USE && !isKnown) {
            written.add(resource);
        }
        told.accept(resource, how);
    }

    /** Null for what is no file of the default file system. */
    private static String path(Object file) {
        if (file instanceof String) {
            return realPath(Path.of((String) file));
        }
        if (file instanceof File) {
            return realPath(Path.of(((File) file).getPath()));
        }
        return file instanceof Path ? realPath((Path) file) : null;
    }

    /** Of what was opened by its descriptor, nobody knows the path. */
    private static String pathOf(Object stream) {
        for (Class<?> type = stream.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals("path") && field.getType() == String.class) {
                    Object path = Heap.Slot.of(field, true).get(stream);
                    return path == null ? null : realPath(Path.of((String) path));
                }
            }
        }
        return null;
    }

    /** Of a file that is not there, the one of its folder and its name. */
    private static String realPath(Path path) {
        Path whole = path.toAbsolutePath().normalize();
        try {
            // A link is a file of its own, but what is done through it is done to the other.
            return Files.exists(whole) || whole.getParent() == null ? whole.toRealPath().toString() : realPath(whole.getParent()) + File.separator + whole.getFileName();
        } catch (java.io.IOException | RuntimeException e) {
            return whole.toString();
        }
    }
}
