package paring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What methods of the JDK are about to do, and which methods those are. A watcher of {@link paring.boot.Touches} is told a hook by its
 * ordinal. A class or method that some JDK does not have is passed over; natives cannot be hooked.
 */
enum Hook {
    // -- files. The first is a path, as a String, File or Path, unless it says otherwise.
    /** A stream that appends (the flag says so) or truncates. */
    OPENED_TO_WRITE,
    OPENED_TO_READ,
    /** A file for both; the flag is its mode, of which bit 1 is to read only. */
    OPENED_AT_RANDOM,
    /** A channel; the second is a set of options. */
    OPENED_CHANNEL,
    DELETED,
    /** From the first to the second. */
    MOVED,
    COPIED,
    /** A file, folder or symbolic link that was not there, unless it fails. */
    CREATED,
    /** The first, as another name of the second. */
    LINKED,
    /** Dates and permissions. */
    CHANGED,
    /** Whether it is there, how large it is. */
    LOOKED_AT,
    LISTED,
    /** The first is a stream, a random file or a channel. */
    WRITTEN,
    READ,
    // -- settings of the process
    /** Of one name. */
    PROPERTY_READ,
    PROPERTIES_READ,
    ENVIRONMENT_READ,
    LOCALE_READ,
    ZONE_READ,
    // -- output. The first is a stream or a logger.
    PRINTED,
    LOGGED,
    LOGGER_SET,
    LOGGING_RESET,
    // -- the rest
    /** Opened, read, written or closed. The first is the implementation of a socket, or a channel. */
    SOCKET,
    /** Or waited for. Time passes whoever sleeps: nobody changes it. */
    CLOCK_READ,
    RANDOM_READ,
    /** The first is a {@link java.lang.reflect.Field}. */
    FIELD_READ,
    /** What comes of it is not seen: processes, native code, memory that is a file. */
    UNKNOWN,
    /** A library of native code; the first is the class that asks for it. */
    LOADED_NATIVE,
    /** The first is a statement or a connection, if it is one at all, the second some SQL, if there is any. */
    DATABASE_TOUCHED,
    /** The first is a connection or a statement, the second what made it, or some SQL, or a URL. */
    DATABASE_MADE;

    /** Where an argument comes from: {@code this}, or a parameter, counted from 1. */
    static final int NONE = -1;
    static final int THIS = 0;

    /** One method, or all of a name. */
    static final class Row {
        final Hook hook;
        final String method;
        /** Null where all that bear the name are meant. */
        final String descriptor;
        final int first;
        final int second;
        final int flag;

        Row(Hook hook, String method, String descriptor, int first, int second, int flag) {
            this.hook = hook;
            this.method = method;
            this.descriptor = descriptor;
            this.first = first;
            this.second = second;
            this.flag = flag;
        }
    }

    /** By class, what every run needs: what is done to files. */
    static final Map<String, List<Row>> CHANGES = new HashMap<>();
    /** What a traced run needs besides. */
    static final Map<String, List<Row>> ALL = new HashMap<>();

    private static final String[] PROVIDERS = {"sun/nio/fs/UnixFileSystemProvider", "sun/nio/fs/WindowsFileSystemProvider"};
    private static final String COMMON_PROVIDER = "sun/nio/fs/AbstractFileSystemProvider";

    static {
        filesChanged();
        unseen();
        filesUsed();
        settings();
        output();
        sockets();
        others();
    }

    private static void filesChanged() {
        add(CHANGES, OPENED_TO_WRITE, "java/io/FileOutputStream", "open", "(Ljava/lang/String;Z)V", 1, NONE, 2);
        add(CHANGES, OPENED_AT_RANDOM, "java/io/RandomAccessFile", "open", "(Ljava/lang/String;I)V", 1, NONE, 2);
        add(CHANGES, DELETED, "java/io/File", "delete", "()Z", THIS, NONE, NONE);
        add(CHANGES, MOVED, "java/io/File", "renameTo", null, THIS, 1, NONE);
        for (String method : new String[] {"createNewFile", "mkdir"}) {
            add(CHANGES, CREATED, "java/io/File", method, "()Z", THIS, NONE, NONE);
        }
        for (String method : new String[] {"setLastModified", "setReadOnly", "setWritable", "setReadable", "setExecutable"}) {
            add(CHANGES, CHANGED, "java/io/File", method, null, THIS, NONE, NONE);
        }
        for (String provider : PROVIDERS) {
            for (String method : new String[] {"newByteChannel", "newFileChannel", "newAsynchronousFileChannel"}) {
                add(CHANGES, OPENED_CHANNEL, provider, method, null, 1, 2, NONE);
            }
            add(CHANGES, MOVED, provider, "move", null, 1, 2, NONE);
            add(CHANGES, COPIED, provider, "copy", null, 1, 2, NONE);
            add(CHANGES, CREATED, provider, "createDirectory", null, 1, NONE, NONE);
            add(CHANGES, CREATED, provider, "createSymbolicLink", null, 1, 2, NONE);
            add(CHANGES, LINKED, provider, "createLink", null, 1, 2, NONE);
        }
        add(CHANGES, DELETED, COMMON_PROVIDER, "delete", null, 1, NONE, NONE);
        add(CHANGES, DELETED, COMMON_PROVIDER, "deleteIfExists", null, 1, NONE, NONE);
        for (String method : new String[] {"setAttribute", "setLastModifiedTime", "setOwner", "setPosixFilePermissions"}) {
            add(CHANGES, CHANGED, "java/nio/file/Files", method, null, 1, NONE, NONE);
        }
    }

