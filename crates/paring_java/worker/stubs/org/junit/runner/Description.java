package org.junit.runner;

import java.util.ArrayList;

public class Description {
    public String getMethodName() {
        return null;
    }

    public String getClassName() {
        return null;
    }

    public String getDisplayName() {
        return null;
    }

    public boolean isTest() {
        return false;
    }

    public ArrayList<Description> getChildren() {
        return null;
    }
}
