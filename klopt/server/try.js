"use strict";

// Texts are set as text alone, never as markup.
const element = (id) => document.getElementById(id);

function speak(language) {
  document.documentElement.lang = language;
  for (const button of document.querySelectorAll("nav button")) {
    button.setAttribute("aria-pressed", String(button.id === `to-${language}`));
  }
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
  const headers = { "content-type": "application/json" };
  if (element("token").value) headers.authorization = `Bearer ${element("token").value}`;
  element("go").disabled = true;
  element("unreached").hidden = true;
  try {
    const answer = await fetch("v1/score", { method: "POST", headers, body: JSON.stringify(row()) });
    const found = await answer.json();
    const json = JSON.stringify(found, null, 1);
    if (found.error) show("failed", found.error.message, [], json);
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
speak(navigator.language.startsWith("nl") ? "nl" : "en");