    /** Child processes and native code change files unseen. */
    private static void unseen() {
        add(CHANGES, UNKNOWN, "java/lang/ProcessBuilder", "start", null, NONE, NONE, NONE);
        for (String method : new String[] {"load0", "loadLibrary0"}) {
            add(CHANGES, LOADED_NATIVE, "java/lang/Runtime", method, "(Ljava/lang/Class;Ljava/lang/String;)V", 1, NONE, NONE);
        }
    }

    private static void filesUsed() {
        add(ALL, OPENED_TO_READ, "java/io/FileInputStream", "open", "(Ljava/lang/String;)V", 1, NONE, NONE);
        for (String method : new String[] {"read", "readAllBytes", "readNBytes", "skip", "available", "transferTo"}) {
            add(ALL, READ, "java/io/FileInputStream", method, null, THIS, NONE, NONE);
        }
        add(ALL, WRITTEN, "java/io/FileOutputStream", "write", null, THIS, NONE, NONE);
        for (String method : new String[] {"read", "readFully", "skipBytes", "readLine"}) {
            add(ALL, READ, "java/io/RandomAccessFile", method, null, THIS, NONE, NONE);
        }
        add(ALL, WRITTEN, "java/io/RandomAccessFile", "write", null, THIS, NONE, NONE);
        add(ALL, WRITTEN, "java/io/RandomAccessFile", "setLength", null, THIS, NONE, NONE);
        add(ALL, UNKNOWN, "sun/nio/ch/FileChannelImpl", "map", null, NONE, NONE, NONE);
        for (String method : new String[] {"read", "transferTo", "size"}) {
            add(ALL, READ, "sun/nio/ch/FileChannelImpl", method, null, THIS, NONE, NONE);
        }
        for (String method : new String[] {"write", "transferFrom", "truncate"}) {
            add(ALL, WRITTEN, "sun/nio/ch/FileChannelImpl", method, null, THIS, NONE, NONE);
        }
        for (String method : new String[] {"exists", "isFile", "isDirectory", "length", "lastModified", "canRead", "canWrite", "canExecute", "isHidden"}) {
            add(ALL, LOOKED_AT, "java/io/File", method, "()" + (method.equals("length") || method.equals("lastModified") ? "J" : "Z"), THIS, NONE, NONE);
        }
        add(ALL, LISTED, "java/io/File", "list", null, THIS, NONE, NONE);
        add(ALL, LISTED, "java/io/File", "listFiles", null, THIS, NONE, NONE);
        for (String provider : new String[] {PROVIDERS[0], PROVIDERS[1], "sun/nio/fs/LinuxFileSystemProvider"}) {
            for (String method : new String[] {"checkAccess", "readAttributes", "readAttributesIfExists", "exists", "isRegularFile", "isDirectory", "readSymbolicLink"}) {
                add(ALL, LOOKED_AT, provider, method, null, 1, NONE, NONE);
            }
            add(ALL, LISTED, provider, "newDirectoryStream", null, 1, NONE, NONE);
        }
    }

    private static void settings() {
        add(ALL, PROPERTY_READ, "java/lang/System", "getProperty", null, 1, NONE, NONE);
        add(ALL, PROPERTIES_READ, "java/lang/System", "getProperties", null, NONE, NONE, NONE);
        add(ALL, ENVIRONMENT_READ, "java/lang/System", "getenv", null, NONE, NONE, NONE);
        add(ALL, LOCALE_READ, "java/util/Locale", "getDefault", null, NONE, NONE, NONE);
        add(ALL, ZONE_READ, "java/util/TimeZone", "getDefault", null, NONE, NONE, NONE);
        add(ALL, ZONE_READ, "java/util/TimeZone", "getDefaultRef", null, NONE, NONE, NONE);
    }

