@Test
public void testRemoveRowByKey() {
    KeyedObjects2D data = new KeyedObjects2D();
    data.setObject("Obj1", "R1", "C1");
    data.setObject("Obj2", "R2", "C2");
    data.removeRow("R2");
    try {
        data.removeRow("XXX");
    } catch (UnknownKeyException e) {
    }
}
