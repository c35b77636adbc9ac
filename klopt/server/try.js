"use strict";

// Texts are set as text alone, never as markup.
const element = (id) => document.getElementById(id);

let examples = {};
let shownExample = {};

function speak(language) {
  document.documentElement.lang = language;
  fill(examples[language]?.value);
  for (const button of document.querySelectorAll("nav button")) {
    button.setAttribute("aria-pressed", String(button.id === `to-${language}`));
  }
}

// The example of the interface, where nobody has typed anything else.
function fill(example) {
  if (!example) return;
  const texts = { question: example.question, answer: example.answer, page: example.contexts[0].text };
  const isTyped = Object.keys(texts).some((id) => element(id).value !== (shownExample[id] ?? ""));
  if (isTyped || element("names").value) return;
  for (const [id, text] of Object.entries(texts)) element(id).value = text;
  shownExample = texts;
}

function headers() {
  const token = element("token").value;
  return { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
}

// The pages that fit a question, before those with the words in their name.
async function findPages() {
  const words = element("find").value.trim();
  const named = await fetch(`v1/pages?${new URLSearchParams({ name: words })}`, { headers: headers() });
  const { pages = [], count = 0 } = await named.json();
  let fitting = [];
  if (words) {
    const body = JSON.stringify({ question: words, k: 5 });
    const answer = await fetch("v1/search", { method: "POST", headers: headers(), body });
    fitting = (await answer.json()).pages ?? [];
  }
  if (words !== element("find").value.trim()) return;  // the text changed meanwhile
  const titles = new Map([...fitting.map(({ id }) => id), ...pages].map((id) => [id, ""]));
  for (const { id, title } of fitting) titles.set(id, title);
  element("count").textContent = String(Math.max(count, titles.size));
  element("pages").replaceChildren(...[...titles].map(([id, title]) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = title ? `${id}: ${title}` : id;
    button.addEventListener("click", () => take(id));
    item.append(button);
    return item;
  }));
}

function take(id) {
  const names = element("names").value.split("\n").map((name) => name.trim()).filter(Boolean);
  element("names").value = [...new Set([...names, id])].join("\n");
  if (element("page").value === shownExample.page) element("page").value = "";
}

function row() {
  const page = element("page").value.trim();
  const names = element("names").value.split("\n").map((name) => name.trim()).filter(Boolean);
  return {
    question: element("question").value,
    answer: element("answer").value,
    contexts: [...(page ? [{ text: page }] : []), ...names.map((id) => ({ id }))],
  };
}

function relation(name) {
  const found = element("relations").content.querySelector(`[data-relation="${CSS.escape(name)}"]`);
  const shown = found ? found.cloneNode(true) : document.createElement("span");
  shown.className = "relation";
  return shown;
}

// A text with some of its stretches marked; klopt counts characters, not the halves of UTF-16.
function marked(text, spans, className) {
  const shown = document.createElement("span");
  const characters = Array.from(text);
  let at = 0;
  for (const [start, end] of spans ?? []) {
    const mark = document.createElement("mark");
    mark.className = className;
    mark.textContent = characters.slice(start, end).join("");
    shown.append(characters.slice(at, start).join(""), mark);
    at = end;
  }
  shown.append(characters.slice(at).join(""));
  return shown;
}

function passage(one) {
  const shown = document.createElement("blockquote");
  const where = document.createElement("small");
  where.textContent = `${one.passage.page}:${one.passage.line}`;
  shown.append("“", marked(one.passage.text, one.differing, "page"), "” ", where);
  return shown;
}

function show(verdict, explanation, statements, json) {
  const faults = statements.filter((one) => one.fault);
  element("result").dataset.verdict = verdict;
  element("explanation").textContent = explanation;
  element("statements").hidden = faults.length === 0;
  element("statements").querySelector("ul").replaceChildren(
    ...faults.map((one) => {
      const item = document.createElement("li");
      item.append(marked(one.text, one.wrong, "wrong"), relation(one.relation));
      if (one.passage) item.append(passage(one));
      return item;
    }),
  );
  element("json").textContent = json;
  element("result").hidden = false;
  element("result").scrollIntoView({ block: "nearest" });
}

async function check(event) {
  event.preventDefault();
  element("go").disabled = true;
  element("unreached").hidden = true;
  try {
    const answer = await fetch("v1/score", { method: "POST", headers: headers(), body: JSON.stringify(row()) });
    const found = await answer.json();
    const json = JSON.stringify(found, null, 1);
    // Messages are in English, for programmers; the page explains this one in its own language.
    const [, unknown] = /context "(.*)" is not a page/s.exec(found.error?.message ?? "") ?? [];
    element("no-page").hidden = unknown === undefined;
    if (found.error) show("failed", unknown ?? found.error.message, [], json);
    else show(found.verdict, found.explanation, found.statements, json);
  } catch (error) {
    show("failed", "", [], String(error));
    element("unreached").hidden = false;
  } finally {
    element("go").disabled = false;
  }
}

for (const language of ["nl", "en"]) {
  element(`to-${language}`).addEventListener("click", () => speak(language));
}
element("turn").addEventListener("submit", check);
let typing;
element("find").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => findPages().catch(() => {}), 250);
});
element("known").addEventListener("toggle", () => findPages().catch(() => {}), { once: true });
speak(navigator.language.startsWith("nl") ? "nl" : "en");
fetch("openapi.json").then((answer) => answer.json()).then((found) => {
  examples = found.components?.examples ?? {};
  fill(examples[document.documentElement.lang]?.value);
}).catch(() => {});
