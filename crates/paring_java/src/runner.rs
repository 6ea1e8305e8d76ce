//! Runs JUnit tests in JVMs of the user's own JDK.
