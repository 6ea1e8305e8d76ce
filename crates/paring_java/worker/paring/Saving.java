package paring;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import paring.boot.Touches;

/**
 * Saves files of the user's projects before a run touches them, so that paring can put them back: in the folder of the run, as
 * {@code paring_worker::keeper::manifest} says. The JDK's own classes tell what they are about to do; what child processes and native
 * code do is not seen, only that there were some.
 */
final class Saving implements Touches.Watcher {
    private static final Set<OpenOption> WRITING = Set.of(StandardOpenOption.WRITE, StandardOpenOption.APPEND, StandardOpenOption.DELETE_ON_CLOSE);
    /** Of the mode of a random file. */
    private static final int READ_ONLY = 1;
    /** A larger file is not saved. */
    private static final long MOST_BYTES = 256L << 20;
    /** How the process ends where another run has the file. */
    private static final int MET = 75;
    private static final Hook[] HOOKS = Hook.values();

    private final List<Path> roots;
    /** Temporary files, and paring's own. */
    private final List<Path> except;
    private final Path claims;
    private final Path loading;
    /** Where files are saved now. */
    private Path folder;
    /** Paths that were saved there, or need not be. */
    private final Set<Path> known = new HashSet<>();
    /** Those of them at which there was no folder: whatever is in one there now goes with it. */
    private final Set<Path> noFolders = new HashSet<>();
    private int nCopies;
    private boolean mayHide;

    private Saving(List<Path> roots, List<Path> except, Path claims, Path loading) {
        this.roots = roots;
        this.except = except;
        this.claims = claims;
        this.loading = loading;
        this.folder = loading;
    }

    /** Saves from here on. */
    static Saving start(List<Path> roots, List<Path> except, Path claims, Path loading) {
        Saving saving = new Saving(roots, except, claims, loading);
        Touches.watch(saving);
        return saving;
    }

    /** A run begins. */
    synchronized void begin(Path folder) {
        this.folder = folder;
        known.clear();
        noFolders.clear();
        nCopies = 0;
        mayHide = false;
    }

    /** The run is over. Whether it may have written what was not seen. */
    synchronized boolean end() {
        boolean mayHide = this.mayHide;
        begin(loading);
        return mayHide;
    }

    @Override
    public void passed(int place) {
    }

    @Override
    public void touched(int hook, Object first, Object second, int flag) {
        try {
            touched(HOOKS[hook], first, second, flag);
        } catch (InvalidPathException e) {
            // The JDK refuses it, too.
        }
    }

    private synchronized void touched(Hook hook, Object first, Object second, int flag) {
        switch (hook) {
            case OPENED_TO_WRITE:
            case CHANGED:
                save(path(first), true);
                break;
            case OPENED_AT_RANDOM:
                if ((flag & READ_ONLY) == 0) {
                    save(path(first), true);
                }
                break;
            case OPENED_CHANNEL:
                if (second instanceof Set && ((Set<?>) second).stream().anyMatch(WRITING::contains)) {
                    save(path(first), true);
                }
                break;
            case CREATED:
                save(path(first), false);
                break;
            case DELETED:
                if (Files.exists(path(first), LinkOption.NOFOLLOW_LINKS)) {
                    save(path(first), false);
                }
                break;
            case COPIED:
                saveAll(path(second));
                break;
            case MOVED:
                saveAll(path(first));
                saveAll(path(second));
                break;
            case LINKED:
                // What is written to the one is written to the other.
                save(path(first), false);
                save(path(second), true);
                break;
            case UNKNOWN:
                mayHide = true;
                break;
            case LOADED_NATIVE:
                // What the JDK's own native code does to files, the JDK's classes tell.
                mayHide |= ((Class<?>) first).getClassLoader() != null;
                break;
            default:
                break;
        }
    }

    private static Path path(Object path) {
        return path instanceof Path ? ((Path) path).toAbsolutePath() : path instanceof File ? ((File) path).toPath().toAbsolutePath() : Path.of((String) path).toAbsolutePath();
    }

