//! The cases of a parametrised test of `JUnit` 5: literals in a `@CsvSource`, anything else in a `@MethodSource`.

use paring_model::{Case, Cases, Param, Unwritable};

/// What a parametrised method has beside its body.
pub struct Written {
    pub annotation: String,
    /// The method with the cases, where there is one.
    pub provider: Option<String>,
    pub imports: Vec<String>,
    /// With their types.
    pub parameters: Vec<String>,
}

pub fn written(cases: &Cases, name: &str, indent: &str, end: &str) -> Result<Written, Unwritable> {
    let types = types(cases)?;
    let parameters = types.iter().zip(&cases.params).map(|(of, param)| format!("{of} {}", param.name));
    let parameters = parameters.collect();
    let mut imports = vec!["org.junit.jupiter.params.ParameterizedTest".to_owned()];
    let row = |row: &Case| {
        let columns: Option<Vec<String>> = row.values.iter().map(|value| column(value)).collect();
        columns.map(|columns| format!("\"{}\"", columns.join(", ")))
    };
    let rows: Option<Vec<String>> =
        if are_columns(cases) { cases.rows.iter().map(row).collect() } else { None };
    if let Some(rows) = rows {
        imports.push("org.junit.jupiter.params.provider.CsvSource".to_owned());
        let annotation = format!("@CsvSource({{{}}})", rows.join(", "));
        return Ok(Written { annotation, provider: None, imports, parameters });
    }
    imports.push("java.util.stream.Stream".to_owned());
    imports.push("org.junit.jupiter.params.provider.Arguments".to_owned());
    imports.push("org.junit.jupiter.params.provider.MethodSource".to_owned());
    let rows = cases
        .rows
        .iter()
        .map(|row| format!("{indent}        Arguments.of({})", arguments(cases, &row.values)));
    let rows = rows.collect::<Vec<_>>().join(&format!(",{end}"));
    let provider = format!(
        "static Stream<Arguments> {name}Cases() {{{end}{indent}    return Stream.of({end}{rows});{end}{indent}}}"
    );
    Ok(Written {
        annotation: format!("@MethodSource(\"{name}Cases\")"),
        provider: Some(provider),
        imports,
        parameters,
    })
}

/// Whether a column's text becomes what the parameter is declared to hold.
fn are_columns(cases: &Cases) -> bool {
    let is_simple = |name: &str| {
        matches!(
            name.trim_start_matches("java.lang."),
            "int"
                | "long"
                | "short"
                | "byte"
                | "char"
                | "float"
                | "double"
                | "boolean"
                | "String"
                | "Integer"
                | "Long"
                | "Short"
                | "Byte"
                | "Character"
                | "Float"
                | "Double"
                | "Boolean"
        )
    };
    cases.params.iter().all(|param| param.declared.as_deref().is_none_or(is_simple))
}

/// Values as arguments of a method that takes any number. A single one that it might take for all of them says that it is one.
fn arguments(cases: &Cases, values: &[String]) -> String {
    let is_array = |param: &Param| {
        let of = param.declared.as_deref().and_then(|name| name.trim_end().strip_suffix("[]"));
        // An array of numbers is no array of objects, which is what stands for many arguments.
        of.is_some_and(|of| of.starts_with(char::is_uppercase) || of.ends_with("[]") || of.contains('.'))
    };
    match (values, cases.params.as_slice()) {
        ([value], [param]) if value == "null" || is_array(param) => format!("(Object) {value}"),
        _ => values.join(", "),
    }
}

/// The types of the parameters: as declared, or as the literals of the column have it.
fn types(cases: &Cases) -> Result<Vec<String>, Unwritable> {
    let of = |(idx, param): (usize, &Param)| {
        let unknown = || Unwritable::NeedsType(param.name.clone());
        if let Some(declared) = &param.declared {
            return Ok(declared.clone());
        }
        let mut types =
            cases.rows.iter().map(|row| row.values.get(idx).and_then(|value| literal_type(value)));
        let first = types.next().flatten().ok_or_else(unknown)?;
        if types.all(|other| other == Some(first)) { Ok(first.to_owned()) } else { Err(unknown()) }
    };
    cases.params.iter().enumerate().map(of).collect()
}