    private static void output() {
        for (String method : new String[] {"print", "println", "write", "writeBytes", "printf", "format", "append"}) {
            add(ALL, PRINTED, "java/io/PrintStream", method, null, THIS, NONE, NONE);
        }
        String logger = "java/util/logging/Logger";
        add(ALL, LOGGED, logger, "isLoggable", null, THIS, NONE, NONE);
        add(ALL, LOGGED, logger, "log", "(Ljava/util/logging/LogRecord;)V", THIS, NONE, NONE);
        for (String method : new String[] {"getLevel", "getHandlers", "getFilter", "getUseParentHandlers"}) {
            add(ALL, LOGGED, logger, method, null, THIS, NONE, NONE);
        }
        for (String method : new String[] {"setLevel", "addHandler", "removeHandler", "setUseParentHandlers", "setFilter", "setParent", "setResourceBundle"}) {
            add(ALL, LOGGER_SET, logger, method, null, THIS, NONE, NONE);
        }
        for (String method : new String[] {"reset", "readConfiguration", "updateConfiguration"}) {
            add(ALL, LOGGING_RESET, "java/util/logging/LogManager", method, null, NONE, NONE, NONE);
        }
    }

    private static void sockets() {
        String[] opens = {"connect", "bind"};
        String[] reads = {"read", "receive", "accept"};
        String[] writes = {"write", "send", "close", "shutdownOutput", "implCloseSelectableChannel"};
        for (String type : new String[] {"NioSocketImpl", "SocketChannelImpl", "ServerSocketChannelImpl", "DatagramChannelImpl"}) {
            for (String[] methods : List.of(opens, reads, writes)) {
                for (String method : methods) {
                    // The second is an address, where it is one.
                    add(ALL, SOCKET, "sun/nio/ch/" + type, method, null, THIS, methods == opens ? 1 : NONE, NONE);
                }
            }
        }
    }

    private static void others() {
        add(ALL, CLOCK_READ, "java/time/Clock", "currentInstant", null, NONE, NONE, NONE);
        add(ALL, CLOCK_READ, "java/time/Clock$SystemClock", "millis", null, NONE, NONE, NONE);
        add(ALL, CLOCK_READ, "java/time/Clock$SystemClock", "instant", null, NONE, NONE, NONE);
        add(ALL, CLOCK_READ, "java/util/Date", "<init>", "()V", NONE, NONE, NONE);
        add(ALL, CLOCK_READ, "java/util/Calendar", "getInstance", null, NONE, NONE, NONE);
        add(ALL, CLOCK_READ, "java/util/GregorianCalendar", "<init>", "(Ljava/util/TimeZone;Ljava/util/Locale;)V", NONE, NONE, NONE);
        add(ALL, CLOCK_READ, "java/util/concurrent/TimeUnit", "sleep", null, NONE, NONE, NONE);
        add(ALL, RANDOM_READ, "java/lang/Math", "random", null, NONE, NONE, NONE);
        add(ALL, RANDOM_READ, "java/util/Random", "<init>", "()V", NONE, NONE, NONE);
        add(ALL, RANDOM_READ, "java/util/concurrent/ThreadLocalRandom", "current", null, NONE, NONE, NONE);
        add(ALL, RANDOM_READ, "java/util/UUID", "randomUUID", null, NONE, NONE, NONE);
        add(ALL, RANDOM_READ, "java/security/SecureRandom", "nextBytes", null, NONE, NONE, NONE);
        for (String type : new String[] {"", "Boolean", "Byte", "Char", "Short", "Int", "Long", "Float", "Double"}) {
            add(ALL, FIELD_READ, "java/lang/reflect/Field", "get" + type, null, THIS, NONE, NONE);
        }
        for (String method : new String[] {"findStaticGetter", "findStaticSetter", "findStaticVarHandle", "unreflectGetter", "unreflectSetter", "unreflectVarHandle"}) {
            add(ALL, UNKNOWN, "java/lang/invoke/MethodHandles$Lookup", method, null, NONE, NONE, NONE);
        }
        add(ALL, UNKNOWN, "sun/misc/Unsafe", "staticFieldBase", null, NONE, NONE, NONE);
    }

    private static void add(Map<String, List<Row>> table, Hook hook, String type, String method, String descriptor, int first, int second, int flag) {
        // Without lambdas: this is on the way of every run.
        if (!table.containsKey(type)) {
            table.put(type, new ArrayList<>());
        }
        table.get(type).add(new Row(hook, method, descriptor, first, second, flag));
    }
}
