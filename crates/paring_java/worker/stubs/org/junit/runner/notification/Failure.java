package org.junit.runner.notification;

import org.junit.runner.Description;

public class Failure {
    public Description getDescription() {
        return null;
    }

    public Throwable getException() {
        return null;
    }

    public String getMessage() {
        return null;
    }
}