    /** A file or a folder with all that is in it. */
    private void saveAll(Path path) {
        Path real = save(path, false);
        if (!Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS) || !isOurs(real) || isNew(real)) {
            return;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(real)) {
            for (Path entry : entries) {
                saveAll(entry);
            }
        } catch (IOException e) {
            unsaved(real, e);
        }
    }

    /** Saves what is at a path, and where that is a link, what it leads to. The path without links on its way. */
    private Path save(Path path, boolean follows) {
        Path real = realParent(path);
        if (known.add(real)) {
            saveOne(real);
        }
        if (follows && Files.isSymbolicLink(real)) {
            try {
                save(real.resolveSibling(Files.readSymbolicLink(real)), true);
            } catch (IOException e) {
                unsaved(real, e);
            } catch (StackOverflowError e) {
                // Links in a ring cannot be opened.
            }
        }
        return real;
    }

    private void saveOne(Path real) {
        try {
            if (isOurs(real)) {
                if (!isNew(real.getParent())) {
                    claim(real);
                    Map<String, Object> state = state(real);
                    note(real, state);
                    if (!"folder".equals(state.get("was"))) {
                        noFolders.add(real);
                    }
                }
            } else if (except.stream().noneMatch(real::startsWith) && !isDevice(real) && Files.isDirectory(real.getParent())) {
                note(real, Json.object("was", "outside"));
            }
        } catch (IOException | RuntimeException e) {
            unsaved(real, e);
        }
    }

    /** Whether the run has made it, or something around it. */
    private boolean isNew(Path real) {
        for (Path at = real; at != null; at = at.getParent()) {
            if (noFolders.contains(at)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOurs(Path real) {
        return roots.stream().anyMatch(real::startsWith) && except.stream().noneMatch(real::startsWith);
    }

    /** With no link in it but perhaps the last part, as far as it is there. */
    private static Path realParent(Path path) {
        Path parent = path.getParent();
        Path name = path.getFileName();
        if (parent == null || name == null) {
            return path;
        }
        if (name.toString().equals(".") || name.toString().equals("..")) {
            return name.toString().equals(".") ? realParent(parent) : realParent(path.normalize());
        }
        try {
            return parent.toRealPath().resolve(name);
        } catch (IOException e) {
            return realParent(parent).resolve(name);
        }
    }

    private static boolean isDevice(Path real) {
        return real.startsWith("/dev") || real.startsWith("/proc");
    }

    private Map<String, Object> state(Path real) throws IOException {
        BasicFileAttributes now;
        try {
            now = Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return Json.object("was", "absent");
        }
        if (now.isSymbolicLink()) {
            return Json.object("was", "link", "target", Files.readSymbolicLink(real).toString());
        }
        if (now.isDirectory()) {
            return Json.object("was", "folder", "mode", unix(real, "mode", 0777) & 07777);
        }
        if (!now.isRegularFile()) {
            return Json.object("was", "unsaved", "why", "it is no regular file");
        }
        if (now.size() > MOST_BYTES) {
            return Json.object("was", "unsaved", "why", "it is larger than 256 MB");
        }
        Files.createDirectories(folder);
        String copy = "copy-" + ProcessHandle.current().pid() + "-" + nCopies++;
        Files.copy(real, folder.resolve(copy));
        long mode = unix(real, "mode", 0666) & 07777;
        return Json.object("was", "file", "copy", copy, "mode", mode, "modified", nanoseconds(now.lastModifiedTime()), "inode", unix(real, "ino", 0));
    }

    private static long unix(Path real, String attribute, long otherwise) throws IOException {
        try {
            return ((Number) Files.getAttribute(real, "unix:" + attribute, LinkOption.NOFOLLOW_LINKS)).longValue();
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return otherwise;
        }
    }

    private static long nanoseconds(FileTime time) {
        return time.to(TimeUnit.NANOSECONDS);
    }

    private void unsaved(Path real, Exception why) {
        try {
            note(real, Json.object("was", "unsaved", "why", String.valueOf(why)));
        } catch (IOException e) {
            // Nothing can be written there: paring finds the folder of the run as it is.
            mayHide = true;
        }
    }

    /** One line, by one write, before the file is touched. */
    private void note(Path real, Map<String, Object> was) throws IOException {
        Files.createDirectories(folder);
        Path own = folder.resolve("pid-" + ProcessHandle.current().pid());
        if (!Files.exists(own)) {
            Files.createFile(own);
        }
        Map<String, Object> line = Json.object("path", real.toString());
        line.putAll(was);
        // Not by a channel, which the test could interrupt.
        try (OutputStream out = new FileOutputStream(folder.resolve("manifest").toFile(), true)) {
            out.write((Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * Two runs at once never write the same path, nor one in a folder that the other makes: the later one ends, and is made again
     * alone.
     */
    private void claim(Path real) throws IOException {
        if (folder.equals(loading)) {
            return;
        }
        String run = folder.getFileName().toString();
        Path claim = claimOf(real);
        try {
            Files.createFile(claim);
            try (OutputStream out = new FileOutputStream(claim.toFile())) {
                out.write(run.getBytes(StandardCharsets.UTF_8));
            }
        } catch (FileAlreadyExistsException e) {
            giveWayAt(claim, run);
        }
        for (Path above = real.getParent(); above != null; above = above.getParent()) {
            giveWayAt(claimOf(above), run);
        }
    }

    private Path claimOf(Path real) {
        return claims.resolve(hash(real.toString()));
    }

    private void giveWayAt(Path claim, String run) throws IOException {
        try {
            if (Files.readString(claim).equals(run)) {
                return;
            }
        } catch (NoSuchFileException e) {
            return;
        }
        Files.createDirectories(folder);
        new FileOutputStream(folder.resolve("met").toFile()).close();
        Runtime.getRuntime().halt(MET);
    }

    private static String hash(String text) {
        try {
            StringBuilder hash = new StringBuilder();
            for (byte each : MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8))) {
                hash.append(String.format("%02x", each));
            }
            return hash.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
