package paring;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The protocol's transport: JSON lines over streams that the user's test cannot reach by accident. The standard streams
 * become an empty input and sinks.
 */
final class Channel {
    private final OutputStream out;
    private final BlockingQueue<Optional<Map<String, Object>>> requests = new LinkedBlockingQueue<>();

    private Channel(InputStream in, OutputStream out) {
        this.out = out;
        Thread reader = new Thread(() -> read(in), "paring reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** Takes the named files (duplicates of the standard streams that nobody else knows), or the streams themselves. */
    static Channel takeOver(String[] args) throws IOException {
        InputStream in = args.length == 2 ? new FileInputStream(args[0]) : new FileInputStream(FileDescriptor.in);
        OutputStream out = args.length == 2 ? new FileOutputStream(args[1]) : new FileOutputStream(FileDescriptor.out);
        silence();
        return new Channel(in, out);
    }

    /** Gives the test streams of its own. */
    static void silence() {
        System.setIn(InputStream.nullInputStream());
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false));
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), false));
    }

    private void read(InputStream in) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 1 << 16)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                requests.add(Optional.of(Json.parse(line)));
            }
        } catch (IOException e) {
            // The other side is gone, as at the end of the input.
        }
        // paring is gone: nobody wants to know how the run ends, nor what the test's own shutdown hooks do.
        Runtime.getRuntime().halt(0);
    }

    Map<String, Object> receive() throws InterruptedException {
        return requests.take().orElseThrow();
    }

    synchronized void send(Map<String, Object> message) {
        try {
            out.write((Json.write(message) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            Runtime.getRuntime().halt(0);
        }
    }
}
