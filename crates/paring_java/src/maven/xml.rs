//! Just enough XML for poms: elements with names, texts and children.

use quick_xml::Reader;
use quick_xml::events::Event;

/// An element and all that is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    pub name: String,
    /// Without white space around it.
    pub text: String,
    pub children: Vec<Element>,
}

impl Element {
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The element at the end of a path of names.
    pub fn at(&self, path: &[&str]) -> Option<&Element> {
        path.iter().try_fold(self, |element, name| element.child(name))
    }

    /// The text of a child, where it has any.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.child(name).map(|child| child.text.as_str()).filter(|text| !text.is_empty())
    }

    /// All elements of a name, at any depth.
    pub fn all<'a>(&'a self, name: &str, found: &mut Vec<&'a Element>) {
        for child in &self.children {
            if child.name == name {
                found.push(child);
            }
            child.all(name, found);
        }
    }
}

/// The root element of a text. What is broken is left out: a pom that Maven refuses is for Maven to explain.
pub fn parse(text: &str) -> Option<Element> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    let mut open: Vec<Element> = vec![Element::default()];
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => {
                let name = start.local_name().as_ref().to_owned();
                open.push(Element { name, ..Element::default() });
            }
            Event::Empty(start) => {
                let name = start.local_name().as_ref().to_owned();
                open.last_mut()?.children.push(Element { name, ..Element::default() });
            }
            Event::End(_) => {
                let element = open.pop()?;
                let text = element.text.trim().to_owned();
                open.last_mut()?.children.push(Element { text, ..element });
            }
            Event::Text(text) => open.last_mut()?.text.push_str(&text),
            Event::CData(text) => open.last_mut()?.text.push_str(&text),
            Event::GeneralRef(name) => open.last_mut()?.text.push_str(&character(&name)),
            Event::Eof => return open.into_iter().next()?.children.into_iter().next(),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

fn character(name: &str) -> String {
    let numbered = name.strip_prefix('#').and_then(|digits| match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    });
    if let Some(c) = numbered.and_then(char::from_u32) {
        return c.to_string();
    }
    match name {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "quot" => "\"",
        "apos" => "'",
        _ => "",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pom_is_read_with_comments_references_and_empty_elements() {
        let pom = parse("<?xml version='1.0'?><!-- x --><project><a/><b> x &amp;&#65; <!-- y --></b><c><d>1</d></c></project>")
            .unwrap();
        assert_eq!(pom.name, "project");
        assert_eq!((pom.text_of("a"), pom.text_of("b")), (None, Some("x &A")));
        assert_eq!(pom.at(&["c", "d"]).unwrap().text, "1");
        assert_eq!(parse("no markup"), None);
    }
}
