//! One test of what several did: what they share, and then the rest of each.
//!
//! Where a rest says something of its own when it fails, each stands in a subtest, so that none hides another.

use super::head::{Head, unsupported};
use paring_model::{Framework, Headed, Joint, Refusal, Rest, Shape};
use std::fmt::Write as _;

pub fn joined(source: &str, host: &Shape, joint: &Joint) -> Result<Headed, Refusal> {
    let Head { before, params, behind, .. } = Head::of(source, host).ok_or_else(unsupported)?;
    let Shape { indent, body_indent, .. } = host;
    let is_soft = !joint.may_hide && joint.rests.iter().filter(|rest| rest.has_message).count() > 1;
    let is_block = |idx: usize| is_soft && !joint.rests[idx].is_open && !joint.rests[idx].is_solid;
    if joint.hides(&is_block) {
        return Err(Refusal::new("hides", "the first assertion that fails would hide what another says"));
    }
    let is_case = host.framework == Framework::Unittest;
    let params = match (is_soft && !is_case, params.trim_end()) {
        (false, params) => params.to_owned(),
        (true, "(") => "(subtests".to_owned(),
        (true, params) => format!("{params}, subtests"),
    };
    let doc = docstring(source, host);
    let mut head = format!("{indent}{before}{}{params}{behind}\n{doc}{}", joint.name, joint.beginning);
    for (idx, rest) in joint.rests.iter().enumerate() {
        let opener = if is_case { "self.subTest" } else { "subtests.test" };
        let opener = is_block(idx).then(|| format!("with {opener}({:?}):", rest.label));
        let is_begun = idx > 0 && joint.rests[idx - 1].is_open;
        if idx > 0 && (rest.is_open || rest.steps.len() > 1) && !is_begun {
            head.push('\n');
        }
        write_rest(&mut head, rest, body_indent, opener.as_deref());
    }
    Ok(Headed { head: head.trim_end().to_owned(), ..Headed::default() })
}

/// The host's docstring, as it stands.
fn docstring(source: &str, host: &Shape) -> String {
    let is_inner = |remark: &&paring_model::Remark| {
        remark.at == paring_model::RemarkAt::Test && remark.range.start >= host.body.start
    };
    host.remarks.iter().filter(is_inner).map(|remark| remark.range.of(source)).collect()
}

fn write_rest(text: &mut String, rest: &Rest, indent: &str, opener: Option<&str>) {
    for line in &rest.above {
        let _ = writeln!(text, "{indent}# {line}");
    }
    let Some(opener) = opener else {
        text.push_str(&rest.lines);
        return;
    };
    let step = if indent.contains('\t') { "\t" } else { "    " };
    let _ = writeln!(text, "{indent}{opener}");
    for line in rest.lines.lines() {
        let deeper = if line.trim().is_empty() { "" } else { step };
        let _ = writeln!(text, "{deeper}{line}");
    }
}
