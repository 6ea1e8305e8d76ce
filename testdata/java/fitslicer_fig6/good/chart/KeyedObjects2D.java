package chart;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A table of objects by row and column key, fixed: an unknown row key is told. */
public class KeyedObjects2D {
    private final List<String> rowKeys = new ArrayList<>();
    private final List<String> columnKeys = new ArrayList<>();
    private final List<Map<String, Object>> rows = new ArrayList<>();

    public void setObject(Object value, String rowKey, String columnKey) {
        if (!columnKeys.contains(columnKey)) {
            columnKeys.add(columnKey);
        }
        if (!rowKeys.contains(rowKey)) {
            rowKeys.add(rowKey);
            rows.add(new HashMap<>());
        }
        rows.get(rowKeys.indexOf(rowKey)).put(columnKey, value);
    }

    public int getRowCount() {
        return rowKeys.size();
    }

    public Object getObject(int row, int column) {
        return rows.get(row).get(columnKeys.get(column));
    }

    public void removeRow(String rowKey) {
        if (!rowKeys.contains(rowKey)) {
            throw new UnknownKeyException(rowKey);
        }
        int index = rowKeys.indexOf(rowKey);
        rowKeys.remove(index);
        rows.remove(index);
    }
}
