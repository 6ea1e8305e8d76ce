"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  // A page of many files has no room for their names.
  const MANY_FILES = 60;

  /** An element with attributes and children; text is only ever text. */
  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== undefined && value !== null) element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  };
  const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  const number = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(1));
  // Most scores are far above 0: warm colours are for what stands out.
  const warmth = (heat) => (heat ** 2).toFixed(3);
  const score = (value) => (value === null ? "infinite" : value.toFixed(3));

  const files = data.files.map((file) => {
    const lines = file.lines.map(([first, last, heat, score, rank, failing, passing, tests, nPassed]) =>
      ({ first, last, heat, score, rank, failing, passing, tests, nPassed }));
    const hottest = Math.max(...lines.map((line) => line.heat));
    return { path: file.path, text: file.text, lines, heat: hottest, button: null };
  });
  files.sort((one, other) => other.heat - one.heat || (one.path < other.path ? -1 : 1));
  const byPath = new Map(files.map((file) => [file.path, file]));

  let shownFile = null;
  let shownLine = null;
  let suspectIdx = -1;

  function begin() {
    const { failed, passed, skipped } = data.counts;
    const tests = `${count(failed, "failing test")}, ${passed} passing${skipped ? `, ${skipped} skipped` : ""}`;
    at("summary").textContent = `${tests}; scored by ${data.formula}; ${data.n_suspects} of ${count(data.n_ranked, data.by)} were run by a failing test.`;
    at("notes").replaceChildren(...data.notes.map((note) => make("li", {}, note)));
    at("ties").textContent = `By rank: ${data.tie_rule}.`;
    at("suspects").replaceChildren(...data.suspects.map(suspectItem));
    at("files").classList.toggle("many", files.length > MANY_FILES);
    at("files").replaceChildren(...files.map(fileButton));
    rove(at("files"), "button", { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });
    rove(at("lines"), "button.line", { ArrowDown: 1, ArrowUp: -1 }, at("code"));
    stopAt(at("files"), "button", files[0]?.button);
    at("filter").addEventListener("input", filter);
    at("close").addEventListener("click", closeTests);
    at("next").addEventListener("click", () => step(1));
    at("previous").addEventListener("click", () => step(-1));
    document.addEventListener("keydown", onKey);
    window.addEventListener("hashchange", followAddress);
    if (!followAddress() && data.suspects.length) showSuspect(0, false);
  }

  function suspectItem(suspect, idx) {
    const where = `${suspect.path}:${suspect.line}${suspect.function ? ` in ${suspect.function}` : ""}`;
    const button = make("button", { type: "button" },
      make("strong", { title: "rank" }, number(suspect.rank)), make("span", { class: "where" }, where),
      make("span", { class: "code" }, suspect.text));
    button.addEventListener("click", () => showSuspect(idx, true));
    return make("li", {}, button);
  }

  function fileButton(file) {
    const hot = file.lines.filter((line) => line.heat > 0).length;
    const label = `${file.path}, ${hot ? `${count(hot, "suspicious line")}, heat ${Math.round(100 * file.heat)} of 100` : "no suspicious line"}`;
    file.button = make("button", { type: "button", title: label, "aria-label": label, style: `--heat: ${warmth(file.heat)}` }, file.path);
    file.button.addEventListener("click", () => {
      showFile(file);
      at("code").focus({ preventScroll: true });
      at("code").scrollIntoView({ block: "start" });
    });
    return file.button;
  }

  function filter() {
    const wanted = at("filter").value.trim().toLowerCase();
    let n = 0;
    for (const file of files) {
      file.button.hidden = !file.path.toLowerCase().includes(wanted);
      n += file.button.hidden ? 0 : 1;
    }
    at("files").classList.toggle("many", n > MANY_FILES);
    at("no-files").hidden = n > 0;
  }

  function showFile(file) {
    if (shownFile === file) return;
    closeTests();
    shownFile?.button.removeAttribute("aria-current");
    shownFile = file;
    file.button.setAttribute("aria-current", "true");
    at("path").textContent = file.path;
    const byLine = new Map();
    for (const line of file.lines) for (let n = line.first; n <= line.last; n += 1) byLine.set(n, line);
    const texts = file.text.split(/\r\n|\r|\n/);
    if (texts.at(-1) === "") texts.pop();
    at("lines").replaceChildren(...texts.map((text, idx) => lineElement(text, idx + 1, byLine.get(idx + 1))));
    stopAt(at("lines"), "button.line", at("lines").querySelector("button.line"));
  }

  function lineElement(text, n, line) {
    const isFirst = line && line.first === n;
    const parts = [make("span", { class: "number" }, String(n)),
      make("span", { class: "rank" }, isFirst && line.heat > 0 ? `#${number(line.rank)}` : ""),
      make("span", {}, text)];
    const ran = line && line.failing + line.nPassed > 0;
    const classes = `line code${line && line.heat > 0 ? " hot" : ""}${line && !ran ? " unrun" : ""}`;
    const style = line ? `--heat: ${warmth(line.heat)}` : null;
    if (!isFirst || !ran) return make("div", { class: classes, style, role: "listitem" }, ...parts);
    const label = `Line ${n}: ${text.trim()}. ${line.heat > 0 ? `Rank ${number(line.rank)}, score ${score(line.score)}. ` : ""}Show its tests`;
    const button = make("button", { type: "button", class: classes, style, id: `L${n}`, "aria-expanded": "false", "aria-label": label }, ...parts);
    button.addEventListener("click", (event) => {
      if (shownLine === line) {
        closeTests();
        return;
      }
      showTests(line, true);
      // A click by key goes where the answer is; Escape comes back.
      if (event.detail === 0) at("tests").focus();
    });
    return make("div", { role: "listitem" }, button);
  }

  function showLine(file, n, withTests) {
    showFile(file);
    const line = file.lines.find((line) => line.first <= n && n <= line.last);
    if (!line) return;
    if (withTests) showTests(line, false);
    const button = at(`L${line.first}`);
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "center" });
  }

  function showSuspect(idx, withTests) {
    suspectIdx = idx;
    const suspect = data.suspects[idx];
    const file = byPath.get(suspect.path);
    at("previous").disabled = idx === 0;
    at("next").disabled = idx === data.suspects.length - 1;
    if (!file) return;
    if (withTests) showLine(file, suspect.line, true);
    else showFile(file);
  }

  function step(by) {
    const idx = suspectIdx + by;
    if (idx >= 0 && idx < data.suspects.length) showSuspect(idx, true);
  }

  function showTests(line, isAsked) {
    at(`L${shownLine?.first}`)?.setAttribute("aria-expanded", "false");
    shownLine = line;
    at(`L${line.first}`)?.setAttribute("aria-expanded", "true");
    const isRange = line.last > line.first;
    at("tests-title").textContent = `${isRange ? "Lines" : "Line"} ${line.first}${isRange ? `–${line.last}` : ""}`;
    const tests = line.tests.map((idx) => data.tests[idx]);
    const failing = tests.filter((test) => test.failure !== undefined);
    const passing = tests.filter((test) => test.failure === undefined);
    at("tests-body").replaceChildren(facts(line), ...section("Failing", failing.length, failing, failingItem),
      ...section("Passing", line.nPassed, passing, (test) => make("li", { class: "code" }, test.id)));
    at("tests").hidden = false;
    document.querySelector("main").classList.add("with-tests");
    at("tests").scrollTop = 0;
    const address = `#${encodeURIComponent(shownFile.path)}:${line.first}`;
    if (isAsked && location.hash !== address) history.replaceState(null, "", address);
  }

  function facts(line) {
    const pairs = line.heat > 0 ? [["Rank", number(line.rank)], ["Score", score(line.score)]] : [["Rank", "not suspicious: no failing test that counts ran it"]];
    const isLess = line.failing < line.tests.filter((idx) => data.tests[idx].failure !== undefined).length;
    pairs.push(["Counted", `${line.failing} failing${isLess ? " (those that ran the same lines once)" : ""}, ${line.passing} passing`]);
    return make("dl", {}, ...pairs.flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)]));
  }

  function section(title, n, tests, item) {
    if (!n) return [];
    const more = n - tests.length;
    const list = make("ul", {}, ...tests.map(item));
    if (more > 0) list.append(make("li", { class: "small" }, `and ${more} more`));
    return [make("h3", {}, `${title} tests that ran it: ${n}`), list];
  }

  function failingItem(test) {
    const item = make("li", {}, make("div", { class: "code" }, test.id), make("div", { class: "failure" }, test.failure));
    test.pared.forEach((pared, idx) => {
      const which = test.pared.length > 1 ? ` ${idx + 1} of ${test.pared.length}` : "";
      const size = pared.after < pared.before ? `, ${pared.before} → ${pared.after} statements` : "";
      item.append(make("details", { open: idx === 0 ? "" : null },
        make("summary", {}, `Pared test${which}${size}`), make("pre", { tabindex: "0" }, pared.text)));
    });
    return item;
  }

  function closeTests() {
    const line = shownLine;
    shownLine = null;
    const button = line && at(`L${line.first}`);
    button?.setAttribute("aria-expanded", "false");
    if (button && at("tests").contains(document.activeElement)) button.focus({ preventScroll: true });
    at("tests").hidden = true;
    document.querySelector("main").classList.remove("with-tests");
  }

  /** Goes where the address says: `#path:line`. */
  function followAddress() {
    const [, path, line] = /^#(.*):(\d+)$/.exec(location.hash) || [];
    const file = path && byPath.get(decodeURIComponent(path));
    if (!file) return false;
    showLine(file, Number(line), true);
    return true;
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (event.target === at("filter")) {
        // Browsers clear the field on this key by themselves, some without a word.
        at("filter").value = "";
        filter();
        at("code").focus();
      }
      closeTests();
      return;
    }
    if (event.target instanceof HTMLInputElement) return;
    if (event.key === "n") step(1);
    else if (event.key === "p") step(-1);
    else if (event.key === "/") at("filter").focus();
    else return;
    event.preventDefault();
  }

  /** Makes a list one stop for the Tab key, within which arrows move; from around it they go to where it was left. */
  function rove(list, selector, moves, around = list) {
    list.addEventListener("focusin", (event) => stopAt(list, selector, event.target.closest(selector)));
    around.addEventListener("keydown", (event) => {
      if (!(event.key in moves)) return;
      const all = [...list.querySelectorAll(selector)].filter((each) => !each.hidden);
      const idx = all.indexOf(event.target.closest(selector));
      const next = idx < 0 ? all.find((each) => each.tabIndex === 0) : all[idx + moves[event.key]];
      next?.focus({ preventScroll: true });
      next?.scrollIntoView({ block: "nearest" });
      event.preventDefault();
    });
  }

  function stopAt(list, selector, chosen) {
    if (!chosen) return;
    for (const each of list.querySelectorAll(selector)) each.tabIndex = each === chosen ? 0 : -1;
  }

  begin();
})();
