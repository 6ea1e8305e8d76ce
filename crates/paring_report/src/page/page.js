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

  const KEYWORDS = {
    py: "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case",
    java: "abstract assert boolean break byte case catch char class continue default do double else enum extends final finally float for if implements import instanceof int interface long native new package private protected public record return short static strictfp super switch synchronized this throw throws transient try var void volatile while yield",
  };
  const LITERALS = new Set(["True", "False", "None", "true", "false", "null", "self", "cls"]);
  // Comment, string, number, word, and anything else.
  const TOKENS = {
    py: /(#[^\n\r]*)|([rbufRBUF]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?))|(\d[\w.]*)|([^\W\d]\w*)|[^#"'\w]+|[\s\S]/gu,
    java: /(\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$))|("""[\s\S]*?(?:"""|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)|(\d[\w.]*)|([^\W\d]\w*)|[^"'\w/]+|[\s\S]/gu,
  };

  /** The lines of a text, each a list of elements and texts with the colours of its language. */
  function coloured(text, path) {
    const language = path.endsWith(".java") ? "java" : "py";
    const keywords = new Set(KEYWORDS[language].split(" "));
    const lines = [[]];
    const put = (kind, token) => {
      token.split(/\r\n|\r|\n/).forEach((part, idx) => {
        if (idx > 0) lines.push([]);
        if (part) lines.at(-1).push(kind ? make("span", { class: kind }, part) : part);
      });
    };
    for (const [token, comment, string, number, word] of text.matchAll(TOKENS[language])) {
      if (comment) put("comment", token);
      else if (string) put("string", token);
      else if (number) put("literal", token);
      else if (word && keywords.has(word)) put("keyword", token);
      else if (word && LITERALS.has(word)) put("literal", token);
      else put("", token);
    }
    return lines;
  }

  /** A text as children of an element. */
  const block = (text, path) => coloured(text, path).flatMap((line, idx) => (idx ? ["\n", ...line] : line));

  function begin() {
    const { failed, passed, skipped } = data.counts;
    const tests = `${count(failed, "failing test")}, ${passed} passing${skipped ? `, ${skipped} skipped` : ""}`;
    document.title = `${data.project}: suspicious lines`;
    at("title").textContent = `${data.project}: ${tests}`;
    const ran = `${data.n_suspects} of ${count(data.n_ranked, data.by)} were run by a failing test`;
    at("about").textContent = `${data.made} · paring ${data.version} · formula ${data.formula} · ${ran}`;
    at("failing").replaceChildren(...data.tests.filter((test) => test.failure !== undefined).map((test) =>
      make("li", {}, make("span", { class: "code" }, test.id), " ", make("span", { class: "message" }, test.failure))));
    at("notes").replaceChildren(...data.notes.map((note) => make("li", {}, note)));
    at("ties").textContent = `${data.tie_rule[0].toUpperCase()}${data.tie_rule.slice(1)}.`;
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
    if (!followAddress() && data.suspects.length) showSuspect(0, window.innerWidth >= 1100, false);
  }

  function suspectItem(suspect, idx) {
    const where = `${suspect.path}:${suspect.line}${suspect.function ? ` in ${suspect.function}` : ""}`;
    const button = make("button", { type: "button", style: `--heat: ${suspect.heat.toFixed(3)}` },
      make("strong", { title: "rank" }, number(suspect.rank)),
      make("span", { class: "where" }, make("span", { class: "score" }, `score ${score(suspect.score)}`), where),
      make("span", { class: "code" }, ...block(suspect.text, suspect.path)));
    button.addEventListener("click", () => showSuspect(idx, true, true));
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
    const colours = coloured(file.text, file.path);
    at("lines").replaceChildren(...texts.map((text, idx) => lineElement(text, idx + 1, byLine.get(idx + 1), colours[idx])));
    at("lines").scrollTop = 0;
    stopAt(at("lines"), "button.line", at("lines").querySelector("button.line"));
  }

  function lineElement(text, n, line, colours) {
    const isFirst = line && line.first === n;
    const parts = [make("span", { class: "number" }, String(n)),
      make("span", { class: "rank" }, isFirst && line.heat > 0 ? `#${number(line.rank)}` : ""),
      make("span", {}, ...(colours || [text]))];
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

  /** Moves the line into the middle of the code; where asked for, the code into view too. */
  function showLine(file, n, withTests, isAsked) {
    showFile(file);
    const line = file.lines.find((line) => line.first <= n && n <= line.last);
    if (!line) return;
    if (withTests) showTests(line, false);
    const button = at(`L${line.first}`);
    if (!button) return;
    if (isAsked) {
      button.focus({ preventScroll: true });
      at("code").scrollIntoView({ block: "nearest" });
    }
    const list = at("lines");
    const top = button.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
    list.scrollTop = top - Math.min(list.clientHeight, window.innerHeight) / 3;
  }

  function showSuspect(idx, withTests, isAsked) {
    suspectIdx = idx;
    [...at("suspects").querySelectorAll("button")].forEach((button, each) => {
      if (each === idx) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    const suspect = data.suspects[idx];
    const file = byPath.get(suspect.path);
    at("previous").disabled = idx === 0;
    at("next").disabled = idx === data.suspects.length - 1;
    if (!file) return;
    showLine(file, suspect.line, withTests, isAsked);
  }

  function step(by) {
    const idx = suspectIdx + by;
    if (idx >= 0 && idx < data.suspects.length) showSuspect(idx, true, true);
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
        make("summary", {}, `Pared test${which}${size}`), make("pre", { tabindex: "0" }, ...block(pared.text, shownFile.path))));
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
    showLine(file, Number(line), true, true);
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
