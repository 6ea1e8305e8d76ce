package org.junit.platform.launcher;

import java.util.Optional;
import org.junit.platform.engine.TestSource;

public final class TestIdentifier {
    private TestIdentifier() {}

    public String getUniqueId() {
        return null;
    }

    public String getDisplayName() {
        return null;
    }

    public boolean isTest() {
        return false;
    }

    public Optional<TestSource> getSource() {
        return null;
    }
}
