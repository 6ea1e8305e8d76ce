@Test
public void testRemoveRowByKey() {
    KeyedObjects2D data = new KeyedObjects2D();
    data.setObject("Obj1", "R1", "C1");
    try {
        data.removeRow("XXX");
    } catch (UnknownKeyException e) {
    }
}