pub fn literal_type(value: &str) -> Option<&'static str> {
    let digits = value.trim_start_matches('-');
    match value {
        "true" | "false" => Some("boolean"),
        _ if value.starts_with('"') => Some("String"),
        _ if value.starts_with('\'') => Some("char"),
        _ if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') => None,
        _ if digits.starts_with("0x") || digits.starts_with("0X") => {
            Some(if digits.ends_with(['l', 'L']) { "long" } else { "int" })
        }
        _ if digits.ends_with(['l', 'L']) => Some("long"),
        _ if digits.ends_with(['f', 'F']) => Some("float"),
        _ if digits.contains(['.', 'e', 'E', 'd', 'D']) => Some("double"),
        _ => Some("int"),
    }
}

/// A literal as a column of a `@CsvSource`; `None` where the format might read it as something else.
pub fn column(value: &str) -> Option<String> {
    let inner = |quote: char| value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote));
    match literal_type(value)? {
        "String" => {
            let text = inner('"').filter(|_| !value.starts_with("\"\"\""))?;
            Some(format!("'{}'", text.replace('\'', "''")))
        }
        "char" => inner('\'').filter(|text| !text.contains(['\\', '"'])).map(|text| match text {
            "'" => "''''".to_owned(),
            other => format!("'{other}'"),
        }),
        // Digits alone: octal and binary numbers, and numbers with underscores, are read in another way.
        "int" | "long" => {
            let digits = value.trim_end_matches(['l', 'L']);
            let plain = digits.trim_start_matches('-');
            let is_plain =
                plain.chars().all(|c| c.is_ascii_digit()) && (plain == "0" || !plain.starts_with('0'));
            is_plain.then(|| digits.to_owned())
        }
        "boolean" => Some(value.to_owned()),
        _ => Some(value.trim_end_matches(['f', 'F', 'd', 'D']).to_owned()).filter(|text| !text.contains('_')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[&str], declared: Option<&str>, expected: Result<(&str, &str), Unwritable>) {
        let case = |value: &&str| Case { id: String::new(), values: vec![(*value).to_owned()] };
        let param = Param { name: "it".to_owned(), declared: declared.map(str::to_owned) };
        let cases = Cases { params: vec![param], rows: values.iter().map(case).collect() };
        let found = written(&cases, "test", "", "\n").map(|it| (it.parameters[0].clone(), it.annotation));
        assert_eq!(found, expected.map(|(param, annotation)| (param.to_owned(), annotation.to_owned())));
    }

    #[test]
    fn literals_are_columns() {
        check(&["1", "-20"], None, Ok(("int it", r#"@CsvSource({"1", "-20"})"#)));
        check(&["1L"], None, Ok(("long it", r#"@CsvSource({"1"})"#)));
        check(&["1.5f"], None, Ok(("float it", r#"@CsvSource({"1.5"})"#)));
        check(
            &[r#""it's, \"so\"""#, "\"\""],
            None,
            Ok(("String it", r#"@CsvSource({"'it''s, \"so\"'", "''"})"#)),
        );
        check(&["'c'"], None, Ok(("char it", r#"@CsvSource({"'c'"})"#)));
        check(&["true"], None, Ok(("boolean it", r#"@CsvSource({"true"})"#)));
    }

    #[test]
    fn anything_else_needs_a_type_and_a_method() {
        let method = "@MethodSource(\"testCases\")";
        check(&["new Cart()"], Some("Cart"), Ok(("Cart it", method)));
        check(&["017"], None, Ok(("int it", method)));
        check(&["1"], Some("Object"), Ok(("Object it", method)));
        check(&["new Cart()"], None, Err(Unwritable::NeedsType("it".to_owned())));
        check(&["1", "\"a\""], None, Err(Unwritable::NeedsType("it".to_owned())));
    }
}
