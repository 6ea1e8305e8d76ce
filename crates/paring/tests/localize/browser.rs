//! The page of `paring localize` in a real browser: Chromium without a window opens it, a script in it clicks, and what the page has become
//! is read. Where there is no Chromium, it is skipped with a message. A driver from elsewhere is not needed for that.

use crate::trial::Trial;
use camino::Utf8Path;
use std::process::Command;

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Clicks through the page, and writes what it sees, a line each.
const CLICKS: &str = r##"
<pre id="told"></pre>
<script>
const told = [];
const one = (selector) => document.querySelector(selector);
const tell = (name, value) => told.push(`${name}: ${value}`);
try {
  tell("opens at", one("#path").textContent);
  tell("chosen", one("#suspects button[aria-current]").textContent);
  tell("failing", document.querySelectorAll("#failing li").length);
  tell("coloured", document.querySelectorAll("#lines .keyword").length > 0);
  tell("wide", document.documentElement.scrollWidth <= window.innerWidth);
  one("#next").click();
  tell("next", one("#suspects button[aria-current] strong").textContent);
  tell("line", one("#tests-title").textContent);
  tell("tests", document.querySelectorAll("#tests-body li .failure").length > 0);
  tell("pared", one("#tests-body pre").textContent.includes("def test_"));
  one("#close").click();
  tell("closed", one("#tests").hidden);
  one("#previous").click();
  tell("first again", one("#previous").disabled);
  one("#filter").value = "no such file";
  one("#filter").dispatchEvent(new Event("input"));
  tell("filtered", !one("#no-files").hidden);
} catch (error) {
  tell("error", error);
}
one("#told").textContent = told.join("\n");
</script>
</body>"##;

fn browser() -> Option<&'static str> {
    BROWSERS
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|done| done.status.success()))
}

/// What the clicks told, in a window of this width.
fn told(browser: &str, page: &Utf8Path, width: u32) -> String {
    let profile = tempfile::tempdir().expect("a temporary folder can be made");
    let done = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--window-size={width},900"))
        .arg(format!("file://{page}"))
        .output()
        .expect("the browser starts");
    let document = String::from_utf8_lossy(&done.stdout).into_owned();
    let (_, told) = document.split_once("<pre id=\"told\">").expect("the page has been opened");
    told.split("</pre>").next().unwrap_or_default().to_owned()
}

#[test]
fn the_page_can_be_clicked_through_in_a_browser() {
    let Some(browser) = browser() else {
        eprintln!("skipped: none of {} is here", BROWSERS.join(", "));
        return;
    };
    let trial = Trial::on("localize");
    let page = trial.outside("found.html");
    let ran = trial.localize(&["--html", page.as_str()]);
    assert_eq!(ran.code, 0, "{ran}");
    let text = std::fs::read_to_string(&page).expect("the page is written");
    std::fs::write(&page, text.replace("</body>", CLICKS)).expect("it is ours");
    for width in [1400, 500] {
        let told = told(browser, &page, width);
        for line in [
            "opens at: shop.py",
            "failing: 3",
            "coloured: true",
            "wide: true",
            "next: 2",
            "line: Line 33",
            "tests: true",
            "pared: true",
            "closed: true",
            "first again: true",
            "filtered: true",
        ] {
            assert!(told.lines().any(|it| it == line), "nothing says {line:?} at {width} pixels\n{told}");
        }
        assert!(told.contains("chosen: 1"), "{told}");
    }
}
