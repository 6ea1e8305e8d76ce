module shop {
    requires java.logging;

    exports shop;
}
